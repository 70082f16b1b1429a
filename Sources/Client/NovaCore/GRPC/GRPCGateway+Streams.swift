#if GRPC
  import NovaSupport

  /// The messages of a stream over gRPC as server-sent events.
  struct EventsOfFrames: AsyncSequence, Sendable {
    let chunks: HTTPBodyStream
    let rpc: RPCDescriptor

    struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var chunks: HTTPBody.AsyncIterator
      fileprivate let rpc: RPCDescriptor
      fileprivate var frames = GRPCFrames(limit: .max)

      mutating func next() async throws -> [UInt8]? {
        while let chunk = try await chunks.next() {
          frames.append(chunk)
          var text: [UInt8] = []
          while let message = try frames.next() { text += try EventsOfFrames.event(message, rpc) }
          if !text.isEmpty { return text }
        }
        if frames.isInsideMessage { throw GRPCViolation.incomplete }
        return nil
      }

    }

    /// All events of a stream in memory. An incomplete message at its end is left out.
    static func text(of bytes: [UInt8], _ rpc: RPCDescriptor) throws -> [UInt8] {
      var frames = GRPCFrames(limit: .max)
      frames.append(bytes)
      var text: [UInt8] = []
      while let message = try frames.next() { text += try event(message, rpc) }
      return text
    }

    private static func event(_ bytes: [UInt8], _ rpc: RPCDescriptor) throws -> [UInt8] {
      let message = try rpc.responseType.init(protobuf: bytes)
      let json = try message.jsonUTF8(rpc.http.json(includesDefaults: false))
      let value = try JSONValue(jsonUTF8: json)
      let (id, type) = (value["id"]?.stringValue ?? "", value["type"]?.stringValue ?? "")
      var lines = id.isEmpty ? "" : "id: \(id)\n"
      if rpc.responseType.descriptor.field(named: "type") != nil, type.isEmpty || type == GRPCGateway.heartbeat {
        return Array((":\n" + lines + "\n").utf8)
      }
      if !type.isEmpty { lines += "event: \(type)\n" }
      let data = type == StreamControl.end.rawValue ? ["reason": value["text"] ?? ""] : value
      return Array("\(lines)data: \(String(decoding: data.jsonUTF8, as: UTF8.self))\n\n".utf8)
    }

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(chunks: HTTPBody.stream(chunks).makeAsyncIterator(), rpc: rpc)
    }
  }

  /// Server-sent events as the messages of a stream over gRPC, which fails when they report the end.
  struct FramesOfEvents: AsyncSequence, Sendable {
    let chunks: HTTPBody
    let rpc: RPCDescriptor

    struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var chunks: HTTPBody.AsyncIterator
      fileprivate let rpc: RPCDescriptor
      fileprivate var parser = ServerSentEventParser()
      fileprivate var failure: FailureInTrailers?

      mutating func next() async throws -> [UInt8]? {
        if let failure { throw failure }
        while let chunk = try await chunks.next() {
          var frames: [UInt8] = []
          for item in try parser.parse(chunk) { frames += try frame(item) }
          if !frames.isEmpty { return frames }
          if let failure { throw failure }
        }
        return nil
      }

      private mutating func frame(_ item: ServerSentEventItem) throws -> [UInt8] {
        switch item {
        case .retry: return []
        case .comment: return try frame(["type": .string(GRPCGateway.heartbeat)])
        case .id(let id): return try frame(["id": .string(id), "type": .string(GRPCGateway.heartbeat)])
        case .event(let event):
          let data = try JSONValue(jsonUTF8: Array(event.data.utf8))
          switch StreamControl(rawValue: event.type) {
          case .reset: return try frame(["id": data["id"] ?? .string(event.id), "type": "reset"])
          case .end:
            let reason = data["reason"]?.stringValue ?? ""
            failure = GRPCGateway.failure(endedBy: reason)
            return try frame(["type": "end", "text": .string(reason)])
          case nil where event.type == "error":
            let status = GRPCStatus(describedIn: data) ?? .unknown
            failure = FailureInTrailers(
              headers: GRPCGateway.failure(status, data["message"]?.stringValue ?? "").headers)
            return []
          case nil: return try frame(data)
          }
        }
      }

      private func frame(_ json: JSONValue) throws -> [UInt8] {
        let message = try rpc.responseType.init(jsonUTF8: json.jsonUTF8)
        var bytes = try message.protobuf(after: GRPCFrames.prefixLength)
        GRPCFrames.fillPrefix(of: &bytes)
        return bytes
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator(), rpc: rpc) }
  }

  extension GRPCGateway {
    /// The type of an event that only shows that the server is alive.
    fileprivate static let heartbeat = "heartbeat"

    /// The failure at the end of a stream that the server ends for a reason.
    fileprivate static func failure(endedBy reason: String) -> FailureInTrailers {
      let status: GRPCStatus =
        switch reason {
        case "token_expired": .unauthenticated
        case "too_slow": .resourceExhausted
        default: .unavailable
        }
      return FailureInTrailers(headers: failure(status, "the stream has ended: \(reason)").headers)
    }
  }
#endif
