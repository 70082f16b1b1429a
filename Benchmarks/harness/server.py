"""nginx on loopback that gives every request the same response, over plain HTTP/1.1 and TLS.

One worker process, as the servers that a client competes with for two cores should not win by their number.
"""

import http.client
import os
import shutil
import socket
import subprocess
import time

#: The response of GetFollowers with 20 ids; the clients check its number of ids, or its length.
FOLLOWERS = '{"user_ids":[%s],"total_count":3021,"has_more":true}' % ",".join(
    f'"9f8b6c1e-4d2a-4b7e-8c3d-{100_000_000_000 + number}"' for number in range(20)
)

_SERVER = """
  server {
    listen 127.0.0.1:%(port)d%(listen)s;
    default_type application/json;
%(locations)s
  }"""

_LOCATIONS = """
    location / { return 200 '%(body)s'; }"""

# With HTTP/2, nginx resets the stream of a request that it answers before the request's body arrived, and some clients
# close the connection after a few hundred resets. `mirror` reads the body first. Nothing is at the path, so that the
# response is the error page, which answers in place of a 404.
_LOCATIONS_THAT_READ_BODIES = """
    root empty;
    log_not_found off;
    open_file_cache max=16;
    open_file_cache_errors on;
    open_file_cache_valid 24h;
    location / {
      if ($server_protocol != "HTTP/2.0") { return 505; }
      mirror /mirror;
      error_page 404 =200 @answer;
    }
    location = /mirror { internal; return 204; }
    location @answer { return 200 '%(body)s'; }"""

_CONFIGURATION = """
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000000;
  keepalive_time 24h;
  http2_max_concurrent_streams 512;
  ssl_certificate server.pem;
  ssl_certificate_key server.key;
  ssl_protocols TLSv1.2 TLSv1.3;
%(servers)s
}
"""


def free_port():
    """A TCP port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_certificates(directory):
    """Writes ca.pem and a certificate for 127.0.0.1 and localhost that it signed."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout"]
    openssl(
        "req", "-x509", *key, "ca.key", "-out", "ca.pem", "-days", "7", "-subj", "/CN=Benchmark CA",
        "-addext", "keyUsage=critical,keyCertSign",
    )
    openssl("req", *key, "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    with open(os.path.join(directory, "server.ext"), "w") as file:
        file.write("subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n")
    openssl(
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-out", "server.pem", "-days", "7", "-extfile", "server.ext",
    )


class Server:
    """A context manager: nginx runs inside of it.

    `url("plain")`, `url("tls1")` and `url("tls2")` are its addresses. A request by another version of HTTP than
    `tls2` is for gets 505, so that no client is measured with a version that it did not use.
    """

    def __init__(self, work, body=FOLLOWERS, locations=""):
        """`locations` are further ones of the plain server, in nginx's language; `%(body)s` is the response."""
        self.directory = os.path.join(work, "nginx")
        self.ca_file = os.path.join(self.directory, "ca.pem")
        self._ports = {kind: free_port() for kind in ("plain", "tls1", "tls2")}
        self._body = body
        self._locations = locations
        self._process = None

    def url(self, kind):
        """The address of one of the three listeners, without a path."""
        return f"{'http' if kind == 'plain' else 'https'}://127.0.0.1:{self._ports[kind]}"

    def __enter__(self):
        os.makedirs(self.directory, exist_ok=True)
        make_certificates(self.directory)
        with open(os.path.join(self.directory, "nginx.conf"), "w") as file:
            file.write(self._configuration())
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self._process = subprocess.Popen([program, "-p", self.directory, "-c", "nginx.conf", "-e", "error.log"])
        self._wait()
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _configuration(self):
        kinds = {
            "plain": ("", _LOCATIONS + self._locations), "tls1": (" ssl", _LOCATIONS),
            "tls2": (" ssl http2", _LOCATIONS_THAT_READ_BODIES),
        }
        servers = ""
        for kind, (listen, locations) in kinds.items():
            values = {"port": self._ports[kind], "listen": listen, "locations": locations % {"body": self._body}}
            servers += _SERVER % values
        return _CONFIGURATION % {"servers": servers}

    def _wait(self):
        for _ in range(200):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self._ports["plain"], timeout=1)
                connection.request("GET", "/")
                connection.getresponse().read()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("nginx did not start; see the messages above, or install nginx-light")
