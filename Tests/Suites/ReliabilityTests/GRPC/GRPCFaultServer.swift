#if GRPC
  import NIOCore
  import NIOHPACK
  import NovaCore
  @testable import NovaTestSupport
  import NovaTesting

  /// A gRPC server on a loopback port, whose first call, or every call, meets a fault.
  final class GRPCFaultServer: Sendable {
    private struct State {
      var strikes = 0
      var isRefusing: Bool
      var executions: [String: Int] = [:]
      var requestCount = 0
    }

    /// A call that was read.
    struct Call {
      let path: String
      let key: String?
      let stream: Int
    }

    let fault: FrameFault?
    private let isLasting: Bool
    private let recognizesKeys: Bool
    private let state: Locked<State>
    private let server: Locked<RawServer?>

    /// - Parameters:
    ///   - fault: nil for a server that is well.
    ///   - isLasting: whether every call meets it, rather than the first.
    init(_ fault: FrameFault? = nil, isLasting: Bool = false, recognizesKeys: Bool = false) throws {
      self.fault = fault
      self.isLasting = isLasting
      self.recognizesKeys = recognizesKeys
      let refuses = fault?.moment == .never
      state = Locked(State(isRefusing: refuses))
      server = Locked(nil)
      let raw = try RawServer(listens: !refuses) { [weak self] connection in
        do { try self?.serve(connection) } catch is FrameFault.Closed { connection.finish() }
      }
      server.withLock { $0 = raw }
    }

    var url: String { "grpc://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }

    /// The keys of writes that were executed more than once.
    var duplicates: [String] { state.withLock { $0.executions.filter { $0.value > 1 }.map(\.key) } }

    func stop() { server.withLock { $0 }?.stop() }

    /// Ends a refusal.
    func beginListening() throws {
      let mayListen = state.withLock { state in
        defer { state.isRefusing = false }
        return state.isRefusing
      }
      if mayListen { try server.withLock { $0 }?.listen() }
    }

    /// Whether the fault occurs now.
    private func strikes(_ moment: FrameFault.Moment) -> Bool {
      guard let fault, fault.moment == moment else { return false }
      return state.withLock { state in
        guard isLasting || state.strikes == 0 else { return false }
        state.strikes += 1
        return true
      }
    }

    private func serve(_ raw: RawConnection) throws {
      let connection = FrameConnection(raw, Locked([]))
      if strikes(.connected) {
        try fault?.script(FrameCall(raw: raw, connection: connection, stream: 0, messages: []))
        return
      }
      guard try raw.take(24) == Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) else { return }
      let stalls = fault?.window != nil && strikes(.called)
      try connection.send(.settings(windowSize: stalls ? 0 : nil))
      if stalls { return try connection.readAll() }
      var calls = CallReader(connection)
      var count = 0
      while true {
        let call = try calls.next()
        count += 1
        state.withLock { $0.requestCount += 1 }
        let again = count > 1 && strikes(.calledAgain)
        let isStruck = again || strikes(.called)
        let replays = isStruck && fault?.executes == false ? false : execute(call)
        let frames = FrameCall(
          raw: raw, connection: connection, stream: call.stream, messages: Self.messages(of: call.path))
        if isStruck, let fault {
          try fault.script(frames)
        } else {
          try frames.answer(head: replays ? [("idempotency-replayed", "true")] : [])
        }
      }
    }

    /// - Returns: whether the answer to the same key was there already.
    private func execute(_ call: Call) -> Bool {
      guard let key = call.key else { return false }
      return state.withLock { state in
        let id = "\(call.path) \(key)"
        if recognizesKeys, state.executions[id] != nil { return true }
        state.executions[id, default: 0] += 1
        return false
      }
    }

    private static func messages(of path: String) -> [[UInt8]] {
      if path.hasSuffix("StreamEvents") { return GRPCFaultRun.events.map(framed) }
      // `is_muted`, or `success`.
      return [framed([0x08, 0x01])]
    }

    private static func framed(_ message: [UInt8]) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: GRPCFrames.prefixLength) + message
      GRPCFrames.fillPrefix(of: &bytes)
      return bytes
    }
  }

  /// Reads calls from a connection.
  private struct CallReader {
    private let connection: FrameConnection
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var heads: [Int: HPACKHeaders] = [:]

    init(_ connection: FrameConnection) { self.connection = connection }

    mutating func next() throws -> GRPCFaultServer.Call {
      while true {
        let frame = try connection.next()
        switch frame.kind {
        case .headers:
          // With the flag PRIORITY, five bytes precede the fields.
          var block = ByteBuffer(bytes: frame.payload.dropFirst(frame.flags & 0x20 == 0 ? 0 : 5))
          heads[frame.stream] = try decoder.decodeHeaders(from: &block)
        case .settings, .ping: if !frame.isLast { try connection.send(frame.acknowledgement) }
        case .goAway: throw FrameFault.Closed()
        default: break
        }
        guard frame.kind == .headers || frame.kind == .data, frame.isLast, let head = heads[frame.stream] else {
          continue
        }
        heads[frame.stream] = nil
        return GRPCFaultServer.Call(
          path: head.first(name: ":path") ?? "", key: head.first(name: "idempotency-key"), stream: frame.stream)
      }
    }
  }
#endif
