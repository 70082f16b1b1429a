import NovaSupport

/// The scheme, host, and port of a URL. They determine which server receives a request.
///
/// ```swift
/// let origin = try HTTPURL(parsing: "http://localhost:8080/api").origin
/// origin.host        // "localhost"
/// origin.isLoopback  // true
/// ```
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
  /// How the server is spoken to.
  enum Scheme: String, Sendable {
    case http, https
    /// gRPC over HTTP/2, without and with TLS.
    case grpc, grpcs

    /// The scheme that a URL begins with; nil for another one.
    init?(startOf text: String) {
      let text = text.prefix(8).lowercased()
      guard let scheme = [Scheme.http, .https, .grpc, .grpcs].first(where: { text.hasPrefix($0.rawValue + "://") })
      else { return nil }
      self = scheme
    }

    var isSecure: Bool { self == .https || self == .grpcs }
    var usesGRPC: Bool { self == .grpc || self == .grpcs }
    var port: Int { isSecure ? 443 : 80 }
  }

  /// A server that requests can be sent to.
  package struct Server: Sendable, Hashable, CustomStringConvertible {
    /// The host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    /// The port, 1 to 65535.
    package let port: Int

    package var description: String { "\(host):\(port)" }
  }

  // A single reference, because every request contains an origin.
  private final class Parts: Sendable {
    let scheme: Scheme
    let host: String
    let port: Int
    /// The servers after the first one.
    let others: [Server]
    let text: String
    let isLoopback: Bool

    init(_ scheme: Scheme, _ server: Server, others: [Server] = []) {
      self.scheme = scheme
      (host, port) = (server.host, server.port)
      self.others = others
      var text = "\(scheme.rawValue)://"
      var isLoopback = true
      for (index, server) in ([server] + others).enumerated() {
        if index > 0 { text += "," }
        text += server.port == scheme.port ? server.host : server.description
        isLoopback = isLoopback && NetworkHost.isLoopback(server.host)
      }
      self.text = text
      self.isLoopback = isLoopback
    }
  }

  private let parts: Parts

  /// Parses the authority of a URL: a host, and optionally a port; with gRPC, several of these between commas.
  init(_ scheme: Scheme, authority: [UInt8]) throws(HTTPURLError) {
    var servers: [Server] = []
    var start = 0
    while start <= authority.count {
      let comma =
        scheme.usesGRPC ? authority.place(of: .comma, from: start, to: authority.count) : authority.count
      let server = try Self.server(Array(authority[start..<comma]), scheme)
      if !servers.contains(server) { servers.append(server) }
      start = comma + 1
    }
    parts = Parts(scheme, servers[0], others: Array(servers.dropFirst()))
  }

  private static func server(_ authority: [UInt8], _ scheme: Scheme) throws(HTTPURLError) -> Server {
    let count = authority.count
    guard authority.place(of: .userMark, from: 0, to: count) == count else {
      throw HTTPURLError("the URL must not contain a user name or a password")
    }
    var end = authority.place(of: .portMark, from: 0, to: count)
    if authority.first == UInt8(ascii: "[") { end = min(authority.place(of: .bracket, from: 0, to: count) + 1, count) }
    guard end > 0 else { throw HTTPURLError("the URL has no host") }
    guard let host = NetworkHost.normalized(String(decoding: authority[..<end], as: UTF8.self)) else {
      throw HTTPURLError("the URL's host is not a valid name or address")
    }
    return Server(host: host, port: try port(authority[end...]) ?? scheme.port)
  }

  private static func port(_ bytes: ArraySlice<UInt8>) throws(HTTPURLError) -> Int? {
    guard let colon = bytes.first else { return nil }
    var port = 0
    for digit in bytes.dropFirst() where port <= 65535 {
      port = digit.isASCIIDigit ? port * 10 + Int(digit - UInt8(ascii: "0")) : .max
    }
    guard colon == UInt8(ascii: ":"), bytes.count <= 6, (1...65535).contains(port) else {
      throw HTTPURLError("the URL's port must be a number from 1 to 65535")
    }
    return port
  }

  static let localhost = HTTPOrigin(parts: Parts(.http, Server(host: "localhost", port: 80)))

  private init(parts: Parts) { self.parts = parts }

  /// The origin with another of its servers as the only one.
  package func only(_ server: Server) -> HTTPOrigin {
    parts.others.isEmpty ? self : HTTPOrigin(parts: Parts(parts.scheme, server))
  }

  /// Whether the scheme is `https` or `grpcs`.
  public var isSecure: Bool { parts.scheme.isSecure }
  /// Whether the scheme is `grpc` or `grpcs`: calls are sent as gRPC, and not as HTTP/JSON.
  public var usesGRPC: Bool { parts.scheme.usesGRPC }
  /// The host in lower case; an IPv6 address keeps its brackets. Of several servers, the first one's.
  public var host: String { parts.host }
  /// The port, 1 to 65535. Of several servers, the first one's.
  public var port: Int { parts.port }
  /// The servers that are alike: one, or with gRPC at least one.
  package var servers: [Server] { [Server(host: parts.host, port: parts.port)] + parts.others }
  /// Whether the host is this machine by its name or address: `localhost`, `*.localhost`, 127.0.0.0/8, or `::1`. Of
  /// several servers, whether all are.
  public var isLoopback: Bool { parts.isLoopback }
  /// Whether tokens and passwords may be sent there: the connection is encrypted, or does not leave this machine.
  public var protectsSecrets: Bool { parts.scheme.isSecure || parts.isLoopback }
  /// The origin as the start of a URL, for example `https://api.nova.social`.
  public var text: String { parts.text }
  public var description: String { parts.text }
  /// The host and port, for messages.
  package var place: String { servers.map(\.description).joined(separator: ",") }

  public static func == (left: HTTPOrigin, right: HTTPOrigin) -> Bool {
    left.parts === right.parts
      || left.parts.scheme == right.parts.scheme && left.port == right.port && left.host == right.host
        && left.parts.others == right.parts.others
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(isSecure)
    hasher.combine(parts.port)
    hasher.combine(parts.host)
  }
}

extension ASCIISet {
  fileprivate static let userMark = ASCIISet("@")
  fileprivate static let portMark = ASCIISet(":")
  fileprivate static let bracket = ASCIISet("]")
  fileprivate static let comma = ASCIISet(",")
}
