#if Server
  import NovaCore
  import NovaEvents
  import NovaMock

  /// A call of an RPC of the contract: decodes the request, passes it to the mock backend, and translates the response.
  struct ContractCall: Sendable {
    let rpc: RPCDescriptor
    let backend: MockBackend
    /// The path, the metadata as headers, and the limits of waits.
    let head: HTTPRequest
    /// How response messages are compressed.
    let compression: GRPCCompression
    let faults: PlannedFaults

    init(_ rpc: RPCDescriptor, _ head: GRPCRequestHead, backend: MockBackend) {
      (self.rpc, self.backend, compression) = (rpc, backend, head.replyEncoding)
      self.head = HTTPRequest(
        method: .post, url: HTTPURL(received: head.path), headers: head.metadata, limits: Application.limits)
      faults = backend.planFaults(of: rpc, self.head)
    }

    /// Responds to a request.
    ///
    /// - Parameter message: the request message in protobuf's binary format; nil if the window is stalled, and none comes.
    /// - Throws: ``FrameFault`` or ``TransportError`` if a fault prevents a response; `CancellationError`.
    nonisolated(nonsending) func reply(to message: [UInt8]?) async throws -> GRPCReply {
      let end = Locked<MockEventEnd?>(nil)
      let call = MessageCall(
        rpc, head: head, message: decoded(message ?? []), size: message?.count ?? 0, transcoder: transcoder(end))
      let reply = try await backend.answer(call, faults: faults)
      let response = reply.response
      guard reply.isEncoded else { throw GRPCFailure(reply, of: rpc.id, requestID: head.headers["x-request-id"]) }
      return GRPCReply(metadata: response.headers, body: response.body, fault: reply.fault) {
        end.withLock { $0 }.map { GRPCFailure($0) }
      }
    }

    private func decoded(_ bytes: [UInt8]) -> Result<any ProtoMessage, MockFailure> {
      do {
        return .success(try rpc.requestType.init(protobuf: bytes))
      } catch {
        return .failure(
          MockFailure(.internalError, "invalid request: it is not a \(rpc.requestType.descriptor.name): \(error)"))
      }
    }

    private func transcoder(_ end: Locked<MockEventEnd?>) -> MessageTranscoder {
      let compression = compression
      @Sendable func bytes(_ message: any ProtoMessage) throws -> [UInt8] {
        compression.framed(try message.protobuf(after: GRPCDeframer.prefixSize))
      }
      // An event that cannot be written does not exist: all come from the contract's own type.
      @Sendable func control(_ type: String, at position: String, _ text: String? = nil) -> [UInt8] {
        (try? bytes(Event(id: position, type: type, text: text))) ?? []
      }
      return MessageTranscoder(
        name: "gRPC", encode: bytes,
        encodeItem: { item in
          switch item {
          case .event(let event): return (try? bytes(event.event)) ?? []
          case .alive(let place): return control("heartbeat", at: place.position)
          case .end(let reason):
            end.withLock { $0 = reason }
            return control("end", at: "", reason.rawValue)
          }
        },
        encodeReset: { control("reset", at: $0) })
    }
  }

  extension GRPCFailure {
    /// The failure of a response over HTTP, with what HTTP has in its headers.
    init(_ reply: MessageReply, of rpc: String, requestID: String?) {
      let response = reply.response
      let json = try? JSONValue(jsonUTF8: response.body.inMemory)
      let status = reply.failure?.status ?? Self.status(of: response, json)
      self.init(status, reply.failure?.message ?? json?["message"]?.stringValue ?? "HTTP status \(response.status)")
      if let reason = reply.failure?.reason {
        details.append(.errorInfo(reason: reason, domain: MockFailure.domain, metadata: ["rpc": rpc]))
      }
      if let seconds = response.headers["Retry-After"].flatMap({ Int64($0) }) {
        details.append(.retryInfo(seconds: seconds))
      }
      if let field = reply.failure?.field {
        details.append(.badRequest(field: field.name, description: field.problem))
      }
      if let requestID {
        details.append(.requestInfo(id: requestID))
        fields.append(("x-request-id", requestID))
      }
    }

    /// The code that the body names; otherwise what proxies' statuses mean to gRPC clients.
    private static func status(of response: HTTPResponse, _ json: JSONValue?) -> GRPCStatus {
      if let code = json?["code"]?.integerValue, let status = GRPCStatus(failure: code), status != .unknown {
        return status
      }
      return [502, 503, 504].contains(response.status) ? .unavailable : .unknown
    }

    /// Why a stream of events has ended.
    init(_ end: MockEventEnd) {
      switch end {
      case .tokenExpired: self.init(.unauthenticated, "the access token has expired")
      case .tooSlow: self.init(.resourceExhausted, "the client is too slow for its events")
      default: self.init(.unavailable, "the server is restarting")
      }
      details = [.errorInfo(reason: end.rawValue.uppercased(), domain: MockFailure.domain, metadata: [:])]
    }
  }
#endif
