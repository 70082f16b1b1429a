#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A Unix socket through which servers on this machine are reached, such as a sidecar in front of the gateway.
///
/// Only requests to its origins use it, and without a proxy; redirects, uploads, and downloads that lead to another origin use
/// the network. The URL, the `Host` header, and TLS remain those of the URL. The rule for tokens does not change: the URL must be
/// `https`, or name this machine, such as `http://localhost`.
public struct UnixSocket: Sendable, Hashable {
  /// The absolute path of the socket.
  public let path: String
  /// The schemes, hosts, and ports that are reached through the socket.
  public let origins: [HTTPOrigin]

  /// Creates a Unix socket. The file need not exist yet.
  ///
  /// - Parameters:
  ///   - path: absolute, at most 107 bytes (103 on macOS), the system's limit.
  ///   - origins: what is reached through the socket.
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

  /// All but the final zero byte.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
}
