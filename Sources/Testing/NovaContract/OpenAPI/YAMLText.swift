public import NovaCore

/// Writes JSON values as YAML: blocks for objects and lists, and JSON's own notation for texts.
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
    default: text += "\(indent)\(String(decoding: value.jsonUTF8, as: UTF8.self))\n"
    }
  }

  /// Writes the value of a key or a hyphen: a block below it, or text on the same line.
  private static func appendMember(_ value: JSONValue, depth: Int, to text: inout String) {
    let isBlock = !(value.memberList?.isEmpty ?? value.elements?.isEmpty ?? true)
    if isBlock {
      text += "\n"
      append(value, depth: depth + 1, to: &text)
    } else {
      text += " \(String(decoding: value.jsonUTF8, as: UTF8.self))\n"
    }
  }

  /// A key, without quotation marks if YAML can read it only as text.
  private static func key(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map(\.isASCIILetter) ?? false && name.consists(of: plain) && !words.contains(name.lowercased())
    return isPlain ? name : String(decoding: JSONValue.string(name).jsonUTF8, as: UTF8.self)
  }

  private static let plain = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
  /// YAML 1.1 reads these as true, false and null.
  private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
}
