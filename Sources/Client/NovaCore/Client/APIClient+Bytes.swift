extension APIClient {
  /// Uploads bytes to a URL of the gateway, through the same middlewares and transport as calls.
  ///
  /// On another origin than the service's own, neither the token nor the options' headers go along.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway.
  ///   - rpc: the RPC that the upload belongs to; its service determines the gateway.
  ///   - options: without a timeout or deadline, only the limits of every transfer apply: bytes take longer than messages.
  /// - Throws: ``APIError``.
  package func put(
    _ body: HTTPBody, to url: String, headers: HTTPHeaders, for rpc: RPCDescriptor, options: CallOptions = CallOptions()
  ) async throws -> HTTPResponse {
    let place = Result { () throws(APIError) in
      let gateway = try configuration.gatewayURL(for: rpc.service)
      do throws(MediaRefusal) { return try MediaPlace(url, gateway: gateway) } catch { throw error.uploadError }
    }
    let isOnGateway = (try? place.get())?.isOnGateway ?? false
    let context = newContext(rpc, options, isForGateway: isOnGateway)
    let (response, body) = try await execute(
      context, timeout: configuration.limits.totalTimeout,
      request: {
        try place.get().put(body, headers: headers, gatewayHeaders: options.headers, limits: configuration.limits)
      }, decode: CallRunner.acceptsAnyBody)
    return response.http(body: body)
  }

  /// Requests the bytes of a URL with `GET`, through the same middlewares and transport as calls, and returns when the
  /// head of the response is there.
  ///
  /// The response has a status of 200…299, or one that answers a header of the request: 304 for `If-None-Match` or
  /// `If-Modified-Since`, 412 for `If-Match` or `If-Unmodified-Since`, 416 for `Range`. Any other is an error. Failures are
  /// retried until a head arrives; those of the body are thrown to its reader, as errors of the call. The body is as it is
  /// stored: it is requested, and left, without compression.
  ///
  /// On another origin than the service's own, neither the token nor the options' headers go along, also after a redirect.
  /// Other origins must use https or be on this machine, and must not be internal addresses.
  ///
  /// ```swift
  /// let response = try await client.get(video.cdnUrl, headers: ["Range": "bytes=0-99"], for: rpc)
  /// for try await chunk in response.value { … }
  /// ```
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway.
  ///   - headers: what describes the wanted bytes; also sent to other origins, so never a secret.
  ///   - rpc: the name of the call in errors, logs and traces; its service determines the gateway.
  ///   - limit: the largest body, in bytes. Default: any.
  ///   - options: without a timeout or deadline, only the limits of every transfer apply. They include reading the body.
  /// - Returns: the head, the report of the call, and the body. Read the body or drop it: until then, its connection is in
  ///   use, and the call is under way for ``shutdown(grace:)``.
  /// - Throws: ``APIError``.
  package func get(
    _ url: String, headers: HTTPHeaders = [:], for rpc: RPCDescriptor, limit: Int = .max,
    options: CallOptions = CallOptions()
  ) async throws -> APIResponse<HTTPBody> {
    let place = Result { () throws(APIError) in try self.place(of: url, for: rpc) }
    let isOnGateway = (try? place.get())?.isOnGateway ?? false
    var context = newContext(rpc, options, isForGateway: isOnGateway)
    context.range = headers["Range"]
    let (response, body) = try await execute(
      context, timeout: configuration.limits.totalTimeout,
      request: {
        var limits = configuration.limits
        limits.maximumResponseBytes = limit
        return try place.get().get(headers: headers, gatewayHeaders: options.headers, limits: limits)
      }, decode: CallRunner.acceptsAnyBody)
    return response.holding(body)
  }

  /// Where a URL of media leads, for ``get(_:headers:for:limit:options:)``.
  ///
  /// - Throws: ``APIError`` if nothing may be sent there.
  package func place(of url: String, for rpc: RPCDescriptor) throws(APIError) -> MediaPlace {
    let gateway = try configuration.gatewayURL(for: rpc.service)
    do { return try MediaPlace(url, gateway: gateway) } catch {
      var error = error.downloadError
      error.rpc = rpc.id
      throw error
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

extension APIClient {
  /// Waits before an operation of several requests continues after a failure that came after the head of a response,
  /// when no call can retry it.
  ///
  /// The rules are those of the calls' retries, counted from the last progress: an operation that makes progress may fail
  /// any number of times.
  ///
  /// - Parameters:
  ///   - failures: how many requests in a row have brought no progress, this one included.
  ///   - progress: when the operation last made progress.
  /// - Throws: the error, if the policy, the deadline, or the retry budget allows no other request.
  package func waitToContinue(
    after error: APIError, failures: Int, since progress: ContinuousClock.Instant, for rpc: RPCDescriptor,
    options: CallOptions
  ) async throws {
    try await runner.waitToContinue(
      after: error, failures: failures, since: Moment(progress), for: rpc, policy: options.retry ?? runner.policy,
      deadline: options.end)
  }
}
