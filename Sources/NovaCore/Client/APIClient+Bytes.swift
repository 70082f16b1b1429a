extension APIClient {
  /// Puts bytes where the gateway wants them, on the way of every call: middlewares, transport, errors.
  ///
  /// On another origin than the service's own, neither the token nor the options' headers go along.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway.
  ///   - rpc: what the request counts as; its service says which gateway it is.
  ///   - options: without a timeout or deadline, only the bounds of every transfer hold: bytes take longer than messages.
  /// - Throws: ``APIError``.
  package func put(
    _ body: HTTPBody, to url: String, headers: HTTPHeaders, for rpc: RPCDescriptor, options: CallOptions = CallOptions()
  ) async throws -> HTTPResponse {
    let gateway = configuration.baseURL(for: rpc.service)
    let place = Result { () throws(UploadRefusal) in try UploadPlace(url, gateway: gateway) }.mapError(\.error)
    let isOnGateway = (try? place.get())?.isOnGateway ?? false
    let context = newContext(rpc, options, isForGateway: isOnGateway)
    let response = try await perform(context, configuration.limits.totalTimeout) {
      try place.get().put(body, headers: headers, gatewayHeaders: options.headers, limits: configuration.limits)
    } decode: { body throws(ProtoJSONError) in
      StorageAnswer(body: body)
    }
    return HTTPResponse(status: response.status, headers: response.headers, body: response.value.body)
  }

  /// The common deadline of several calls that form one operation, such as an upload: after the options' timeout or
  /// else the maximum time of a transfer, and no later than the options' deadline.
  package func sharedDeadline(_ options: CallOptions) -> ContinuousClock.Instant {
    let longest = configuration.limits.totalTimeout
    let end = now.advanced(by: min(options.timeout ?? longest, longest))
    return min(end, options.deadline ?? end)
  }
}

/// Whatever a storage answers.
private struct StorageAnswer: Sendable {
  let body: [UInt8]
}
