"""Serves the site on a loopback address, as a static host does: files, index.html of folders, 404.html for the rest."""

import http.server
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Server:
    """A server of a folder below a base path, in a thread of its own; port 0 takes a free one."""

    def __init__(self, folder, base_path="/", port=0):
        self.requests = []
        handler = type(
            "Handler", (SiteHandler,), {"folder": Path(folder).resolve(), "base_path": base_path, "log": self.requests}
        )
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}{base_path}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def wait(self):
        try:
            self.thread.join()
        except KeyboardInterrupt:
            print()


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    folder, base_path, log = None, "/", []

    def do_GET(self):
        file = self.file()
        status, shown = (200, file) if file else (404, self.folder / "404.html")
        self.log.append((status, self.path))
        data = shown.read_bytes()
        self.send_response(status)
        self.send_header("Content-Type", self.kind(shown))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def file(self):
        """The file of the request's path; None if there is none below the folder."""
        path = unquote(urlsplit(self.path).path)
        if not path.startswith(self.base_path):
            return None
        file = (self.folder / path.removeprefix(self.base_path).lstrip("/")).resolve()
        if not file.is_relative_to(self.folder):
            return None
        file = file / "index.html" if file.is_dir() else file
        return file if file.is_file() else None

    @staticmethod
    def kind(file):
        kinds = {
            ".html": "text/html",
            ".css": "text/css",
            ".js": "text/javascript",
            ".svg": "image/svg+xml",
            ".md": "text/markdown",
            ".txt": "text/plain",
            ".xml": "application/xml",
        }
        return f"{kinds.get(file.suffix, 'application/octet-stream')}; charset=utf-8"

    def log_message(self, *_):
        pass
