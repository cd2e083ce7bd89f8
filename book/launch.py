"""Where a chapter can be run: links made from the one repository address in _config.yml, and none while it is empty."""

from urllib.parse import quote, urlsplit

COLAB = "https://colab.research.google.com"
BINDER = "https://mybinder.org/v2"


def launch_links(url, branch, path):
    """Pairs (label, address) that open the notebook at `path` elsewhere.

    url: the repository's address, "" when it has none yet; branch: a branch or tag; path: relative to the repository.
    -> list of pairs; empty without an address. A file:// address can be cloned but not launched, so it gives Binder's
    git form only. Raises ValueError for anything that is not an absolute address.
    """
    url = (url or "").strip().rstrip("/").removesuffix(".git")
    if not url:
        return []
    parts = urlsplit(url)
    if not parts.scheme or not (parts.netloc or parts.path):
        raise ValueError(f"repository url must be an absolute address such as https://host/owner/name, not {url!r}")
    where, place = quote(branch, safe=""), quote(path)
    if parts.netloc == "github.com":
        project = parts.path.strip("/")
        return [
            ("Colab", f"{COLAB}/github/{project}/blob/{quote(branch)}/{place}"),
            ("Binder", f"{BINDER}/gh/{project}/{where}?urlpath={quote('lab/tree/' + path, safe='')}"),
        ]
    return [("Binder", f"{BINDER}/git/{quote(url, safe='')}/{where}?urlpath={quote('lab/tree/' + path, safe='')}")]
