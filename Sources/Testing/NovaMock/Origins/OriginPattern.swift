import NovaCore

/// The web pages that may use a server: an origin such as `http://localhost:5173`, with `*` for every port
/// (`http://localhost:*`), or for everything below a name (`https://*.example.com`).
package struct OriginPattern: Sendable, Hashable {
  /// Why a text is no pattern, and what to write instead.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  private enum Port: Hashable {
    case any
    /// Nil if the scheme has no port.
    case one(UInt16?)
  }

  /// Names for use on one's own machine or network, below which `*` is safe although they have one label.
  private static let privateNames: Set = ["localhost", "test", "internal", "local"]

  private let scheme: String
  private let host: String
  /// Whether the host is anything below ``host``, and not that name itself.
  private let isBelow: Bool
  private let port: Port

  package init(_ text: String) throws(Problem) {
    if let reason = Self.reasonAgainst(text) { throw Problem(description: reason) }
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), WebOrigin.isScheme(text[..<colon])
    else { throw Problem(description: "expected the scheme, too: http://\(text.printable(to: 100))") }
    let scheme = text[..<colon].lowercased()
    if scheme == "ws" || scheme == "wss" {
      throw Problem(
        description:
          "expected the origin of the page that connects: http\(String(text.dropFirst(2)).printable(to: 100))")
    }
    var rest = text[colon...].dropFirst(3)
    if let end = rest.firstIndex(where: { "/?#".contains($0) }) {
      throw Problem(description: "expected no path: \(String(text[..<end]).printable(to: 100))")
    }
    let takesAnyPort = rest.hasSuffix(":*")
    if takesAnyPort { rest = rest.dropLast(2) }
    isBelow = rest.hasPrefix("*.")
    if isBelow { rest = rest.dropFirst(2) }
    guard !rest.contains("*") else { throw .misplacedStar }
    // A colon without a port is often that of an empty shell variable.
    guard !rest.hasSuffix(":") else {
      throw Problem(description: "expected a port after the colon, such as http://localhost:5173")
    }
    guard let authority = Authority(rest), authority.port != 0 else {
      throw Problem(description: "expected a name or an address, with or without a port, such as http://localhost:5173")
    }
    if isBelow {
      guard !authority.isAddress, authority.host.contains(".") || Self.privateNames.contains(authority.host) else {
        throw Problem(description: "expected a longer name after \"*.\", such as https://*.example.com")
      }
    }
    guard !takesAnyPort || authority.port == nil else { throw .misplacedStar }
    (self.scheme, host) = (scheme, authority.host)
    port = takesAnyPort ? .any : .one(authority.port ?? WebOrigin.standardPort(of: scheme))
  }

  /// The reason against a text that people often write in place of an origin; nil for other texts.
  private static func reasonAgainst(_ text: String) -> String? {
    switch text {
    case "": "expected an origin, such as http://localhost:5173, got an empty text"
    case "*", "http://*", "https://*", "http://*:*", "https://*:*", "*://*":
      """
      with it, every page on the web could use the server through the browser of anyone who opens it; name the \
      origins, such as http://localhost:5173, or http://localhost:* for every port
      """
    case "null":
      """
      it is the origin of all local files and sandboxed frames, of any website; open the page from a web server, such as \
      python3 -m http.server, and allow its origin
      """
    default:
      if text.contains(where: \.isWhitespace) {
        "expected one origin without spaces; repeat the option for each"
      } else if text.contains(",") {
        "expected one origin, got a list; repeat the option for each"
      } else if !text.utf8.allSatisfy({ $0 < 0x80 }) {
        "expected only ASCII; browsers send such names encoded, as location.origin on the page shows"
      } else {
        nil
      }
    }
  }

  package func matches(_ origin: WebOrigin) -> Bool {
    guard origin.scheme == scheme, port == .any || port == .one(origin.port) else { return false }
    return isBelow ? origin.host.hasSuffix(".\(host)") : origin.host == host
  }
}

extension OriginPattern.Problem {
  fileprivate static let misplacedStar = Self(
    description: "a * can only be the port, or the beginning of a name: http://localhost:*, https://*.example.com")
}
