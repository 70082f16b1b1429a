import NovaCore
import NovaRecording

/// Text that Postman sends as it is. Postman replaces `{{name}}` everywhere by a variable, and has no escape for it: the
/// formats of JSON and of URLs have one.
enum PostmanText {
  private static let opening = "{{"

  /// The text of a URL, or a part of one.
  static func url(_ text: String) -> String { text.replacing(opening, with: "%7B%7B") }

  /// A segment of a path. One that begins with a colon is a variable.
  static func segment(_ text: String) -> String { url(text.hasPrefix(":") ? "%3A\(text.dropFirst())" : text) }

  /// A name or a value of a query, which Postman encodes as far as it is not.
  static func parameter(_ text: String) -> String {
    text.contains(opening) ? PercentEncoding.encode(text) : text
  }

  /// The JSON with `\u007b` in place of braces that would begin a variable; placeholders of secrets stay. Nil if the text
  /// has such braces and is not JSON.
  static func body(_ bytes: [UInt8]) -> [UInt8]? {
    guard let text = String(validating: bytes, as: UTF8.self), isAffected(text) else { return bytes }
    guard (try? JSONValue(jsonUTF8: bytes)) != nil else { return nil }
    var escaped = ""
    let pieces = SecretPlaceholder.pieces(text)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .placeholder(let placeholder): escaped += "{{secret:\(placeholder.number)}}"
      case .literal(let literal): escaped += self.escaped(literal, isBeforeBraces: index + 1 < pieces.count)
      }
    }
    return Array(escaped.utf8)
  }

  /// Whether the text has braces that are no placeholder of a secret.
  static func isAffected(_ text: String) -> Bool {
    guard text.contains(opening) else { return false }
    return SecretPlaceholder.pieces(text).contains { piece in
      if case .literal(let literal) = piece { literal.contains(opening) || literal.hasSuffix("{") } else { false }
    }
  }

  /// In JSON, two braces beside each other are in a string.
  ///
  /// - Parameter isBeforeBraces: whether a placeholder follows, which is in a string.
  private static func escaped(_ literal: String, isBeforeBraces: Bool) -> String {
    let bytes = literal.utf8Bytes
    var escaped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isFirst = index + 1 < bytes.count ? bytes[index + 1] == UInt8(ascii: "{") : isBeforeBraces
      let isSecond = index > 0 && bytes[index - 1] == UInt8(ascii: "{")
      if byte == UInt8(ascii: "{"), isFirst || isSecond {
        escaped += Array(#"\u007b"#.utf8)
      } else {
        escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension FixtureExchange {
  /// Returns the exchange with text that Postman does not replace; nil if there is no such text for a header or for a body
  /// that is not JSON.
  func withoutPostmanVariables() -> FixtureExchange? {
    guard let sent = PostmanText.body(request.body.inMemory), let received = PostmanText.body(response.body.inMemory),
      !(request.headers.map(\.value) + response.headers.map(\.value)).contains(where: PostmanText.isAffected)
    else { return nil }
    var (request, response) = (request, response)
    request.body = .bytes(sent)
    response.body = .bytes(received)
    return FixtureExchange(rpc: rpc, name: name, request: request, response: response, origin: origin)
  }
}
