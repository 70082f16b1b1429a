import Foundation
package import NovaCore

/// A secret as a server may write it.
public struct SpelledSecret: Sendable, CustomStringConvertible {
  /// How it is written.
  public let name: String
  /// The secret as it is written, perhaps with something around it.
  public let text: String
  /// The part that depends only on the secret.
  public let telling: String
  /// Whether the text is part of a JSON string as it stands.
  public let isJSON: Bool

  public var description: String { "\(name): \(text)" }

  /// The text within a JSON string.
  public var inJSON: String { isJSON ? text : SecretSpellings.json(text) }
}

/// Random secrets, in every form in which servers write them.
public enum SecretSpellings {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  private static let specials = Array("\"\\/<>&'% +=:;,#?!$(){}[]|~^`@*-_.\"\\/<&")
  private static let foreign: [Character] = [
    "é", "ü", "ß", "ñ", "Å", "ế", "ø", "Ω", "я", "中", "語", "한", "ガ", "😀", "👩‍👩‍👧", "🇫🇷", "e\u{301}", "o\u{308}",
    "n\u{303}", "a\u{323}\u{302}", "€", "½",
  ]

  /// A password: letters between all that has to be escaped somewhere.
  package static func password(using generator: inout SeededGenerator) -> String {
    func special(_ generator: inout SeededGenerator) -> Character {
      (generator.one(in: 3) ? foreign : specials).randomElement(using: &generator) ?? "\""
    }
    let before = (0..<Int.random(in: 1...6, using: &generator)).map { _ in special(&generator) }
    let behind = (0..<Int.random(in: 0...6, using: &generator)).map { _ in special(&generator) }
    return String(before) + word(using: &generator) + String(behind)
  }

  /// A token: visible ASCII.
  package static func token(using generator: inout SeededGenerator) -> String {
    let special = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      specials.filter { $0 != " " }.randomElement(using: &generator) ?? "/"
    }
    return word(using: &generator) + String(special) + word(using: &generator)
  }

  private static func word(using generator: inout SeededGenerator) -> String {
    String((0..<Int.random(in: 8...12, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" })
  }

  // MARK: Spellings

  /// A secret in every form.
  package static func all(of secret: String, using generator: inout SeededGenerator) -> [SpelledSecret] {
    let plain = json(secret)
    let percent = percent(secret, upper: true) { _ in true }
    let units = units(secret, upper: false)
    var all = [
      SpelledSecret(name: "raw", text: secret, telling: secret, isJSON: false),
      spelled("JSON", plain, isJSON: true),
      spelled("JSON with slashes", plain.replacing("/", with: "\\/"), isJSON: true),
      spelled("JSON in ASCII", units, isJSON: true),
      spelled("JSON in ASCII, upper case", self.units(secret, upper: true), isJSON: true),
      spelled("JSON for HTML", htmlSafe(plain), isJSON: true),
      spelled("JSON in JSON", json(plain)), spelled("JSON in JSON in JSON", json(json(plain))),
      spelled("JSON in ASCII in JSON", json(units)),
      spelled("percent", percent), spelled("percent, lower case", self.percent(secret, upper: false) { _ in true }),
      spelled("percent where needed", PercentEncoding.encode(secret)),
      spelled("form", PercentEncoding.encode(secret).replacing("%20", with: "+")),
      spelled(
        "percent in part",
        self.percent(secret, upper: generator.one(in: 2)) { $0 == 0x25 || $0 == 0x2B || $0 >= 0x80 || $0 % 3 == 0 }),
      spelled("percent twice", self.percent(PercentEncoding.encode(secret), upper: true) { $0 == 0x25 }),
      spelled("JSON in percent", PercentEncoding.encode(plain)),
      spelled("JSON in ASCII in percent", PercentEncoding.encode(units)),
      spelled("percent in JSON in ASCII", self.units(percent, upper: false), isJSON: true),
      spelled("HTML", html(secret)), spelled("HTML in JSON for HTML", htmlSafe(json(html(secret))), isJSON: true),
      spelled("HTML, decimal", secret.unicodeScalars.map { "&#\($0.value);" }.joined()),
      spelled("HTML, hexadecimal", secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()),
      spelled(
        "HTML, hexadecimal upper case",
        secret.unicodeScalars.map { "&#X\(String($0.value, radix: 16, uppercase: true));" }.joined()),
      spelled("HTML of HTML", html(html(secret))), spelled("HTML of JSON", html(plain)),
      spelled("HTML in percent", PercentEncoding.encode(html(secret))),
      spelled("bytes", secret.utf8.map { "\\x" + hex(UInt32($0), 2, upper: false) }.joined()),
      spelled("octal", secret.utf8.map { "\\" + octal($0) }.joined()),
      spelled("braces", secret.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()),
      spelled(
        "escape()",
        secret.utf16.map { $0 < 128 ? "%" + hex(UInt32($0), 2, upper: true) : "%u" + hex(UInt32($0), 4, upper: true) }
          .joined()),
      spelled("composed", secret.precomposedStringWithCanonicalMapping),
      spelled("decomposed", secret.decomposedStringWithCanonicalMapping),
      spelled(
        "decomposed JSON in ASCII", self.units(secret.decomposedStringWithCanonicalMapping, upper: false), isJSON: true),
    ]
    for (name, around) in [
      ("alone", ("", "")), ("Basic", ("user:", "")), ("one before", ("x", "yz")), ("two before", ("ab", "c")),
    ] {
      let (text, telling) = base64(secret, before: around.0, behind: around.1)
      all.append(SpelledSecret(name: "Base64, \(name)", text: text, telling: telling, isJSON: false))
      all.append(
        SpelledSecret(
          name: "Base64 for URLs, \(name)", text: forURL(text).filter { $0 != "=" }, telling: forURL(telling),
          isJSON: false))
      all.append(
        SpelledSecret(
          name: "Base64 in percent, \(name)", text: PercentEncoding.encode(text),
          telling: PercentEncoding.encode(telling), isJSON: false))
      all.append(
        SpelledSecret(
          name: "Base64 in JSON, \(name)", text: text.replacing("/", with: "\\/"),
          telling: telling.replacing("/", with: "\\/"), isJSON: true))
    }
    let (text, telling) = base64(plain, before: #"{"password":""#, behind: #""}"#)
    all.append(SpelledSecret(name: "JSON in Base64", text: text, telling: telling, isJSON: false))
    return all
  }

  private static func spelled(_ name: String, _ text: String, isJSON: Bool = false) -> SpelledSecret {
    SpelledSecret(name: name, text: text, telling: text, isJSON: isJSON)
  }

  /// A text within a JSON string.
  public static func json(_ text: String) -> String {
    String(String(decoding: JSONValue.string(text).jsonUTF8, as: UTF8.self).dropFirst().dropLast())
  }

  private static func htmlSafe(_ json: String) -> String {
    ["<", ">", "&", "'", "="].reduce(json) { $0.replacing($1, with: units($1, upper: false)) }
  }

  private static func units(_ text: String, upper: Bool) -> String {
    text.utf16.map { "\\u" + hex(UInt32($0), 4, upper: upper) }.joined()
  }

  private static func percent(_ text: String, upper: Bool, where isEncoded: (UInt8) -> Bool) -> String {
    let bytes = text.utf8.flatMap { isEncoded($0) ? Array("%\(hex(UInt32($0), 2, upper: upper))".utf8) : [$0] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func html(_ text: String) -> String {
    let names: [Unicode.Scalar: String] = [
      "<": "lt", ">": "gt", "&": "amp", "\"": "quot", "'": "apos", "é": "eacute", "ü": "uuml", "ß": "szlig",
      "ñ": "ntilde",
      "Å": "Aring", "ø": "oslash", "Ω": "Omega", "€": "euro", "½": "frac12",
    ]
    return text.unicodeScalars.map { scalar in names[scalar].map { "&\($0);" } ?? String(scalar) }.joined()
  }

  private static func base64(_ secret: String, before: String, behind: String) -> (text: String, telling: String) {
    let text = Data((before + secret + behind).utf8).base64EncodedString()
    let first = (before.utf8.count * 8 + 5) / 6
    let end = (before.utf8.count + secret.utf8.count) * 8 / 6
    return (text, String(text.dropFirst(first).prefix(end - first)))
  }

  private static func forURL(_ text: String) -> String { text.replacing("+", with: "-").replacing("/", with: "_") }

  private static func hex(_ value: UInt32, _ digits: Int, upper: Bool) -> String {
    let text = String(value, radix: 16, uppercase: upper)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func octal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - text.count) + text
  }

  // MARK: Leaks

  /// The parts of a secret that occur in text, literally or encoded.
  public static func leaks(of secret: String, _ spelled: SpelledSecret? = nil, in text: String) -> [String] {
    let words = secret.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
    // Runs of one digit occur by chance.
    let parts =
      words.flatMap { windows(of: $0, 6, step: 2) }.filter { Set($0).count > 3 }
      + windows(of: spelled?.telling ?? "", 12, step: 6)
    let data = Data(text.utf8)
    return parts.filter { data.range(of: Data($0)) != nil }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func windows(of text: String, _ size: Int, step: Int) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    guard bytes.count >= size else { return [] }
    return stride(from: 0, through: bytes.count - size, by: step).map { Array(bytes[$0..<($0 + size)]) }
  }
}
