#if GRPC
  import NovaDynamic
  import NovaSDK

  /// A call of an RPC that is not in the contract, by the descriptors of its server.
  struct ServiceCall {
    let address: ServiceAddress
    let headers: HTTPHeaders
    let ignoresUnknownFields: Bool
    /// The format of responses; nil for the RPC's default.
    let format: OutputFormat?

    /// Makes the call, and writes the responses.
    ///
    /// - Parameters:
    ///   - json: the request.
    ///   - name: its name in messages.
    func run(_ json: JSONValue, named name: String, in context: CommandContext) async throws {
      var options = context.options
      options.headers = try checkedHeaders()
      var reflection = ServiceReflection(context, options)
      let method = try await reflection.method(address.symbol)
      let request = try await encode(json, named: name, as: method.requestType, &reflection)
      let rpc = Self.rpc(method)
      guard method.isServerStreaming else {
        let response = try await context.client.call(rpc, request, options: options)
        return try context.output.writeLine(try await decode(response, of: method, &reflection), as: format ?? .json)
      }
      var isEmpty = true
      for try await response in try await context.client.stream(rpc, request, options: options) {
        isEmpty = false
        try context.output.writeLine(try await decode(response, of: method, &reflection), as: format ?? .ndjson)
        try context.output.settle()
      }
      try Task.checkCancellation()
      if isEmpty { Diagnostics.warning("the stream ended without a message") }
    }

    /// Binary metadata is Base64, with or without padding.
    private func checkedHeaders() throws -> HTTPHeaders {
      for field in headers.fields where field.name.hasSuffix("-bin") && Base64.decode(field.value) == nil {
        throw Failure("invalid --header: \(field.name.printable(to: 80)) is binary: expected Base64", .usage)
      }
      return headers
    }

    private static func rpc(_ method: SchemaMethod) -> RPC<EncodedMessage, EncodedMessage> {
      let effect: RPCEffect =
        switch method.effect {
        case .unknown: .notIdempotent
        case .noSideEffects: .noSideEffects
        case .idempotent: .idempotent
        }
      return RPC(
        service: method.service, package: method.service, method: method.name, effect: effect, http: .unbound,
        isServerStreaming: method.isServerStreaming, requiresAuthentication: false, summary: "")
    }

    private func encode(
      _ json: JSONValue, named name: String, as type: String, _ reflection: inout ServiceReflection
    ) async throws -> EncodedMessage {
      do {
        return try await reflection.encode(json, as: type, ignoringUnknownFields: ignoresUnknownFields)
      } catch let error as DynamicError {
        throw Failure(
          "\(name): \(error)", hint: "Describe the message with `nova describe \(address.server)/\(type)`.", .badData)
      }
    }

    private func decode(
      _ response: EncodedMessage, of method: SchemaMethod, _ reflection: inout ServiceReflection
    ) async throws -> JSONValue {
      do {
        return try await reflection.json(response, as: method.responseType)
      } catch let error as DynamicError {
        throw Failure("the response is not a \(method.responseType): \(error)", .badData)
      }
    }
  }
#endif
