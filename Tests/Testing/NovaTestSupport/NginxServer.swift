internal import Foundation
import NovaTesting

/// A real TLS server for tests: nginx with a certificate for `localhost` from an authority made for the occasion.
///
/// Everything lives in a directory of its own, which goes with ``stop()``.
public final class NginxServer: Sendable {
  /// The port that speaks HTTP/2 and HTTP/1.1 over TLS.
  public let http2Port: Int
  /// The port that speaks only HTTP/1.1 over TLS.
  public let http1Port: Int
  /// The port that speaks HTTP/2 and HTTP/1.1 over TLS, with clients whose certificate the authority has signed.
  public let clientCertificatePort: Int
  /// The authority's certificate in PEM form.
  public let caFile: String

  let directory: URL
  private let process: Process
  /// Keep the ports from other programs, which take any free port. nginx shares them.
  private let reservations: [ClosedPort]

  /// Starts nginx and waits until it accepts connections.
  ///
  /// `/protocol` answers with the protocol spoken, `/files/…` with the files beside ``caFile`` in a folder of this name, `/client` with the subject of the client's certificate, `/up/…` and
  /// Requests for `/api/…` are passed to `upstreamPort` on loopback, as are those for `/socket/…` for WebSocket connections.
  ///
  /// - Parameters:
  ///   - fault: what is wrong with the certificate. Default: nothing.
  ///   - keepaliveRequests: after how many requests nginx ends a connection: so few that tests see connections end in good
  ///     order, with GOAWAY over HTTP/2.
  public init(upstreamPort: Int, fault: TLSFault? = nil, keepaliveRequests: Int = 100) throws {
    let nginx = try Self.find("nginx")
    let openssl = try Self.find("openssl")
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try TestCertificates(openssl: openssl, directory: directory).make(fault)
    caFile = directory.appendingPathComponent("ca.pem").path
    reservations = try (0..<3).map { _ in try ClosedPort() }
    let ports = reservations.map(\.port)
    (http2Port, http1Port, clientCertificatePort) = (ports[0], ports[1], ports[2])
    let configuration = Self.configuration(
      http2Port: http2Port, http1Port: http1Port, clientCertificatePort: clientCertificatePort,
      upstreamPort: upstreamPort, keepaliveRequests: keepaliveRequests)
    try configuration.write(
      to: directory.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    process = try Self.start(nginx, ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"], in: directory)
    try waitUntilReady()
  }

  /// Ends nginx and removes its files.
  public func stop() {
    // Not SIGTERM: a child of a Dispatch thread inherits a mask that blocks it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }

  private func waitUntilReady() throws {
    for _ in 0..<1000 where process.isRunning {
      if RawSocket.accepts(port: http1Port), RawSocket.accepts(port: http2Port) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    let log = try? String(contentsOf: directory.appendingPathComponent("error.log"), encoding: .utf8)
    stop()
    throw RawServerError("nginx did not start: \(log ?? "no log")")
  }
}

extension NginxServer {
  static func find(_ tool: String) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let directories = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
    for directory in directories where FileManager.default.isExecutableFile(atPath: "\(directory)/\(tool)") {
      return "\(directory)/\(tool)"
    }
    throw RawServerError("\(tool) is missing, and the TLS tests need it: apt-get install nginx-light openssl")
  }

  static func start(_ tool: String, _ arguments: [String], in directory: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func configuration(
    http2Port: Int, http1Port: Int, clientCertificatePort: Int, upstreamPort: Int, keepaliveRequests: Int
  ) -> String {
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
      client_max_body_size 64m;
      keepalive_requests \(keepaliveRequests);
      ssl_certificate server.pem;
      ssl_certificate_key server.key;
      server {
        listen 127.0.0.1:\(http2Port) ssl http2 reuseport;
        listen 127.0.0.1:\(http1Port) ssl reuseport;
        server_name localhost;
        location /protocol { return 200 $server_protocol; }
        location /files/ { root .; }
        location /up/ { proxy_pass http://127.0.0.1:\(upstreamPort); }
        location /api/ { proxy_pass http://127.0.0.1:\(upstreamPort); }
        location /socket/ {
          proxy_pass http://127.0.0.1:\(upstreamPort);
          proxy_http_version 1.1;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection upgrade;
          # A connection may be quiet for longer than the usual minute while other tests run under the thread sanitizer.
          proxy_read_timeout 10m;
        }
      }
      server {
        listen 127.0.0.1:\(clientCertificatePort) ssl http2 reuseport;
        server_name localhost;
        ssl_verify_client on;
        ssl_client_certificate ca.pem;
        location /client { return 200 $ssl_client_s_dn; }
        location /up/ { proxy_pass http://127.0.0.1:\(upstreamPort); }
      }
    }
    """
  }
}
