#if Server
  import NovaCore
  import NovaMock

  /// What responds to a call over gRPC.
  protocol GRPCCall: Sendable {
    /// Whether a request has any number of messages, and each has its response.
    var takesMany: Bool { get }
    /// Whether the request is not read, on purpose.
    var stallsWindow: Bool { get }
    /// Responds to a request with one message.
    ///
    /// - Parameter request: the message; nil if the window is stalled.
    nonisolated(nonsending) func reply(to request: [UInt8]?) async throws -> GRPCReply
    /// Responds to one of many messages.
    func response(to request: [UInt8]) throws(GRPCFailure) -> [UInt8]
  }

  extension GRPCCall {
    var takesMany: Bool { false }

    var stallsWindow: Bool { false }

    func response(to request: [UInt8]) throws(GRPCFailure) -> [UInt8] {
      throw GRPCFailure(.unimplemented, "the method takes one message")
    }
  }

  extension ContractCall: GRPCCall {
    var stallsWindow: Bool { faults.stallsWindow }
  }

  private struct HealthCall: GRPCCall {
    let service: HealthService
    let method: HealthService.Method
    let compression: GRPCCompression

    nonisolated(nonsending) func reply(to request: [UInt8]?) async throws -> GRPCReply {
      try service.reply(to: method, request ?? []) { compression.framed($0) }
    }
  }

  private struct ReflectionCall: GRPCCall {
    let service: ReflectionService
    let compression: GRPCCompression

    var takesMany: Bool { true }

    nonisolated(nonsending) func reply(to request: [UInt8]?) async throws -> GRPCReply {
      GRPCReply(body: .bytes(try response(to: request ?? [])))
    }

    func response(to request: [UInt8]) throws(GRPCFailure) -> [UInt8] {
      let room = [UInt8](repeating: 0, count: GRPCDeframer.prefixSize)
      return compression.framed(room + (try service.response(to: request)).bytes)
    }
  }

  extension Application {
    /// What responds to a call of a method.
    func call(_ method: GRPCMethod, _ head: GRPCRequestHead) -> any GRPCCall {
      switch method {
      case .rpc(let rpc): ContractCall(rpc, head, backend: backend)
      case .health(let method):
        HealthCall(service: HealthService(state: health), method: method, compression: head.replyEncoding)
      case .reflection: ReflectionCall(service: ReflectionService(pool: .shared), compression: head.replyEncoding)
      }
    }
  }
#endif
