internal import Foundation
import NovaCore
import NovaTesting

/// An HTTP/2 server over TLS that sends the frames of a test: `openssl s_server`, which serves one connection after another.
public final class HTTP2Server: @unchecked Sendable {
  // Sendable because only the reader's thread changes what is not behind a lock.
  /// A request that has come whole.
  public struct Request: Sendable, Equatable {
    /// The number of its connection, from 1 on.
    public let connection: Int
    /// The number of its stream.
    public let stream: Int
  }

  /// The frames to send for a request.
  public typealias Script = @Sendable (_ request: Request) -> [UInt8]

  /// The port on `localhost`.
  public let port: Int
  /// The authority's certificate in PEM form.
  public let caFile: String

  /// Keeps the port from other programs, which take any free port.
  private let reservation: ClosedPort
  private let directory: URL
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private let script: Script
  private let received = Locked<[Request]>([])
  private var buffer: [UInt8] = []
  private var connection = 0

  /// The requests so far.
  public var requests: [Request] { received.withLock { $0 } }

  /// Starts the server and waits until it accepts connections.
  public init(_ script: @escaping Script) throws {
    self.script = script
    let openssl = try NginxServer.find("openssl")
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-h2-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try TestCertificates(openssl: openssl, directory: directory).make(nil)
    caFile = directory.appendingPathComponent("ca.pem").path
    reservation = try ClosedPort()
    port = reservation.port
    process.executableURL = URL(fileURLWithPath: openssl)
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key", "-alpn", "h2", "-quiet",
    ]
    process.currentDirectoryURL = directory
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    Thread.detachNewThread { [self] in read() }
    for _ in 0..<1000 where process.isRunning {
      if RawSocket.accepts(port: port) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    stop()
    throw RawServerError("openssl s_server did not start")
  }

  /// Ends the server and removes its files.
  public func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }

  private func read() {
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return }
      buffer += data
      while let answer = takeFrame() { if !answer.isEmpty { input.fileHandleForWriting.write(Data(answer)) } }
    }
  }

  /// Takes the first frame, or the preface of a connection.
  ///
  /// - Returns: what to send; nil if the frame is not whole.
  private func takeFrame() -> [UInt8]? {
    if buffer.starts(with: Array("PRI".utf8)) {
      guard buffer.count >= 24 else { return nil }
      buffer.removeFirst(24)
      connection += 1
      return Self.frame(.settings)
    }
    guard buffer.count >= 9 else { return nil }
    let length = buffer[0..<3].reduce(0) { $0 << 8 | Int($1) }
    guard buffer.count >= 9 + length else { return nil }
    let (type, flags) = (buffer[3], buffer[4])
    let stream = buffer[5..<9].reduce(0) { $0 << 8 | Int($1) }
    buffer.removeFirst(9 + length)
    if type == Frame.settings.rawValue, flags & 1 == 0 { return Self.frame(.settings, flags: 1) }
    guard type <= Frame.headers.rawValue, flags & 1 == 1 else { return [] }
    let request = Request(connection: connection, stream: stream)
    received.withLock { $0.append(request) }
    return script(request)
  }
}

extension HTTP2Server {
  private enum Frame: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case goAway = 7
  }

  private static func frame(_ type: Frame, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
    Array(bytes(payload.count)[1...]) + [type.rawValue, flags] + bytes(stream) + payload
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// A GOAWAY.
  public static func goAway(lastStream: Int, error: Int = 0) -> [UInt8] {
    frame(.goAway, bytes(lastStream) + bytes(error))
  }

  /// A RST_STREAM.
  public static func reset(_ stream: Int, error: Int) -> [UInt8] { frame(.reset, stream: stream, bytes(error)) }

  /// A response with status 200.
  public static func answer(_ stream: Int, body: String = "{}") -> [UInt8] {
    frame(.headers, flags: 4, stream: stream, [0x88]) + frame(.data, flags: 1, stream: stream, Array(body.utf8))
  }
}
