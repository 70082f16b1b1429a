internal import NovaLibc

/// A Unix socket that connects to servers on this machine, such as a sidecar in front of the gateway.
///
/// Only requests to its origins use it, without a proxy. Redirects, uploads, and downloads to another origin use the
/// network. The URL, the `Host` header, and TLS are not affected. Neither is the rule for tokens: the URL must be
/// `https`, or name this machine, such as `http://localhost`.
public struct UnixSocket: Sendable, Hashable {
  /// The absolute path of the socket.
  public let path: String
  /// The schemes, hosts, and ports that are reached through the socket.
  public let origins: [HTTPOrigin]

  /// Creates a Unix socket. The file need not exist yet.
  ///
  /// - Parameters:
  ///   - path: an absolute path of at most 107 bytes (103 on macOS), the system's limit.
  ///   - origins: the origins that are reached through the socket.
  /// - Throws: ``HTTPURLError`` for another path.
  public init(path: String, for origins: [HTTPOrigin]) throws(HTTPURLError) {
    guard Self.isValid(path: path) else { throw HTTPURLError("expected \(Self.expectation)") }
    self.path = path
    self.origins = origins
  }

  package static var expectation: String { "the absolute path of a Unix socket, at most \(longestPath) bytes" }

  package static func isValid(path: String) -> Bool {
    path.hasPrefix("/") && path.utf8.count <= longestPath && !path.utf8.contains(0)
  }

  /// All bytes except the final zero.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
}
