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

  /// `COLOR_DARK_RED` in `Color` → `darkRed`, `HTTP_CODE_OK` in `HTTPCode` → `ok`.
  static func enumCase(_ name: String, of enumName: String) -> String {
    var rest = withoutPrefix(name, of: enumName)
    // `LEVEL_1` would leave `1`, which is no name.
    if rest.first?.isLetter != true { rest = name }
    let camel = lowerCamelCase(rest.lowercased())
    return unambiguous(
      escaped(camel.first?.isNumber == true ? lowercasedFirst(lowerCamelCase(enumName)) + camel : camel))
  }

  /// Where an optional is expected, Swift takes `.none` and `.some` for cases of `Optional`.
  static func unambiguous(_ name: String) -> String { ["none", "some"].contains(name) ? "\(name)Value" : name }

  /// The name of an enum's value without the enum's own, whichever way the latter is split into words: `HTTPCode` can be
  /// `HTTP_CODE` and `HTTPCODE`, and `IPv6Mode` can be `IPV6_MODE` and `IP_V6_MODE`.
  private static func withoutPrefix(_ name: String, of enumName: String) -> String {
    var prefix = enumName.lowercased().filter { $0 != "_" }[...]
    for index in name.indices {
      if prefix.isEmpty { return name[index] == "_" ? String(name[name.index(after: index)...]) : name }
      if name[index] == "_" { continue }
      guard prefix.first == name[index].lowercased().first else { return name }
      prefix.removeFirst()
    }
    return name
  }

  /// In backticks where Swift reserves the word.
  static func escaped(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  private static let reserved: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// `GraphService` → `Graph`.
  static func stem(ofService service: String) -> String {
    service.hasSuffix("Service") && service != "Service" ? String(service.dropLast("Service".count)) : service
  }

  /// `nova.graph_service.v1` → `graph`: the last part, or the one before the version, without its suffix.
  static func service(ofPackage package: String) -> String {
    var parts = package.split(separator: ".").map(String.init)
    if parts.count > 1, parts.last?.wholeMatch(of: /v[0-9]+[a-z0-9]*/) != nil { parts.removeLast() }
    let name = parts.last ?? package
    return name.hasSuffix("_service") ? String(name.dropLast("_service".count)) : name
  }

  /// `Order.Line` → `Order` and `Line`.
  static func scopeAndName(of type: String) -> (scope: String?, name: String) {
    let parts = type.split(separator: ".")
    let scope = parts.dropLast().joined(separator: ".")
    return (scope.isEmpty ? nil : scope, parts.last.map(String.init) ?? type)
  }

  /// The property of fields that a message does not declare.
  static let unknownFields = "unknownFields"

  /// The property of a field. Two names mean something in every Swift type.
  static func property(_ field: String) -> String {
    let name = lowercasedFirst(lowerCamelCase(field))
    return ["self", "hashValue"].contains(name) ? "\(name)Field" : escaped(name)
  }

  /// The name of a oneof for its property and its type. It may be in any style: `payment_method`, `Kind`, `_1`.
  static func oneof(_ name: String) -> String {
    let camel = lowerCamelCase(name)
    return camel.first?.isNumber == true ? "oneof\(camel)" : camel
  }

  /// Whether Swift reserves the word.
  static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

  /// A text as a Swift string literal.
  static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
