internal import Foundation
import NovaTesting

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
  /// Keeps the port from other programs, which take any free port, also between two starts.
  private let reservation: ClosedPort
  private let arguments: [String]
  private var process: Process?

  /// Starts a server, and waits until it accepts connections.
  ///
  /// - Parameter options: such as `["requirepass secret"]`.
  package init(_ options: [String] = [], usesTLS: Bool = false) throws {
    folder = try TemporaryFolder()
    reservation = try ClosedPort()
    port = reservation.port
    socket = "\(folder.path)/redis.sock"
    var lines =
      options + [
        "bind 127.0.0.1", "unixsocket \(socket)", "dir \(folder.path)", "appendonly no", "logfile \(folder.path)/log",
      ]
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
    let log = try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)
    throw RawServerError("redis-server did not start: \(log ?? "no log")")
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
    guard process.terminationStatus == 0 else { throw RawServerError("\(tool) failed") }
  }
}
