extension APIClient {
  /// Uploads bytes to a URL of the gateway, through the same middlewares and transport as calls.
  ///
  /// On another origin than the service's own, neither the token nor the options' headers go along.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway.
  ///   - rpc: the RPC that the upload belongs to; its service determines the gateway.
  ///   - options: without a timeout or deadline, only the bounds of every transfer hold: bytes take longer than messages.
  /// - Throws: ``APIError``.
  package func put(
    _ body: HTTPBody, to url: String, headers: HTTPHeaders, for rpc: RPCDescriptor, options: CallOptions = CallOptions()
  ) async throws -> HTTPResponse {
    let gateway = configuration.baseURL(for: rpc.service)
    let place = Result { () throws(UploadRefusal) in try UploadPlace(url, gateway: gateway) }.mapError(\.error)
    let isOnGateway = (try? place.get())?.isOnGateway ?? false
    let context = newContext(rpc, options, isForGateway: isOnGateway)
    let answer = Locked<[UInt8]>([])
    let response = try await execute(
      context, timeout: configuration.limits.totalTimeout,
      request: {
        try place.get().put(body, headers: headers, gatewayHeaders: options.headers, limits: configuration.limits)
      }, decode: Self.keep(in: answer))
    return HTTPResponse(status: response.status, headers: response.headers, body: answer.withLock { $0 })
  }

  /// Keeps the body of a response as it is.
  // Not inlined: the compiler would make another `execute` and all that it calls for a closure that it sees.
  @inline(never)
  private static func keep(in answer: Locked<[UInt8]>) -> CallRunner.Decoder {
    { body in
      answer.withLock { $0 = body }
      return nil
    }
  }

  /// The common deadline of several calls that form one operation, such as an upload: after the options' timeout or
  /// else the maximum time of a transfer, and no later than the options' deadline.
  package func sharedDeadline(_ options: CallOptions) -> ContinuousClock.Instant {
    let longest = configuration.limits.totalTimeout
    let end = now.advanced(by: min(options.timeout ?? longest, longest))
    return min(end, options.deadline ?? end)
  }
}
