internal import Foundation

/// A real redis-server for tests, with files in a folder of its own. It ends with ``stop()``, or with the value.
package final class RedisServer: @unchecked Sendable {
  // Sendable, because only one test uses it, one call after the other.
  /// The port on loopback; with TLS, the port for TLS.
  package let port: Int
  /// The path of the Unix socket.
  package let socket: String
  /// The certificate to trust, which is also the one for clients. Nil without TLS.
  package let certificate: String?
  package let key: String?
  private let folder: TemporaryFolder
  private let arguments: [String]
  private var process: Process?

  /// Starts a server, and waits until it accepts connections.
  ///
  /// - Parameter options: such as `["requirepass secret"]`.
  package init(_ options: [String] = [], usesTLS: Bool = false) throws {
    folder = try TemporaryFolder()
    port = try Self.freePort()
    socket = "\(folder.path)/redis.sock"
    var lines = options + ["bind 127.0.0.1", "unixsocket \(socket)", "dir \(folder.path)", "appendonly no"]
    if !options.contains(where: { $0.hasPrefix("save") }) { lines.append("save \"\"") }
    if usesTLS {
      let (file, keyFile) = ("\(folder.path)/server.pem", "\(folder.path)/server.key")
      try Self.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
          "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", keyFile, "-out", file,
        ])
      lines += [
        "port 0", "tls-port \(port)", "tls-cert-file \(file)", "tls-key-file \(keyFile)", "tls-ca-cert-file \(file)",
      ]
      (certificate, key) = (file, keyFile)
    } else {
      lines.append("port \(port)")
      (certificate, key) = (nil, nil)
    }
    arguments = [try folder.write(lines.joined(separator: "\n") + "\n", to: "redis.conf")]
    try start()
  }

  deinit { stop() }

  /// The URL without a password.
  package var url: String { "\(certificate == nil ? "redis" : "rediss")://localhost:\(port)" }

  /// Starts it again, with the data that `SAVE` has saved.
  ///
  /// - Parameter master: the port of the server whose replica it becomes. Default: nil, none.
  package func start(replicaOf master: Int? = nil) throws {
    try? FileManager.default.removeItem(atPath: socket)
    let options = master.map { ["--replicaof", "127.0.0.1", "\($0)"] } ?? []
    let process = try Self.launch("redis-server", arguments + options)
    self.process = process
    for _ in 0..<3000 where process.isRunning {
      if RawSocket.accepts(atPath: socket) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw Failure(description: "redis-server did not start")
  }

  /// Kills it.
  package func stop() {
    guard let process else { return }
    self.process = nil
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Stops it without ending it, like a machine that hangs.
  package func freeze() { if let process { kill(process.processIdentifier, SIGSTOP) } }

  /// Continues after ``freeze()``.
  package func thaw() { if let process { kill(process.processIdentifier, SIGCONT) } }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static func freePort() throws -> Int {
    let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard status else { throw Failure(description: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func launch(_ tool: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    let process = try launch(tool, arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "\(tool) failed") }
  }
}
