internal import NovaHTTP
import NovaSupport

/// Where servers are, and as whom to use them: the parts of a URL.
struct RedisServers: Sendable {
  struct Server: Sendable {
    let origin: HTTPOrigin
    let socket: UnixSocket?
    /// For messages: the host and port, or the path of the socket.
    let place: String
  }

  var servers: [Server] = []
  var user: String?
  var password: String?
  var database = 0

  /// Parses a URL.
  ///
  /// - Throws: ``RedisError`` of kind `configuration`, without the URL.
  init(parsing url: String) throws(RedisError) {
    guard let schemeEnd = url.firstRange(of: "://") else { throw Self.invalid("it has no scheme") }
    let scheme = url[..<schemeEnd.lowerBound].lowercased()
    guard ["redis", "rediss", "redis+unix", "unix", "valkey", "valkeys"].contains(scheme) else {
      throw Self.invalid("its scheme is not redis, rediss, or redis+unix")
    }
    var rest = url[schemeEnd.upperBound...]
    if let mark = rest.firstIndex(of: "#") { rest = rest[..<mark] }
    if let mark = rest.firstIndex(of: "?") {
      try readQuery(String(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    if let at = rest.lastIndex(of: "@") {
      try readUser(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    guard !scheme.hasSuffix("unix") else {
      try readSocket(rest)
      return
    }
    let path = rest.firstIndex(of: "/") ?? rest.endIndex
    try readDatabase(rest[path...].drop { $0 == "/" })
    let isSecure = scheme == "rediss" || scheme == "valkeys"
    for host in rest[..<path].split(separator: ",", omittingEmptySubsequences: false) {
      servers.append(try Self.server(host.isEmpty ? "localhost" : String(host), isSecure: isSecure))
    }
  }

  private static func server(_ host: String, isSecure: Bool) throws(RedisError) -> Server {
    let hasPort = host.last != "]" && host.split(separator: "]").last?.contains(":") == true
    let place = hasPort ? host : "\(host):6379"
    do {
      let origin = try HTTPURL(parsing: "\(isSecure ? "https" : "http")://\(place)").origin
      return Server(origin: origin, socket: nil, place: "\(origin.host):\(origin.port)")
    } catch {
      throw invalid("a host or port is invalid")
    }
  }

  private mutating func readSocket(_ path: Substring) throws(RedisError) {
    guard let path = PercentEncoding.decode(String(path)), let url = try? HTTPURL(parsing: "http://localhost:6379"),
      let socket = try? UnixSocket(path: path, for: [url.origin])
    else { throw Self.invalid("expected \(UnixSocket.expectation)") }
    servers = [Server(origin: url.origin, socket: socket, place: path.quoted)]
  }

  private mutating func readUser(_ text: Substring) throws(RedisError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let decoded = parts.map { PercentEncoding.decode($0) }
    guard let first = decoded[0], let last = decoded.last ?? nil else {
      throw Self.invalid("its user or password is not percent-encoded correctly")
    }
    if decoded.count == 2, !first.isEmpty { user = first }
    if !last.isEmpty { password = last }
    if decoded.count == 1 { throw Self.invalid("it has a user without a password") }
  }

  private mutating func readQuery(_ query: String) throws(RedisError) {
    for (name, value) in PercentEncoding.pairs(query) {
      guard name == "db" else { throw Self.invalid("its query may only have db") }
      try readDatabase(value[...])
    }
  }

  private mutating func readDatabase(_ text: Substring) throws(RedisError) {
    guard !text.isEmpty else { return }
    guard let number = Int(text), (0...65_535).contains(number) else {
      throw Self.invalid("its database must be a number from 0 to 65535")
    }
    database = number
  }

  private static func invalid(_ reason: String) -> RedisError {
    RedisError(
      .configuration, "invalid URL of Redis", reason: reason,
      advice: "expected redis://user:password@host:6379/0, rediss://…, or redis+unix:///path", mayHaveRun: false)
  }
}
