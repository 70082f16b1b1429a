/// Where the bytes of an upload go: the one rule for every URL that a gateway returns for them.
package struct UploadPlace: Sendable {
  /// The absolute URL.
  package let url: HTTPURL
  /// Whether it has the gateway's own origin. Anything else is a storage.
  package let isOnGateway: Bool

  /// Checks what a gateway returned.
  ///
  /// - Parameters:
  ///   - text: absolute, or a path on the gateway.
  ///   - gateway: the base URL of the gateway.
  package init(_ text: String, gateway: HTTPURL) throws(UploadRefusal) {
    // `//host/path` is a path to some and another host to others.
    if text.hasPrefix("/"), !text.hasPrefix("//") {
      url = try Self.parse(gateway.text + text)
      isOnGateway = true
      return
    }
    url = try Self.parse(text)
    isOnGateway = url.origin == gateway.origin
    if !isOnGateway { try Self.checkStorage(url.origin) }
  }

  /// The request that sends bytes there.
  ///
  /// - Parameters:
  ///   - headers: what describes the bytes.
  ///   - gatewayHeaders: what only the gateway may see; a storage does not get it.
  package func put(
    _ body: HTTPBody, headers: HTTPHeaders, gatewayHeaders: HTTPHeaders, limits: TransferLimits
  ) -> HTTPRequest {
    var all = isOnGateway ? gatewayHeaders : [:]
    for field in headers { all[field.name] = field.value }
    var request = HTTPRequest(method: .put, url: url, headers: all, body: body, limits: limits)
    request.isForStorage = !isOnGateway
    return request
  }

  private static func parse(_ text: String) throws(UploadRefusal) -> HTTPURL {
    do { return try HTTPURL(parsing: text) } catch { throw .unusable(error.reason) }
  }

  /// Requires encryption for bytes that leave this machine, and refuses addresses that are internal to a network.
  private static func checkStorage(_ target: HTTPOrigin) throws(UploadRefusal) {
    guard !NetworkHost.isNeverStorage(target.host) else {
      throw .internalAddress("\(target.place), \(NetworkHost.neverStorage)")
    }
    guard target.protectsSecrets else {
      throw .unencrypted("\(target.place), which is neither https nor this machine")
    }
  }
}

/// Why no byte is sent to the place that a gateway returned. The texts hold a host and a port at most, never a URL,
/// which may hold secrets.
package enum UploadRefusal: Error, Sendable {
  /// Neither a path nor a URL that can be used, and what is wrong with it.
  case unusable(String)
  /// An address or a name that is internal to a network.
  case internalAddress(String)
  /// Another machine without encryption.
  case unencrypted(String)

  /// What the gateway returned and why it is refused, as a phrase.
  package var description: String {
    switch self {
    case .unusable(let problem): "neither a path nor a URL for the bytes: \(problem)"
    case .internalAddress(let place), .unencrypted(let place): place
    }
  }

  /// The same for a program that called the SDK.
  var error: APIError {
    switch self {
    case .unusable:
      APIError(.invalidResponse, "expected an absolute http or https URL, or a path, for the bytes; no byte was sent")
    case .internalAddress(let place):
      APIError(.invalidResponse, "the gateway wants the bytes at \(place); no byte was sent")
    case .unencrypted(let place):
      APIError(.insecureConnection, "the gateway wants the bytes at \(place); no byte was sent")
    }
  }
}
