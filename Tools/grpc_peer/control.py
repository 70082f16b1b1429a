"""A small HTTP server beside a peer, so that a test learns what the peer saw without the client that it tests."""
import http.server
import json
import threading
import urllib.parse


class Control:
    """Answers `GET /<name>?<arguments>` with the JSON of `commands[name](**arguments)`."""

    def __init__(self, **commands):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                command = commands.get(url.path.strip("/"))
                try:
                    arguments = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
                    status, answer = (200, command(**arguments)) if command else (404, None)
                except (KeyError, TypeError, ValueError) as error:
                    status, answer = 400, {"error": f"{type(error).__name__}: {error}"}
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        server = Server(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
