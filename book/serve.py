"""Serve the built book on this machine:  python -m book.serve [port]"""

import gzip
import io
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TEXT = {".html", ".css", ".js", ".svg", ".json", ".ipynb", ".txt", ".xml"}
HERE = Path(__file__).resolve().parent
SITE = HERE / "site" if (HERE / "site").is_dir() else HERE.parent / "_build" / "html"  # beside it in the offline zip


class Quiet(SimpleHTTPRequestHandler):
    """A file server that keeps the terminal free for the address."""

    def log_message(self, *_):
        pass


class Compressed(Quiet):
    """The same, compressed on the way, as a published site is."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if path.suffix not in TEXT or not path.is_file():
            return super().send_head()
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        for name, value in (
            ("Content-Type", self.guess_type(str(path))),
            ("Content-Encoding", "gzip"),
            ("Content-Length", str(len(body))),
        ):
            self.send_header(name, value)
        self.end_headers()
        return io.BytesIO(body)


class Server(ThreadingHTTPServer):
    """One thread for each reader; who leaves before the page has come leaves no trace on the terminal."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def serve(port, site=SITE, *, compressed=False):
    """Bind to localhost only; if the port is taken, take the next free one. -> the server, not yet running"""
    handler = partial(Compressed if compressed else Quiet, directory=str(site))
    for candidate in range(port, port + 20):
        try:
            return Server(("127.0.0.1", candidate), handler)
        except OSError:
            continue
    raise SystemExit(f"ports {port} to {port + 19} are all taken; choose another with PORT=…")


def main():
    server = serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
    print(f"The book is at http://localhost:{server.server_port}   (Ctrl-C to stop)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
