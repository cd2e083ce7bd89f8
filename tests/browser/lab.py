"""A real JupyterLab for a test: its own folders, its own port, a token, no questions, gone afterwards."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, contextmanager

from jupyter_client import BlockingKernelClient

QUIET = {
    "disabledExtensions": {
        "@jupyterlab/apputils-extension:announcements": True,
        "@jupyterlab/lsp-extension": True,
        "@jupyterlab/extensionmanager-extension": True,
    }
}


class Lab:
    """A running server: `url` opens a notebook in the browser, `kernel` talks to the kernel that notebook has."""

    def __init__(self, folder, port, token):
        self.folder, self.address, self.token = folder, f"http://127.0.0.1:{port}", token

    def url(self, name):
        return f"{self.address}/doc/tree/{name}?reset&token={self.token}"

    def ask(self, path):
        request = urllib.request.Request(self.address + path, headers={"Authorization": f"token {self.token}"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def wait(self, process, seconds=120):
        """Until the server answers; its log if it dies first."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if process.poll() is not None:
                raise RuntimeError((self.folder / "lab.log").read_text(encoding="utf-8")[-3000:])
            try:
                return self.ask("/api/status")
            except OSError:
                time.sleep(0.2)
        raise TimeoutError((self.folder / "lab.log").read_text(encoding="utf-8")[-3000:])

    @contextmanager
    def kernel(self, name):
        """run(code) -> what it prints, in the kernel of this notebook, beside the browser that shows it."""
        (session,) = [found for found in self.ask("/api/sessions") if found["path"] == name]
        client = BlockingKernelClient()
        client.load_connection_file(str(self.folder / "runtime" / f"kernel-{session['kernel']['id']}.json"))
        client.start_channels()

        def run(code):
            printed, errors = [], []

            def listen(message):
                content = message["content"]
                if message["msg_type"] == "stream":
                    printed.append(content["text"])
                if message["msg_type"] == "error":
                    errors.append(content["evalue"])

            client.execute_interactive(code, timeout=60, output_hook=listen)
            assert not errors, errors
            return "".join(printed).strip()

        try:
            client.wait_for_ready(timeout=60)
            yield run
        finally:
            client.stop_channels()


@contextmanager
def jupyterlab(folder):
    """Run JupyterLab on notebooks in `folder/books` until the block ends."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lab = Lab(folder, port, secrets.token_hex(16))
    (folder / "books").mkdir()
    (folder / "config" / "labconfig").mkdir(parents=True)
    (folder / "config" / "labconfig" / "page_config.json").write_text(json.dumps(QUIET), encoding="utf-8")
    own = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    environment = {**os.environ, **{f"JUPYTER_{name}": str(folder / part) for name, part in own.items()}}
    environment |= {"IPYTHONDIR": str(folder / "ipython"), "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--LabApp.expose_app_in_browser=True"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"]
    command += [f"--IdentityProvider.token={lab.token}", f"--ServerApp.root_dir={folder / 'books'}"]
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--ServerApp.jpserver_extensions={'jupyter_lsp': False}"]
    with open(folder / "lab.log", "w", encoding="utf-8") as log:
        streams = dict(stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        process = subprocess.Popen(command, env=environment, **streams)
        try:
            lab.wait(process)
            yield lab
        finally:
            process.terminate()  # the server ends its kernels itself when it is asked politely
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
