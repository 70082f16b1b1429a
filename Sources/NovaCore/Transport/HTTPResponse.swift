/// A complete HTTP response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100…599.
  public var status: Int
  /// The header fields in the order in which they came.
  public var headers: HTTPHeaders
  /// The body after decompression; empty for none.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the status says success (200…299).
  public var isSuccess: Bool { (200..<300).contains(status) }
}
