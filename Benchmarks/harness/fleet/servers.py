"""Redis, PostgreSQL and nginx in temporary folders, and what processes cost."""

import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from ..server import free_port

TICK = os.sysconf("SC_CLK_TCK")


class Failure(RuntimeError):
    """What ends a measurement."""


def find(program):
    """The path of a server's program."""
    found = shutil.which(program) or next(
        iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{program}") + glob.glob(f"/usr/sbin/{program}"))), None)
    if not found:
        raise Failure(f"{program} is missing; install redis-server, postgresql and nginx-light")
    return found


def poll(check, what, seconds=20):
    """Waits until something is true."""
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            raise Failure(f"{what} took more than {seconds} s")
        time.sleep(0.02)


def _stat(process):
    """The fields of /proc/<process>/stat from the state on; nothing after its end."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def cpu(process):
    """The CPU time of a process, of its children, and of those that have ended, in seconds."""
    others = [fields for name in os.listdir("/proc") if name.isdigit() and (fields := _stat(name))]
    own = _stat(process)
    found = [fields for fields in others if int(fields[1]) == process] + ([own] if own else [])
    return sum(int(field) for fields in found for field in fields[11:15]) / TICK


def memory(process):
    """The resident memory of a process in MB."""
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Server:
    """A server in a temporary folder, as a context."""

    #: Whether it refuses to run as root.
    refuses_root = False
    #: What ends it, also with connections.
    end = signal.SIGTERM

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="nova-fleet-")
        is_root = self.refuses_root and os.geteuid() == 0
        self.user = {"user": "postgres", "group": "postgres"} if is_root else {}
        if self.user:
            shutil.chown(self.folder, **self.user)
        self.start()
        return self

    def __exit__(self, *_):
        self.process.send_signal(self.end)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def launch(self, *command, **options):
        """Starts the server."""
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user, **options)

    def cpu(self):
        """The CPU time of the server in seconds."""
        return cpu(self.process.pid)


class Redis(Server):
    """A redis-server on a Unix socket, without files."""

    name = "Redis"

    def start(self):
        """Starts it."""
        path = f"{self.folder}/socket"
        self.launch(
            find("redis-server"), "--port", "0", "--unixsocket", path, "--save", "", "--dir", self.folder,
            "--maxclients", "5000")
        self.url = f"redis+unix://{path}"
        poll(lambda: os.path.exists(path), "starting redis-server")

    def prepare(self, _):
        """Removes everything."""
        self.send("FLUSHALL")

    def send(self, command):
        """Sends a command; returns the reply as it is sent."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"{self.folder}/socket")
            connection.sendall(f"{command}\r\n".encode())
            reply = connection.recv(1 << 20)
            if reply.startswith(b"$"):
                while len(reply) < int(reply[1:reply.index(b"\r")]):
                    reply += connection.recv(1 << 20)
            return reply.decode()


class PostgreSQL(Server):
    """A PostgreSQL server on a Unix socket, with its defaults for writing to the disk."""

    name = "PostgreSQL"
    refuses_root = True
    end = signal.SIGINT

    def __init__(self, **settings):
        """`settings` are those of postgresql.conf."""
        self.settings = {"listen_addresses": "", "max_connections": 500, **settings}

    def start(self):
        """Starts it."""
        data = f"{self.folder}/data"
        subprocess.run(
            [find("initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], check=True,
            cwd=self.folder, stdout=subprocess.DEVNULL, **self.user)
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        self.launch(find("postgres"), "-D", data, f"-cunix_socket_directories={self.folder}", *options)
        self.url = f"host={self.folder} user=postgres dbname=postgres"
        poll(lambda: self._psql("SELECT 1").returncode == 0, "starting PostgreSQL")

    def _psql(self, statement):
        return subprocess.run(
            [find("psql"), "-X", "-q", "-At", "-d", self.url, "-v", "ON_ERROR_STOP=1", "-c", statement],
            capture_output=True, text=True, check=False)

    def ask(self, statement):
        """The result of a statement as text."""
        done = self._psql(statement)
        if done.returncode:
            raise Failure(done.stderr.strip())
        return done.stdout.strip()

    def prepare(self, program):
        """Creates the tables, or empties them."""
        subprocess.run([program, "schema", self.url], check=True)
        self.ask("TRUNCATE nova.limits, nova.sessions, nova.outbox_entries, nova.outbox_subjects, nova.outbox_arrivals")


_NGINX = """
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events { worker_connections 4096; }
http {
  log_format write '$msec $http_idempotency_key $http_authorization $status';
  access_log %(log)s write buffer=1m;
  client_body_temp_path body;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:%(port)d backlog=4096 reuseport;
    default_type application/json;
    location / { return 200 '{"success":true}'; }
  }
}
"""


class Nginx(Server):
    """A gateway that accepts every write, and notes when it came, under which key, and as whom."""

    name = "nginx"

    def start(self):
        """Starts it."""
        self.port = free_port()
        self.log = f"{self.folder}/writes"
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(_NGINX % {"port": self.port, "log": self.log})
        self.launch(find("nginx"), "-p", self.folder, "-c", "nginx.conf", "-e", "error.log")
        self.url = f"http://127.0.0.1:{self.port}/"
        poll(self._answers, "starting nginx")

    def _answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def stop(self):
        """Ends it, so that everything is in its file."""
        self.process.terminate()
        self.process.wait()

    def writes(self):
        """Every request, after `stop`: its time in s, its Idempotency-Key, and its token."""
        found = []
        with open(self.log) as file:
            for line in file:
                moment, key, _, token, status = line.split()
                if status == "200":
                    found.append((float(moment), key, token))
        return found
