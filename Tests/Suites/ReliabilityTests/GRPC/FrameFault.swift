#if GRPC
  import NovaCore
  @testable import NovaTestSupport
  import NovaTesting

  /// A way in which a gRPC server misbehaves, in frames.
  struct FrameFault: Sendable {
    /// The moment when it occurs.
    enum Moment: Sendable {
      /// No connection is accepted.
      case never
      /// Right after accepting the connection, before reading.
      case connected
      /// After reading a call.
      case called
      /// After reading a second call on the same connection; the first one succeeds.
      case calledAgain
    }

    /// Thrown to close the connection, after the client has read what was sent.
    struct Closed: Error {}
    /// Thrown to close the connection at once.
    struct Reset: Error {}

    let name: String
    let summary: String
    var moment = Moment.called
    /// Whether the server executes the call before it fails.
    var executes = true
    /// Whether the call succeeds nevertheless.
    var isHarmless = false
    /// The window of streams that the server allows clients to send; nil for the usual one.
    var window: Int?
    let script: @Sendable (FrameCall) throws -> Void

    /// Whether only a limit of the client ends the exchange.
    var isEndless: Bool { window == 0 || Fault.all.contains { $0.name == name && $0.isEndless } }

    init(
      _ name: String, _ summary: String = "", moment: Moment = .called, executes: Bool = true, isHarmless: Bool = false,
      window: Int? = nil, script: @escaping @Sendable (FrameCall) throws -> Void
    ) {
      (self.name, self.summary, self.moment) = (name, summary, moment)
      (self.executes, self.isHarmless, self.window) = (executes, isHarmless, window)
      self.script = script
    }
  }

  /// A call that a fault answers.
  struct FrameCall {
    let raw: RawConnection
    let connection: FrameConnection
    let stream: Int
    /// The messages of the right answer, each in its frame.
    let messages: [[UInt8]]

    static let type = ("content-type", "application/grpc")
    static let ok = [("grpc-status", "0")]

    var body: [UInt8] { messages.flatMap(\.self) }

    /// The answer without the second half of its last message.
    var half: [UInt8] {
      let last = messages.last ?? []
      return messages.dropLast().flatMap(\.self) + last.prefix((last.count + 5) / 2)
    }

    /// The body, with another beginning of its last message.
    func body(prefix: [UInt8]) -> [UInt8] {
      messages.dropLast().flatMap(\.self) + prefix + (messages.last ?? []).dropFirst(prefix.count)
    }

    func sendHead(_ fields: [(String, String)] = [], status: Int = 200) throws {
      try connection.send(.fields(stream, status: status, [Self.type] + fields))
    }

    func send(_ body: [UInt8], isLast: Bool = false) throws { try connection.send(.data(stream, body, isLast: isLast)) }

    func end(_ fields: [(String, String)] = ok) throws {
      try connection.send(.fields(stream, status: nil, fields, isLast: true))
    }

    /// A whole answer.
    func answer(_ body: [UInt8]? = nil, head: [(String, String)] = [], end fields: [(String, String)] = ok) throws {
      try sendHead(head)
      try send(body ?? self.body)
      try end(fields)
    }

    /// Closes the connection, so that the client sees "connection reset".
    func reset() throws {
      raw.reset()
      throw FrameFault.Reset()
    }

    /// An answer that has only a head.
    func fail(_ fields: [(String, String)], status: Int = 200, type: String = "application/grpc") throws {
      try connection.send(.fields(stream, status: status, [("content-type", type)] + fields, isLast: true))
    }

    func fail(_ status: GRPCStatus, _ fields: [(String, String)] = []) throws {
      try fail([("grpc-status", "\(status.rawValue)"), ("grpc-message", "no")] + fields)
    }

    /// A head of any size, in as many frames as it needs.
    func sendHead(large fields: [(String, String)]) throws {
      let block = HTTP2Frame.fields(stream, status: 200, [Self.type] + fields).payload
      let size = 16_000
      for start in stride(from: 0, to: block.count, by: size) {
        let (end, kind): (Int, HTTP2Frame.Kind) = (
          min(start + size, block.count), start == 0 ? .headers : .continuation
        )
        try connection.send(
          HTTP2Frame(kind, flags: end == block.count ? 4 : 0, stream: stream, Array(block[start..<end])))
      }
    }
  }
#endif
