/// An HTTP response: its head, and a body that may still be arriving.
///
/// The responses of calls have their bodies in memory. If ``HTTPRequest/streamsResponse`` is set, the body arrives
/// while it is read.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100…599.
  public var status: Int
  /// The header fields in the order in which they arrived.
  public var headers: HTTPHeaders
  /// The body after decompression; empty if the response has no body.
  public var body: HTTPBody
  /// The redirects that the transport followed, in order.
  package var redirects: [HTTPRedirect] {
    get { followed ?? [] }
    set { followed = newValue.isEmpty ? nil : newValue }
  }
  /// Nil if there are no redirects: that is the normal case, and copying nil is cheaper than copying an empty array.
  private var followed: [HTTPRedirect]?

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a body in memory.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8]) {
    self.init(status: status, headers: headers, body: .bytes(body))
  }

  /// Whether the status is a success (200…299), and no gRPC status reports a failure.
  public var isSuccess: Bool { (200..<300).contains(status) && headers.failedGRPCStatus == nil }
}
