"""List the runtime's files and fetch what is missing:  python -m book.python"""

from book.python import SupplyError, listed
from book.python.supply import gather

if __name__ == "__main__":
    try:
        found = gather()
    except SupplyError as error:
        raise SystemExit(str(error)) from None
    for file, _ in found:
        print(f"{file['bytes']:>10,}  {file['licence']:<30} {file['name']}")
    print(f"{sum(file['bytes'] for file in listed()['files']) / 1e6:.1f} MB, every byte as listed")
