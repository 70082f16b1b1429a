import Foundation
import NovaTesting

/// nginx on loopback that gives every request the same answer.
final class PlainServer {
  let url: String
  private let directory: URL
  private let process = Process()

  /// - Parameter body: without a `'` and a `$`.
  init(body: String) throws {
    let port = try ClosedPort().port
    url = "http://127.0.0.1:\(port)"
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Self.configuration(port, body).write(
      to: directory.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"]
    try process.run()
  }

  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }

  private static func configuration(_ port: Int, _ body: String) -> String {
    """
    daemon off;
    master_process off;
    pid nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      keepalive_requests 1000000;
      server {
        listen 127.0.0.1:\(port);
        location / { default_type application/json; return 200 '\(body)'; }
      }
    }
    """
  }
}
