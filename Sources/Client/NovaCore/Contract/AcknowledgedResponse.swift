/// A response that reports whether the server did what was requested.
public protocol AcknowledgedResponse {
  /// Whether it was done.
  var success: Bool { get }
  /// The server's message about it; may be empty.
  var message: String { get }
}

extension AcknowledgedResponse {
  public var message: String { "" }
}
