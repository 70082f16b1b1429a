#if Server
  import NIOHPACK
  import NovaCore
  import NovaMock

  /// The response to a call over gRPC: its messages, and how it ends.
  struct GRPCReply: Sendable {
    /// The fields before the first message.
    var metadata: HTTPHeaders = [:]
    /// Messages with their prefixes.
    let body: HTTPBody
    /// What is wrong with the frames, on purpose.
    var fault: FrameFault?
    /// Why the call has failed after its messages; nil for the status OK. Asked when the body has ended.
    var failure: @Sendable () -> GRPCFailure? = { nil }
  }

  extension HPACKHeaders {
    /// The head of a response with messages.
    init(_ reply: GRPCReply, encoding: GRPCCompression) {
      self.init([(":status", "200"), ("content-type", "application/grpc")])
      if encoding != .identity { add(name: "grpc-encoding", value: encoding.rawValue) }
      add(name: "grpc-accept-encoding", value: GRPCCompression.supported)
      add(reply.metadata)
    }

    /// The trailers of a response.
    init(_ failure: GRPCFailure?) {
      self.init()
      add(failure)
    }

    /// The head of a response without messages.
    init(withoutMessages failure: GRPCFailure?, metadata: HTTPHeaders = [:]) {
      self.init([(":status", String(failure?.httpStatus ?? 200)), ("content-type", "application/grpc")])
      add(metadata)
      add(failure)
    }

    private mutating func add(_ failure: GRPCFailure?) {
      add(name: "grpc-status", value: String(failure?.status.rawValue ?? 0))
      guard let failure else { return }
      if !failure.message.isEmpty { add(name: "grpc-message", value: failure.encodedMessage) }
      if let details = failure.encodedDetails { add(name: "grpc-status-details-bin", value: details) }
      for field in failure.fields { add(name: field.name, value: field.value) }
    }

    /// Adds fields of a response over HTTP that mean something in gRPC: not those about its body.
    private mutating func add(_ metadata: HTTPHeaders) {
      for field in metadata {
        let name = field.name.lowercased()
        if Self.ofHTTP.contains(name) || name.hasPrefix("grpc-") || name.hasPrefix(":") { continue }
        add(name: name, value: field.value)
      }
    }

    private static let ofHTTP: Set = [
      "allow", "connection", "content-encoding", "content-length", "content-security-policy", "content-type",
      "keep-alive", "retry-after", "te", "trailer", "transfer-encoding", "upgrade", "www-authenticate",
      "x-content-type-options",
    ]
  }
#endif
