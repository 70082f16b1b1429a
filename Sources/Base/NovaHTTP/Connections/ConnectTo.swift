/// Connects to another server than the one that a host and port resolve to.
///
/// The URL, the `Host` header, and the name in the server's certificate remain those of the host, as with curl's
/// `--connect-to`.
///
/// ```swift
/// let canary = try ConnectTo(parsing: "api.nova.social:443:10.1.2.3:8443")
/// let transport = CurlTransport(options: .init(connectTo: [canary]))
/// ```
public struct ConnectTo: Sendable, Hashable, CustomStringConvertible {
  /// The host of the URL in lower case; an IPv6 address has brackets.
  public let host: String
  /// The port of the URL, 1 to 65535.
  public let port: Int
  /// The host to connect to; an IPv6 address has brackets.
  public let targetHost: String
  /// The port to connect to, 1 to 65535.
  public let targetPort: Int

  /// Parses `host:port:target:port`, with IPv6 addresses in brackets.
  ///
  /// - Throws: ``HTTPURLError`` if a part is missing or invalid, or if it redirects this machine (`localhost`), which
  ///   may receive tokens unencrypted, to another machine.
  public init(parsing text: String) throws(HTTPURLError) {
    var rest = text[...]
    guard let (host, port) = Self.takeAuthority(&rest), rest.first == ":" else {
      throw HTTPURLError("expected \(Self.expectation)")
    }
    rest.removeFirst()
    guard let (targetHost, targetPort) = Self.takeAuthority(&rest), rest.isEmpty else {
      throw HTTPURLError("expected \(Self.expectation)")
    }
    guard !NetworkHost.isLoopback(host) || NetworkHost.isLoopback(targetHost) else {
      throw HTTPURLError("\(host) is this machine, and \(targetHost) is not")
    }
    (self.host, self.port, self.targetHost, self.targetPort) = (host, port, targetHost, targetPort)
  }

  package static let expectation = "host:port:target:port, such as api.nova.social:443:10.1.2.3:8443"

  /// The text form, which libcurl uses, too.
  public var description: String { "\(host):\(port):\(targetHost):\(targetPort)" }

  /// The address to connect to, for messages.
  var target: String { "\(targetHost):\(targetPort)" }

  func covers(_ origin: HTTPOrigin) -> Bool { origin.port == port && origin.host == host }

  /// Removes a host and a port from the start of the text, and returns them.
  private static func takeAuthority(_ text: inout Substring) -> (host: String, port: Int)? {
    let hostEnd =
      text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
    guard let hostEnd, hostEnd < text.endIndex, text[hostEnd] == ":" else { return nil }
    let portStart = text.index(after: hostEnd)
    let end = text[portStart...].firstIndex(of: ":") ?? text.endIndex
    guard portStart < end, let origin = try? HTTPURL(parsing: "http://\(text[..<end])").origin,
      String(origin.port) == text[portStart..<end]
    else { return nil }
    text = text[end...]
    return (origin.host, origin.port)
  }
}
