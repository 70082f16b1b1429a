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
    _ bytes: [UInt8], to url: String, headers: HTTPHeaders, for rpc: RPCDescriptor, options: CallOptions = CallOptions()
  ) async throws -> HTTPResponse {
    let place = Result { try UploadPlace(url, gateway: configuration.baseURL(for: rpc.service)) }
    let isOnGateway = (try? place.get())?.isOnGateway ?? false
    let context = newContext(rpc, options, isForGateway: isOnGateway)
    let response = try await perform(context, configuration.limits.totalTimeout) {
      let url = try place.get().url
      var all = isOnGateway ? options.headers : [:]
      for field in headers { all[field.name] = field.value }
      var request = HTTPRequest(method: .put, url: url, headers: all, body: bytes, limits: configuration.limits)
      request.isForStorage = !isOnGateway
      return request
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

/// Where bytes go.
private struct UploadPlace {
  let url: String
  let isOnGateway: Bool

  init(_ text: String, gateway: String) throws {
    // `//host/path` is a path to some and another host to others.
    if text.hasPrefix("/"), !text.hasPrefix("//") {
      url = gateway + text
      isOnGateway = true
      if (try? HTTPURL(url)) == nil { throw Self.refusal }
      return
    }
    guard let target = try? HTTPURL(text) else { throw Self.refusal }
    let gateway = try HTTPURL(gateway)
    url = target.text
    isOnGateway = target.hasSameOrigin(as: gateway)
    if !isOnGateway { try Self.checkStorage(target) }
  }

  /// Requires encryption for bytes that leave this machine, and refuses addresses that are internal to a network.
  private static func checkStorage(_ target: HTTPURL) throws {
    guard !NetworkHost.isNeverStorage(target.host) else {
      throw APIError(
        .invalidResponse,
        "the gateway wants the bytes at \(target.place), \(NetworkHost.neverStorage); no byte was sent")
    }
    guard target.isSecure || target.isLoopback else {
      throw APIError(
        .insecureConnection,
        "the gateway wants the bytes at \(target.place), which is neither https nor this machine; no byte was sent")
    }
  }

  private static let refusal = APIError(
    .invalidResponse, "expected an absolute http or https URL, or a path, for the bytes; no byte was sent")
}

/// Whatever a storage answers.
private struct StorageAnswer: Sendable {
  let body: [UInt8]
}
