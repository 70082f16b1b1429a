import NovaCore

/// Formats values for people.
enum CellText {
  /// The placeholder of an absent value.
  static let none = "-"

  /// A field's value.
  static func text(_ value: JSONValue?, _ field: FieldDescriptor) -> String {
    guard let value, value != .null, value != .string("") else { return none }
    switch value {
    case .array(let elements):
      if elements.isEmpty { return none }
      if case .message = field.kind { return String(elements.count) }
      return elements.map { single($0, field) }.joined(separator: ", ")
    default: return single(value, field)
    }
  }

  private static func single(_ value: JSONValue, _ field: FieldDescriptor) -> String {
    switch (field.kind, value) {
    case (.unixSeconds, _): value.integerValue.flatMap(time) ?? none
    case (.timestamp, .string(let text)): Timestamp(text).flatMap { System.localTime($0.seconds) } ?? text
    case (.double, .number(let text)), (.float, .number(let text)): rounded(text)
    case (_, .string(let text)), (_, .number(let text)): text
    case (_, .bool(let flag)): flag ? "yes" : "no"
    default: String(decoding: value.jsonUTF8, as: UTF8.self)
    }
  }

  /// A time in the local time zone; nil for zero.
  static func time(_ seconds: Int) -> String? {
    seconds == 0 ? nil : System.localTime(Int64(seconds)) ?? String(seconds)
  }

  private static func rounded(_ text: String) -> String {
    guard let number = Double(text), abs(number) < 1e12 else { return text }
    return "\((number * 1000).rounded() / 1000)"
  }
}

extension String {
  /// The text with spaces in the place of line breaks and tabs.
  var oneLine: String {
    split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
  }
}
