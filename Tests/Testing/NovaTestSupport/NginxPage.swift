internal import Foundation
import NovaTesting

/// A web page on a port of its own, and as development servers have it, a proxy for the API behind the same port: nginx with
/// both.
public final class NginxPage: Sendable {
  /// What the proxy makes of the header `Host`.
  public enum Host: Sendable {
    /// It stays as the browser sends it: the default of Vite's proxy.
    case kept
    /// It becomes that of the server behind the proxy: Vite's `changeOrigin`.
    case replaced
  }

  /// The port on 127.0.0.1.
  public let port: Int

  private let directory: URL
  private let process: Process
  /// Keeps the port from other programs, which take any free port. nginx shares it.
  private let reservation: ClosedPort

  /// Starts nginx and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - html: what `/` responds with.
  ///   - upstream: the origin of the server to which requests for `/api/` and `/media/` are passed. Default: none.
  ///   - host: what the proxy makes of `Host`. Default: it stays.
  public init(_ html: String, proxyTo upstream: String? = nil, host: Host = .kept) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-nginx-\(UUID().uuidString)")
    let pages = directory.appendingPathComponent("pages")
    try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
    try html.write(to: pages.appendingPathComponent("index.html"), atomically: true, encoding: .utf8)
    reservation = try ClosedPort()
    port = reservation.port
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
      client_max_body_size 64m;
      server {
        listen 127.0.0.1:\(port) reuseport;
        root pages;
        \(upstream.map { Self.proxy(to: $0, host) } ?? "")
      }
    }
    """.write(to: directory.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    process = try NginxServer.start(
      try NginxServer.find("nginx"), ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"], in: directory)
    for _ in 0..<1000 where process.isRunning {
      if RawSocket.accepts(port: port) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    stop()
    throw RawServerError("nginx did not start")
  }

  private static func proxy(to upstream: String, _ host: Host) -> String {
    """
    location ~ ^/(api|media)/ {
      proxy_pass \(upstream);
      proxy_http_version 1.1;
      proxy_set_header Host \(host == .kept ? "$http_host" : "$proxy_host");
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $http_connection;
      proxy_read_timeout 10m;
    }
    """
  }

  /// Ends nginx and removes its files.
  public func stop() {
    // Not SIGTERM: a child of a Dispatch thread inherits a mask that blocks it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }
}
