#if GRPC
  import NovaCore
  @testable import NovaTestSupport
  import NovaTesting

  extension FrameFault {
    /// Faults that exist only over gRPC.
    static let ofGRPC = statusFaults + messageFaults + streamFaults

    private static let statusFaults = [
      FrameFault("no-trailers", "The answer ends after its messages, without a status.") { call in
        try call.sendHead()
        try call.send(call.body, isLast: true)
      },
      FrameFault("empty-trailers", "The trailers have no status.") { try $0.answer(end: [("x-empty", "1")]) },
      FrameFault("unreadable-status", "The status is no number.") { try $0.answer(end: [("grpc-status", "soon")]) },
      FrameFault("trailers-only", "The answer is only a head, with the status OK and no message.") {
        try $0.fail([("grpc-status", "0")])
      },
      FrameFault("status-after-message", "The status after the messages is UNAVAILABLE.") {
        try $0.answer(end: [("grpc-status", "14"), ("grpc-message", "restarting")])
      },
      FrameFault("retry-info", "UNAVAILABLE with a RetryInfo of 50 ms.", executes: false) {
        try $0.fail(.unavailable, [("grpc-status-details-bin", retryInfo)])
      },
      FrameFault("wrong-content-type", "The content type is not gRPC's, and the rest is right.") { call in
        try call.connection.send(.fields(call.stream, [("content-type", "application/json")]))
        try call.send(call.body)
        try call.end()
      },
    ]

    /// `google.rpc.Status` with a `RetryInfo`.
    private static let retryInfo: String = {
      func bytes(_ number: UInt8, _ value: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(value.count)] + value }
      let duration: [UInt8] = [0x10] + [0x80, 0xE1, 0xEB, 0x17]
      let any = bytes(1, Array("type.googleapis.com/google.rpc.RetryInfo".utf8)) + bytes(2, bytes(1, duration))
      return String(decoding: Base64.encode([0x08, 14] + bytes(3, any)), as: UTF8.self)
    }()

    private static let messageFaults = [
      FrameFault("truncated-message", "Half of the last message is missing, and the status is OK.") {
        try $0.answer($0.half)
      },
      FrameFault("bad-prefix", "A message begins with an unknown flag.") { try $0.answer($0.body(prefix: [0xFF])) },
      FrameFault("compressed", "A message is compressed, which was not asked for.") {
        try $0.answer($0.body(prefix: [1]), head: [("grpc-encoding", "gzip")])
      },
      FrameFault("long-message", "A message has 4 GiB by its prefix, and ends after some bytes.") {
        try $0.answer($0.body(prefix: [0, 0xFF, 0xFF, 0xFF, 0xFF]))
      },
      FrameFault("undecodable-message", "A message cannot be decoded.") {
        try $0.answer($0.messages.dropLast().flatMap(\.self) + [0, 0, 0, 0, 2, 0x0A, 0x64])
      },
    ]

    private static let streamFaults = [
      FrameFault("goaway-before", "GOAWAY excludes the call, which is not processed.", executes: false) { call in
        try call.connection.send(.goAway(max(0, call.stream - 2)))
        throw Closed()
      },
      FrameFault("goaway-after", "GOAWAY includes the call, and the connection ends without an answer.") { call in
        try call.connection.send(.goAway(call.stream))
        throw Closed()
      },
      FrameFault("goaway-drains", "GOAWAY includes the call, which is answered.", isHarmless: true) { call in
        try call.connection.send(.goAway(call.stream))
        try call.answer()
      },
      reset("rst-refused", code: 7, "REFUSED_STREAM", executes: false),
      reset("rst-internal", code: 2, "INTERNAL_ERROR"),
      reset("rst-cancel", code: 8, "CANCEL"), reset("rst-enhance-your-calm", code: 11, "ENHANCE_YOUR_CALM"),
      FrameFault("rst-after-message", "The messages arrive, and then RST_STREAM with NO_ERROR in place of a status.") {
        call in
        try call.sendHead()
        try call.send(call.body)
        try call.connection.send(.reset(call.stream, 0))
      },
      FrameFault("close-after-message", "The messages arrive, and then the connection ends.") { call in
        try call.sendHead()
        try call.send(call.body)
        throw Closed()
      },
      FrameFault(
        "stalled-window", "The server allows no byte of a message, and never does.", executes: false, window: 0
      ) { _ in },
    ]

    private static func reset(_ name: String, code: Int, _ text: String, executes: Bool = true) -> FrameFault {
      FrameFault(name, "RST_STREAM with \(text).", executes: executes) {
        try $0.connection.send(.reset($0.stream, code))
      }
    }
  }
#endif
