import NovaCore

/// A request that a ``MockBackend`` was sent, and what came of it.
public struct MockRequestRecord: Sendable, Hashable {
  /// Counted from 1, also past those that are no longer kept.
  public let number: Int
  /// When it came, in seconds since 1970.
  public let unixTime: Double
  /// The verb, for example `POST`.
  public let method: String
  /// The path with its query.
  public let path: String
  /// The RPC, for example `social.CreateLike`; nil for files and for paths that are none.
  public let rpc: String?
  /// The status of the answer; nil when a fault left the request without one.
  public let status: Int?
  /// How long it took, waits of faults included.
  public let duration: Duration
  /// The `X-Request-ID` it came with.
  public let requestID: String?
  /// The fault that hit it, as the rule names it.
  public let fault: String?
  /// The body, secrets masked, at most 4 KiB; nil for none. Of what is not JSON it tells the size only.
  public let requestBody: String?
  /// The answer's body in the same way.
  public let responseBody: String?

  init(_ entry: LoggedRequest) {
    number = entry.number
    unixTime = entry.time
    method = entry.method
    path = entry.path.shortened(to: 2000)
    rpc = entry.rpc?.id
    status = entry.status
    duration = entry.duration
    requestID = entry.requestID?.shortened(to: 200)
    fault = entry.fault
    requestBody = Self.text(entry.requestBody, entry.rpc?.requestType.descriptor)
    responseBody = Self.text(entry.responseBody, entry.rpc?.responseType.descriptor)
  }

  private static let maximumBodyBytes = 4096
  private static let unknownMessage = MessageDescriptor("", [])

  private static func text(_ body: LoggedBytes, _ message: MessageDescriptor?) -> String? {
    switch body {
    case .kept(let bytes): LoggedBody(message ?? unknownMessage, limit: maximumBodyBytes).text(bytes)
    case .dropped(let count): "\(count) bytes, not kept"
    }
  }
}
