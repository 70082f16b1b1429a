import NovaCore
import NovaTesting

/// A server that reads and writes frames of HTTP/2 by a script, for behavior that a proper server does not have.
public final class FrameServer: Sendable {
  /// What to do with one connection; it is closed when the script returns or throws.
  public typealias Script = @Sendable (FrameConnection) throws -> Void

  private let server: RawServer
  private let seen = Locked<[HTTP2Frame]>([])

  /// The port on 127.0.0.1.
  public var port: Int { server.port }
  /// How many connections were accepted.
  public var connectionCount: Int { server.connectionCount }
  /// How many of them are open.
  public var openConnectionCount: Int { server.openConnectionCount }
  /// All frames of clients, in order.
  public var frames: [HTTP2Frame] { seen.withLock { $0 } }
  /// The codes of the RST_STREAM frames of clients.
  public var resets: [Int] { frames.filter { $0.kind == .reset }.map { $0.number() } }

  /// Starts listening.
  ///
  /// - Parameter script: runs after the preface of a client was read.
  public init(_ script: @escaping Script) throws {
    let seen = seen
    server = try RawServer { raw in
      let connection = FrameConnection(raw, seen)
      guard try raw.take(24) == Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) else { return }
      // A client may still acknowledge something.
      defer { raw.finish() }
      try script(connection)
    }
  }

  public func waitForConnections(_ count: Int) async { await server.waitForConnections(count) }
  public func waitUntilIdle() async { await server.waitUntilIdle() }
  public func stop() { server.stop() }
}

/// One connection of a ``FrameServer``.
public final class FrameConnection: Sendable {
  /// Counts from 1.
  public var number: Int { raw.number }
  private let raw: RawConnection
  private let seen: Locked<[HTTP2Frame]>

  init(_ raw: RawConnection, _ seen: Locked<[HTTP2Frame]>) { (self.raw, self.seen) = (raw, seen) }

  public func send(_ frames: HTTP2Frame...) throws { try raw.write(frames.flatMap(\.bytes)) }

  public func send(_ bytes: [UInt8]) throws { try raw.write(bytes) }

  /// The next frame; throws at the end.
  public func next() throws -> HTTP2Frame {
    let head = try raw.take(9)
    let size = head[..<3].reduce(0) { $0 << 8 | Int($1) }
    let stream = head[5...].reduce(0) { $0 << 8 | Int($1) }
    let frame = HTTP2Frame(type: head[3], flags: head[4], stream: stream, try raw.take(size))
    seen.withLock { $0.append(frame) }
    return frame
  }

  /// Reads until a frame of this kind arrives. Acknowledges settings and pings before that.
  public func next(_ kind: HTTP2Frame.Kind) throws -> HTTP2Frame {
    while true {
      let frame = try next()
      if frame.kind == kind, !(kind == .settings && frame.isLast) { return frame }
      try acknowledge(frame)
    }
  }

  private func acknowledge(_ frame: HTTP2Frame) throws {
    if frame.kind == .settings || frame.kind == .ping, !frame.isLast { try send(frame.acknowledgement) }
  }

  /// Reads until a request is whole, and returns its stream.
  public func nextRequest() throws -> Int {
    while true {
      let frame = try next()
      if frame.kind == .data || frame.kind == .headers, frame.isLast { return frame.stream }
      try acknowledge(frame)
    }
  }

  /// Sends a whole response.
  public func answer(
    _ stream: Int, _ body: [UInt8] = [1, 2, 3], trailers: [(String, String)] = [("grpc-status", "0")]
  ) throws {
    try send(.fields(stream), .data(stream, body), .fields(stream, status: nil, trailers, isLast: true))
  }

  /// Answers every request until the client leaves.
  public func answerAll() throws {
    while true { try answer(nextRequest()) }
  }

  /// How much the client has opened a window beyond its first size, as far as its frames were read.
  public func openedWindow(of stream: Int = 0) -> Int {
    seen.withLock { frames in
      frames.reduce(0) { $0 + ($1.kind == .windowUpdate && $1.stream == stream ? $1.number() : 0) }
    }
  }

  /// Reads frames until the client leaves.
  public func readAll() throws {
    while true { try acknowledge(next()) }
  }
}
