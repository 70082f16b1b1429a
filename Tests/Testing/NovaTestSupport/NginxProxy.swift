internal import Foundation
import NovaTesting

/// A real nginx in front of a server, as its documentation has it: `proxy_pass`, and nothing else.
public final class NginxProxy: Sendable {
  /// The origin, such as `http://127.0.0.1:40001`.
  public let url: String

  private let directory: URL
  private let process: Process
  /// Keeps the port from other programs, which take any free port. nginx shares it.
  private let reservation: ClosedPort

  /// Starts nginx and waits until it accepts connections.
  ///
  /// - Parameter upstream: the origin of the server behind it.
  public init(to upstream: String) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    reservation = try ClosedPort()
    url = reservation.url
    try """
    daemon off;
    master_process off;
    pid nginx.pid;
    events { worker_connections 256; }
    http {
      access_log off;
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      server {
        listen 127.0.0.1:\(reservation.port) reuseport;
        location / { proxy_pass \(upstream); }
      }
    }
    """.write(to: directory.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    process = try NginxServer.start(
      try NginxServer.find("nginx"), ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"], in: directory)
    for _ in 0..<1000 where process.isRunning {
      if RawSocket.accepts(port: reservation.port) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    stop()
    throw RawServerError("nginx did not start")
  }

  /// Ends nginx and removes its files.
  public func stop() {
    // Not SIGTERM: a child of a Dispatch thread inherits a mask that blocks it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }
}
