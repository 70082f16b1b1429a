import NovaCore

/// A request to a ``MockBackend``, with its outcome.
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
  /// The request body with secrets masked, at most 4 KiB; nil if empty. For a body that is not JSON, only the size.
  public let requestBody: String?
  /// The response body, in the same form.
  public let responseBody: String?
}

extension MockRequestRecord {
  init(_ entry: LoggedRequest) {
    self.init(
      number: entry.number, unixTime: entry.time, method: entry.method, path: entry.path.shortened(to: 2000),
      rpc: entry.rpc?.id, status: entry.status, duration: entry.duration,
      requestID: entry.requestID?.shortened(to: 200), fault: entry.fault,
      requestBody: Self.text(entry.requestBody, entry.rpc?.requestType.descriptor),
      responseBody: Self.text(entry.responseBody, entry.rpc?.responseType.descriptor))
  }

  private static let maximumBodyBytes = 4096
  private static let unknownMessage = MessageDescriptor("", fields: [])

  private static func text(_ body: LoggedBytes, _ message: MessageDescriptor?) -> String? {
    switch body {
    case .kept(let bytes): LoggedBody(message ?? unknownMessage, limit: maximumBodyBytes).text(bytes)
    case .dropped(let count): "\(count) bytes, not kept"
    }
  }
}
