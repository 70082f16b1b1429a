"""A server on loopback that pages followers by offset, as many as are asked for: computed, not stored."""

import http.server
import json
import threading

#: More than any client reads, so that the client's own bound ends the list.
TOTAL = 2_000_000


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        """Answers GetFollowers."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        offset = request.get("offset", 0)
        end = min(offset + request.get("limit", 50), TOTAL)
        ids = ",".join([f'"9f8b6c1e-4d2a-4b7e-8c3d-{number:012}"' for number in range(offset, end)])
        more = "true" if end < TOTAL else "false"
        body = f'{{"user_ids":[{ids}],"total_count":{TOTAL},"has_more":{more}}}'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Logs nothing."""


class Followers:
    """A context manager: the server runs in a thread of this process inside of it."""

    def __enter__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
