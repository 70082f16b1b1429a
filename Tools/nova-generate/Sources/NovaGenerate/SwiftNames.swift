/// Swift names for the contract's names.
enum SwiftNames {
  /// `creator_id` → `creatorId`.
  static func lowerCamelCase(_ name: String) -> String {
    let parts = name.split(separator: "_")
    return (parts.first ?? "") + parts.dropFirst().map(capitalised).joined()
  }

  /// `GetFollowers` → `getFollowers`.
  static func lowercasedFirst(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// `graph` → `Graph`.
  static func capitalised(_ name: some StringProtocol) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// `COLOR_DARK_RED` in `Color` → `darkRed`.
  static func enumCase(_ name: String, of enumName: String) -> String {
    let prefix = screamingSnakeCase(enumName) + "_"
    let rest = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    return escaped(lowerCamelCase(rest.lowercased()))
  }

  private static func screamingSnakeCase(_ name: String) -> String {
    var text = ""
    for character in name {
      if character.isUppercase, !text.isEmpty { text += "_" }
      text += character.uppercased()
    }
    return text
  }

  /// In backticks where Swift reserves the word.
  static func escaped(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  private static let reserved: Set<String> = [
    "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum", "extension", "false",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// `nova.graph_service.v1` → `graph`: the part before the version, without its suffix.
  static func service(ofPackage package: String) -> String {
    let parts = package.split(separator: ".").map(String.init)
    let name = parts.count > 1 ? parts[parts.count - 2] : package
    return name.hasSuffix("_service") ? String(name.dropLast("_service".count)) : name
  }

  /// A text as a Swift string literal.
  static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }
}
