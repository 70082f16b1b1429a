/// Where the bytes of media go or come from: the one rule for every URL that a gateway returns for them.
package struct MediaPlace: Sendable {
  /// The absolute URL.
  package let url: HTTPURL
  /// Whether it has the gateway's own origin. Anything else is a storage.
  package let isOnGateway: Bool

  /// Checks what a gateway returned.
  ///
  /// - Parameters:
  ///   - text: absolute, or a path on the gateway.
  ///   - gateway: the base URL of the gateway.
  package init(_ text: String, gateway: HTTPURL) throws(MediaRefusal) {
    do { url = try HTTPURL(parsing: HTTPURL.encodingTarget(of: text), pathsOn: gateway) } catch {
      throw .unusable(error.reason)
    }
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

  /// The request that reads bytes from there. Its response is streamed, and its bytes are those that are stored:
  /// ranges count them before any decompression.
  ///
  /// - Parameters:
  ///   - headers: what describes the wanted bytes, such as `Range`; a redirect to another origin gets them, too.
  ///   - gatewayHeaders: what only the gateway may see.
  package func get(headers: HTTPHeaders, gatewayHeaders: HTTPHeaders, limits: TransferLimits) -> HTTPRequest {
    var all = isOnGateway ? gatewayHeaders : [:]
    for field in headers { all[field.name] = field.value }
    all["Accept-Encoding"] = "identity"
    var request = HTTPRequest(method: .get, url: url, headers: all, limits: limits)
    request.isForStorage = !isOnGateway
    request.redirectsToStorage = true
    request.streamsResponse = true
    request.decompressesResponse = false
    return request
  }

  /// Requires encryption for bytes that leave this machine, and refuses addresses that are internal to a network.
  private static func checkStorage(_ target: HTTPOrigin) throws(MediaRefusal) {
    guard !NetworkHost.isNeverStorage(target.host) else {
      throw .internalAddress("\(target.place), \(NetworkHost.neverStorage)")
    }
    guard target.protectsSecrets else {
      throw .unencrypted("\(target.place), which is neither https nor this machine")
    }
  }
}

/// Why nothing is sent to the place that a gateway returned. The texts contain a host and a port at most, never a
/// URL, which can contain secrets.
package enum MediaRefusal: Error, Sendable {
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

  /// The same for a program that uploads with the SDK.
  var uploadError: APIError {
    switch self {
    case .unusable:
      APIError(.invalidResponse, "expected an absolute http or https URL, or a path, for the bytes; no byte was sent")
    case .internalAddress(let place):
      APIError(.invalidResponse, "the gateway wants the bytes at \(place); no byte was sent")
    case .unencrypted(let place):
      APIError(.insecureConnection, "the gateway wants the bytes at \(place); no byte was sent")
    }
  }

  /// The same for a program that downloads.
  var downloadError: APIError {
    switch self {
    case .unusable(let problem):
      APIError(
        .invalidURL, "cannot download", reason: problem,
        advice: "expected an absolute http or https URL, or a path on the gateway")
    case .internalAddress(let place):
      APIError(.invalidURL, "cannot download", reason: "the URL leads to \(place)", sent: .nothing)
    case .unencrypted(let place):
      APIError(
        .insecureConnection, "cannot download", reason: "the URL leads to \(place)", sent: .nothing,
        advice: "use an https URL")
    }
  }
}
