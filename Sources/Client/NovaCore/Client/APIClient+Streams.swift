extension APIClient {
  /// Calls a server-streaming RPC, and returns when the gateway has accepted the call.
  ///
  /// Failures are retried until then; later ones are thrown to the reader of the stream. The options' timeout, by default
  /// that of every call, bounds the time until the gateway accepts; a stream itself may last.
  ///
  /// - Throws: ``APIError``.
  public func stream<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws -> ServerStream<Response> {
    let response = try await open(rpc.descriptor, request, options: options)
    try StreamedMessages<Response>.check(response, rpc.descriptor)
    return messages(of: response, rpc)
  }

  /// Calls a server-streaming RPC of which only the descriptor is known.
  ///
  /// - Parameter request: a message of the descriptor's `requestType`.
  /// - Throws: ``APIError``.
  public func stream(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions = CallOptions()
  ) async throws -> ServerStream<any ProtoMessage> {
    let response = try await open(rpc, request, options: options)
    try StreamedMessages<any ProtoMessage>.check(response, rpc)
    let (type, usesGRPC) = (rpc.responseType, response.headers.isGRPC)
    return ServerStream(
      StreamedMessages(of: response, rpc, messageLimit: configuration.limits.maximumResponseBytes) {
        body throws(ProtoJSONError) in
        try rpc.streamed(type, from: body, usesGRPC: usesGRPC)
      })
  }

  /// The messages of a stream that ``open(_:_:headers:options:)`` has opened, in whichever form they come.
  package func messages<Request, Response>(
    of response: APIResponse<HTTPBody>, _ rpc: RPC<Request, Response>
  ) -> ServerStream<Response> {
    let (rpc, usesGRPC) = (rpc.descriptor, response.headers.isGRPC)
    return ServerStream(
      StreamedMessages(of: response, rpc, messageLimit: configuration.limits.maximumResponseBytes) {
        body throws(ProtoJSONError) in
        try rpc.streamed(Response.self, from: body, usesGRPC: usesGRPC)
      })
  }

  /// Opens a stream, and returns the response when its head is there.
  ///
  /// The gateway may be silent for as long as in every transfer, and at least for 40 seconds, because it sends a sign of
  /// life every 15 seconds.
  ///
  /// - Parameter headers: more headers of the request over HTTP. Over gRPC, the message says everything.
  /// - Throws: ``APIError``.
  package func open(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, headers: HTTPHeaders = [:], options: CallOptions
  ) async throws -> APIResponse<HTTPBody> {
    guard rpc.isServerStreaming else {
      throw APIError(.invalidArgument, "\(rpc.id) does not stream: use call", rpc: rpc.id)
    }
    let context = newContext(rpc, options)
    let limit = options.timeout ?? configuration.timeout(for: rpc)
    let end = now.advanced(by: min(limit, configuration.limits.totalTimeout))
    let timeUp = APIError(.timeout, "the server did not accept the stream within \(limit.formatted)", rpc: rpc.id)
    return try await Race.run(until: min(end, options.deadline ?? end), clock, timeUp: timeUp) {
      let (response, body) = try await self.execute(
        context, timeout: .openEnded, isOpenEnded: true,
        request: {
          var request = try self.configuration.request(request, in: context)
          if !context.usesGRPC {
            request.headers["Accept"] = StreamControl.accepted
            for field in headers.fields { request.headers[field.name] = field.value }
          }
          request.streamsResponse = true
          request.isOpenEnded = true
          request.limits.maximumResponseBytes = .max
          request.limits.idleTimeout = max(request.limits.idleTimeout, StreamControl.longestSilence)
          return request
        }, decode: CallRunner.acceptsAnyBody)
      return response.holding(body)
    }
  }
}

extension Duration {
  /// Longer than any program runs.
  static let openEnded = Duration.seconds(3_000_000_000)
}
