public import NovaCore

/// A request to a ``MockBackend``, with its outcome. Secrets are masked everywhere.
public struct MockRequestRecord: Sendable, Hashable {
  /// The number of the request, counted from 1, including requests that are no longer stored.
  public let number: Int
  /// The time of the request in seconds since 1970.
  public let unixTime: Double
  /// The protocol of the call: `HTTP` or `gRPC`.
  public let protocolName: String
  /// The method, for example `POST`.
  public let method: String
  /// The path with its query.
  public let path: String
  /// The RPC, for example `social.CreateLike`; nil for files and unknown paths.
  public let rpc: String?
  /// The status of the response, over gRPC the one that corresponds to it in HTTP; nil if a fault prevented a response.
  public let status: Int?
  /// The duration of the call, including waits of faults.
  public let duration: Duration
  /// The `X-Request-ID` of the request.
  public let requestID: String?
  /// The fault that applied, as the rule names it.
  public let fault: String?
  /// The id of the stub that responded.
  public let stub: String?
  /// Why a server refused the request before it became a call, for example because it came from another web page; nil for
  /// calls.
  public let refusal: String?
  /// Where the response comes from, `gateway` or `recording`; nil for the backend and its stubs.
  package let origin: String?
  /// Why nothing was prepared for the request: what differs from the closest recorded one, or that no RPC has its path; nil
  /// if something was.
  package let unmatched: String?
  /// The headers of the request; nil if they are no longer stored.
  public let requestHeaders: HTTPHeaders?
  /// The headers of the response; nil if they are no longer stored.
  public let responseHeaders: HTTPHeaders?
  /// The request body, at most 4 KiB; nil if empty. For a body that is not JSON or larger than 64 KiB, only the size.
  public let requestBody: String?
  /// The response body, in the same form.
  public let responseBody: String?
  /// The size of the request body in bytes.
  public let requestSize: Int
  /// The size of the response body in bytes.
  public let responseSize: Int
  /// Whether ``requestBody`` and ``responseBody`` are the bodies, and not only their beginning or size.
  package let isComplete: Bool
}

extension MockRequestRecord {
  /// A record for a list, with the beginning of the path and the bodies.
  init(_ entry: LoggedRequest) { self.init(entry, entry.secrets, limits: .list) }

  /// - Parameter secrets: those of the entry, see ``LoggedRequest/secrets``.
  init(_ entry: LoggedRequest, _ secrets: SecretRedactor, limits: ShownLimits) {
    let path = entry.path.masked(secrets)
    let isWhole = path.utf8.count <= limits.path
    let http = entry.protocolName == "HTTP" ? entry.rpc?.http : nil
    let request = ShownBody(
      entry.requestBody, of: entry.rpc?.requestType, field: http?.bodyField, hiding: secrets, limits: limits)
    let response = ShownBody(
      entry.responseBody, of: entry.rpc?.responseType, field: http?.responseField, hiding: secrets,
      limits: limits)
    self.init(
      number: entry.number, unixTime: entry.time, protocolName: entry.protocolName, method: entry.method.rawValue,
      path: isWhole ? path : path.shortened(to: limits.path),
      rpc: entry.rpc?.id, status: entry.status, duration: entry.duration,
      requestID: entry.requestID.map { secrets.shown($0).shortened(to: 200) },
      fault: entry.fault.map { $0.shortened(to: limits.path) }, stub: entry.stub,
      refusal: entry.refusal.map { secrets.shown($0).shortened(to: limits.path) },
      origin: entry.origin?.rawValue, unmatched: entry.unmatched,
      requestHeaders: entry.requestHeaders?.masked(secrets), responseHeaders: entry.responseHeaders?.masked(secrets),
      requestBody: request.text, responseBody: response.text, requestSize: entry.requestBody.count,
      responseSize: entry.responseBody.count, isComplete: isWhole && request.isComplete && response.isComplete)
  }
}

/// How much of a request is shown.
struct ShownLimits {
  /// The maximum size of a path.
  let path: Int
  /// The maximum size of a body.
  let body: Int
  /// Larger bodies are shown as their size, because masking takes long.
  let cutBody: Int

  static let list = ShownLimits(path: 2000, body: 4096, cutBody: 64 << 10)
  /// Everything that is stored.
  static let all = ShownLimits(path: .max, body: LoggedBytes.largest, cutBody: LoggedBytes.largest)
}

/// A body as it may be shown.
private struct ShownBody {
  let text: String?
  let isComplete: Bool

  init(
    _ body: LoggedBytes, of message: (any ProtoMessage.Type)?, field: String?, hiding secrets: SecretRedactor,
    limits: ShownLimits
  ) {
    guard let bytes = body.bytes else {
      (text, isComplete) = ("\(body.count) bytes, not kept", false)
      return
    }
    guard bytes.count <= limits.cutBody else {
      (text, isComplete) = ("\(body.count) bytes, not shown in the list", false)
      return
    }
    let shown = LoggedBody(message, field: field, secrets, limit: limits.body).shown(bytes)
    (text, isComplete) = (shown?.text, shown?.isWhole ?? true)
  }
}
