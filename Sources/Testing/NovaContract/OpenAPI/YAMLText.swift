public import NovaCore

/// Writes JSON values as YAML: blocks for objects and lists, and JSON's own notation for texts.
///
/// Readers of YAML 1.1 and 1.2 find the same values: every text is in quotation marks.
public enum YAMLText {
  /// A document.
  public static func document(_ value: JSONValue) -> String {
    var text = ""
    append(value, depth: 0, to: &text)
    return text
  }

  private static func append(_ value: JSONValue, depth: Int, to text: inout String) {
    let indent = String(repeating: "  ", count: depth)
    switch value {
    case .object(let members) where !members.isEmpty:
      for member in members {
        text += "\(indent)\(key(member.name)):"
        appendMember(member.value, depth: depth, to: &text)
      }
    case .array(let elements) where !elements.isEmpty:
      for element in elements {
        text += "\(indent)-"
        appendMember(element, depth: depth, to: &text)
      }
    default: text += "\(indent)\(scalar(value))\n"
    }
  }

  /// Writes the value of a key or a hyphen: a block below it, or text on the same line.
  private static func appendMember(_ value: JSONValue, depth: Int, to text: inout String) {
    let isBlock = !(value.memberList?.isEmpty ?? value.elements?.isEmpty ?? true)
    if isBlock {
      text += "\n"
      append(value, depth: depth + 1, to: &text)
    } else {
      text += " \(scalar(value))\n"
    }
  }

  /// A key, without quotation marks if YAML can read it only as text.
  private static func key(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map(\.isASCIILetter) ?? false && name.consists(of: plain) && !words.contains(name.lowercased())
    return isPlain ? name : scalar(.string(name))
  }

  /// A value on one line. YAML reads JSON's texts in quotation marks, except for characters that it does not allow or takes
  /// for line breaks.
  private static func scalar(_ value: JSONValue) -> String {
    if case .number(let digits) = value { return number(digits) }
    var line = ""
    for scalar in String(decoding: value.jsonUTF8, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        line += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// A number as YAML 1.1 reads it, too: with an exponent, it has a fraction and a sign.
  private static func number(_ digits: String) -> String {
    guard let mark = digits.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return digits }
    let (fraction, exponent) = (digits[..<mark], digits[digits.index(after: mark)...])
    let isSigned = exponent.hasPrefix("-") || exponent.hasPrefix("+")
    return "\(fraction)\(fraction.contains(".") ? "" : ".0")e\(isSigned ? "" : "+")\(exponent)"
  }

  private static let plain = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
  /// YAML 1.1 reads these as true, false and null.
  private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
}
