public import NovaCore

/// A request to a ``MockBackend``, with its outcome. Secrets are masked everywhere.
public struct MockRequestRecord: Sendable, Hashable {
  /// The number of the request, counted from 1, including requests that are no longer stored.
  public let number: Int
  /// The time of the request in seconds since 1970.
  public let unixTime: Double
  /// The method, for example `POST`.
  public let method: String
  /// The path with its query.
  public let path: String
  /// The RPC, for example `social.CreateLike`; nil for files and unknown paths.
  public let rpc: String?
  /// The status of the response; nil if a fault prevented a response.
  public let status: Int?
  /// The duration of the call, including waits of faults.
  public let duration: Duration
  /// The `X-Request-ID` of the request.
  public let requestID: String?
  /// The fault that applied, as the rule names it.
  public let fault: String?
  /// The id of the stub that responded.
  public let stub: String?
  /// The headers of the request; nil if they are no longer stored.
  public let requestHeaders: HTTPHeaders?
  /// The headers of the response; nil if they are no longer stored.
  public let responseHeaders: HTTPHeaders?
  /// The request body, at most 4 KiB; nil if empty. For a body that is not JSON, only the size.
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
  /// - Parameter bodyLimit: the maximum size of a body. Default: 4 KiB.
  init(_ entry: LoggedRequest, bodyLimit: Int = 4096) {
    let secrets = SecretRedactor(entry.request, entry.rpc?.requestType.descriptor)
    let request = ShownBody(entry.requestBody, entry.rpc?.requestType.descriptor, secrets, limit: bodyLimit)
    let response = ShownBody(entry.responseBody, entry.rpc?.responseType.descriptor, secrets, limit: bodyLimit)
    self.init(
      number: entry.number, unixTime: entry.time, method: entry.method.rawValue, path: secrets.masked(entry.path),
      rpc: entry.rpc?.id, status: entry.status, duration: entry.duration,
      requestID: entry.requestID.map { secrets.masked($0.shortened(to: 200)) }, fault: entry.fault, stub: entry.stub,
      requestHeaders: entry.requestHeaders?.masked(secrets), responseHeaders: entry.responseHeaders?.masked(secrets),
      requestBody: request.text, responseBody: response.text, requestSize: entry.requestBody.count,
      responseSize: entry.responseBody.count, isComplete: request.isComplete && response.isComplete)
  }
}

extension LoggedRequest {
  /// The request, as far as it is stored.
  fileprivate var request: HTTPRequest {
    HTTPRequest(
      method: method, url: HTTPURL(received: path), headers: requestHeaders ?? [:], body: requestBody.bytes ?? [])
  }
}

/// A body as it may be shown.
private struct ShownBody {
  private static let unknownMessage = MessageDescriptor("", fields: [])

  let text: String?
  let isComplete: Bool

  init(_ body: LoggedBytes, _ message: MessageDescriptor?, _ secrets: SecretRedactor, limit: Int) {
    guard let bytes = body.bytes else {
      (text, isComplete) = ("\(body.count) bytes, not kept", false)
      return
    }
    let shown = LoggedBody(message ?? Self.unknownMessage, secrets, limit: limit).shown(bytes)
    (text, isComplete) = (shown?.text, shown?.isWhole ?? true)
  }
}

extension HTTPHeaders {
  /// The headers without secrets. The scheme of credentials stays: `Bearer ****`.
  fileprivate func masked(_ secrets: SecretRedactor) -> HTTPHeaders {
    HTTPHeaders(
      fields.map { field in
        guard SecretText.isSecret(name: field.name) else {
          let isToken = SecretText.looksLikeToken(field.value)
          return Field(name: field.name, value: isToken ? SecretText.mask : secrets.masked(field.value))
        }
        let scheme = ["Bearer", "Basic"].first { field.value.lowercased().hasPrefix("\($0.lowercased()) ") }
        return Field(name: field.name, value: (scheme.map { "\($0) " } ?? "") + SecretText.mask)
      })
  }
}
