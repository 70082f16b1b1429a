public import NovaSupport

/// An absolute `http` or `https` URL, parsed and checked once; of a service also a `grpc` or `grpcs` URL.
///
/// Everything that decides where a request may go uses this value: authorization, logging, tracing, the circuit
/// breaker, and libcurl. The rules are strict, so that libcurl interprets every accepted URL in the same way.
///
/// ```swift
/// let url = try HTTPURL(parsing: "https://Files.Example:443/photos/1?size=small#top")
/// url.text    // "https://files.example/photos/1?size=small"
/// url.origin  // https://files.example
/// url.path    // "/photos/1"
/// ```
///
/// The text of a URL is its normal form: scheme and host in lower case, no default port, no fragment, and an IPv4
/// address as four decimal numbers. Parsing the text again results in an equal value. The path and query are not
/// changed.
public struct HTTPURL: Sendable, Hashable {
  /// The scheme, host, and port.
  public let origin: HTTPOrigin
  /// The path with the query, percent-encoded, as it is sent. Empty, or starts with `/` or `?`.
  package let target: String

  /// Parses a URL.
  ///
  /// - Parameter text: An absolute URL. Characters that are not allowed in a URL must be percent-encoded.
  /// - Throws: ``HTTPURLError``. It never contains the URL, which may contain secrets.
  public init(parsing text: String) throws(HTTPURLError) {
    guard text.consists(of: .url) else {
      throw HTTPURLError("the URL has a character that must be percent-encoded")
    }
    guard let scheme = HTTPOrigin.Scheme(startOf: text), !scheme.usesGRPC else {
      throw HTTPURLError("the URL must begin with http:// or https://")
    }
    try self.init(text, scheme)
  }

  /// Parses the URL of a gateway or, with the trait `GRPC`, of services: `grpc://` and `grpcs://` may name several servers
  /// that are alike, separated by commas, and have no path.
  ///
  /// ```swift
  /// let url = try HTTPURL(parsingService: "grpc://10.1.0.1:50051,10.1.0.2:50051")
  /// ```
  /// - Throws: ``HTTPURLError``. It never contains the URL, which may contain secrets.
  public init(parsingService text: String) throws(HTTPURLError) {
    guard text.consists(of: .url), let scheme = HTTPOrigin.Scheme(startOf: text), scheme.usesGRPC else {
      self = try HTTPURL(parsing: text)
      return
    }
    #if GRPC
      try self.init(text, scheme)
      guard target.isEmpty || target == "/" else {
        throw HTTPURLError("a URL with \(scheme.rawValue):// must not have a path")
      }
      self.init(origin, target: "")
    #else
      throw HTTPURLError("URLs with \(scheme.rawValue):// need the package trait GRPC of NovaSDK")
    #endif
  }

  private init(_ text: String, _ scheme: HTTPOrigin.Scheme) throws(HTTPURLError) {
    let bytes = text.utf8Bytes
    let start = scheme.rawValue.utf8.count + 3
    let end = bytes.place(of: .fragmentMark, from: start, to: bytes.count)
    let targetStart = bytes.place(of: .targetMarks, from: start, to: end)
    origin = try HTTPOrigin(scheme, authority: Array(bytes[start..<targetStart]))
    target = String(decoding: bytes[targetStart..<end], as: UTF8.self)
  }

  /// Parses an absolute URL, or a path on a gateway: the one rule for media URLs from gateways.
  ///
  /// - Parameters:
  ///   - text: an absolute URL, or a path that starts with one slash. `//host/path` is invalid, because some programs
  ///     read it as a path and others as another host.
  ///   - gateway: the base URL for paths.
  package init(parsing text: String, pathsOn gateway: HTTPURL) throws(HTTPURLError) {
    let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
    try self.init(parsing: isPath ? gateway.text + text : text)
  }

  /// Percent-encodes what is not allowed in the path and query, such as the space and umlaut in a file name, as
  /// browsers do. Does not change the host, or characters that browsers read differently, such as a backslash.
  package static func encodingTarget(of text: String) -> String {
    if text.consists(of: .url) { return text }
    let bytes = text.utf8Bytes
    let scheme = bytes.place(of: .portMark, from: 0, to: bytes.count)
    let isURL = !text.hasPrefix("/") && bytes.dropFirst(scheme).starts(with: "://".utf8)
    let start = isURL ? bytes.place(of: .targetMarks, from: scheme + 3, to: bytes.count) : 0
    var encoded = Array(bytes[..<start])
    for byte in bytes[start...] {
      if byte >= 0x80 || ASCIISet.encoded.contains(byte) {
        encoded += Array("%\(Hexadecimal.encode([byte]).uppercased())".utf8)
      } else {
        encoded.append(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Combines an origin with a path and query that are already percent-encoded.
  package init(_ origin: HTTPOrigin, target: String) {
    self.origin = origin
    self.target = target
  }

  /// Creates the URL of a request that a server received: a path with a query, or a URL whose origin is ignored.
  package init(received text: String) {
    let bytes = text.utf8Bytes
    let end = bytes.place(of: .fragmentMark, from: 0, to: bytes.count)
    let colon = bytes.place(of: .portMark, from: 0, to: end)
    let isURL = !text.hasPrefix("/") && String(decoding: bytes[colon..<end], as: UTF8.self).hasPrefix("://")
    let start = isURL ? bytes.place(of: .targetMarks, from: colon + 3, to: end) : 0
    self.init(.localhost, target: String(decoding: bytes[start..<end], as: UTF8.self))
  }

  /// The URL in its normal form.
  public var text: String { origin.text + target }

  /// The path; `/` if the URL has none.
  public var path: String {
    let path = targetWithoutQuery
    return path.isEmpty ? "/" : path
  }

  /// The query without its question mark; nil if absent.
  public var query: String? {
    queryMark.map { String(target[target.utf8.index(after: $0)...]) }
  }

  /// The URL without its query, which may contain secrets: for logs.
  package var textWithoutQuery: String { origin.text + targetWithoutQuery }

  /// The URL with a fragment instead of its query. It names a resource whose queries differ, and is never sent.
  package func withoutQuery(fragment: String) -> HTTPURL {
    HTTPURL(origin, target: "\(targetWithoutQuery)#\(PercentEncoding.encode(fragment))")
  }

  private var targetWithoutQuery: String { queryMark.map { String(target[..<$0]) } ?? target }

  private var queryMark: String.Index? {
    target.readUTF8 { $0.firstIndex(of: UInt8(ascii: "?")) }.map { target.utf8.index(target.startIndex, offsetBy: $0) }
  }

  /// The URL of a path below this one.
  ///
  /// - Parameter target: A percent-encoded path that starts with a slash.
  package func appending(_ target: String) -> HTTPURL {
    HTTPURL(origin, target: self.target.isEmpty ? target : self.target + target)
  }

}

extension ASCIISet {
  /// The characters that are allowed in a URL.
  fileprivate static let url = alphanumerics + ASCIISet("!#$%&'()*+,-./:;=?@[]_~")
  /// The characters that browsers percent-encode in a path or a query.
  fileprivate static let encoded = ASCIISet(" \"<>^`{|}")
  fileprivate static let fragmentMark = ASCIISet("#")
  fileprivate static let portMark = ASCIISet(":")
  /// The characters that end the host and port.
  fileprivate static let targetMarks = ASCIISet("/?")
}

extension HTTPURL: CustomStringConvertible {
  /// The URL without its query, which may contain secrets.
  public var description: String { textWithoutQuery }
}

extension HTTPURL: ExpressibleByStringLiteral {
  /// Creates a URL from a literal in the source code. Stops the program if the literal is not a valid URL.
  public init(stringLiteral text: String) {
    do throws(HTTPURLError) {
      try self.init(parsingService: text)
    } catch {
      preconditionFailure("invalid URL literal: \(error.reason)")
    }
  }
}

/// The reason why a text is not a valid URL. It never contains the URL, which may contain secrets.
public struct HTTPURLError: NovaError, Hashable {
  /// The problem, as a clause without a period.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  public var description: String { "invalid URL: \(reason)" }
}
