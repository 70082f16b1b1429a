import NovaCore

/// A cell of a table.
struct TableCell: Hashable, ExpressibleByStringLiteral {
  let text: String
  /// A shorter text for narrow terminals; nil if the text has no short form.
  let short: String?

  init(_ text: String, short: String? = nil) {
    self.text = text
    self.short = short
  }

  init(stringLiteral text: String) { self.init(text) }
}

/// Formats values for people: times, counts and the rest.
struct CellText {
  let times: TimeText
  /// Whether the cells are for a terminal: counts then have their digits in groups, and sizes their units.
  let isForTerminal: Bool

  /// The placeholder of an absent value.
  static let none = "-"

  init(times: TimeText, isForTerminal: Bool) {
    self.times = times
    self.isForTerminal = isForTerminal
  }

  /// The defaults of a terminal, or of a pipe or a file.
  init(isTerminal: Bool) { self.init(times: .standard(onTerminal: isTerminal), isForTerminal: isTerminal) }

  /// A field's value as a cell.
  func cell(_ value: JSONValue?, _ field: FieldDescriptor) -> TableCell {
    guard isForTerminal, field.isCount, let count = value?.integerValue else { return TableCell(text(value, field)) }
    return TableCell(CountText.full(count), short: CountText.compact(count))
  }

  /// A field's value.
  func text(_ value: JSONValue?, _ field: FieldDescriptor) -> String {
    guard let value, value != .null, value != .string("") else { return Self.none }
    switch value {
    case .array(let elements):
      if elements.isEmpty { return Self.none }
      if case .message = field.kind { return String(elements.count) }
      return elements.map { single($0, field) }.joined(separator: ", ")
    default: return single(value, field)
    }
  }

  private func single(_ value: JSONValue, _ field: FieldDescriptor) -> String {
    switch (field.kind, value) {
    case (.unixSeconds, _): value.integerValue.flatMap(time) ?? Self.none
    case (.timestamp, .string(let text)): Timestamp(text).map(times.text) ?? text
    case (.double, .number(let text)), (.float, .number(let text)): rounded(text)
    case (_, .string(let text)): text
    case (_, .number(let text)):
      if isForTerminal, let count = value.integerValue {
        field.isCount ? CountText.full(count) : field.isSize ? ByteText.size(count) : text
      } else {
        text
      }
    case (_, .bool(let flag)): flag ? "yes" : "no"
    default: String(decoding: value.jsonUTF8, as: UTF8.self)
    }
  }

  /// A time; nil for zero, which means no time.
  func time(_ seconds: Int) -> String? { seconds == 0 ? nil : times.text(Timestamp(seconds: Int64(seconds))) }

  private func rounded(_ text: String) -> String {
    guard let number = Double(text), abs(number) < 1e12 else { return text }
    return "\((number * 1000).rounded() / 1000)"
  }
}

extension FieldDescriptor {
  /// Whether the values are counts: `like_count`.
  var isCount: Bool {
    switch kind {
    case .int32, .int64, .uint32, .uint64: name.hasSuffix("_count")
    default: false
    }
  }

  /// Whether the values are numbers of bytes: `file_size`.
  var isSize: Bool { kind == .int64 && (name.hasSuffix("_size") || name.hasSuffix("_size_bytes")) }
}

extension String {
  /// The text with spaces in the place of line breaks and tabs.
  var oneLine: String {
    split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
  }

  /// The text as one field of a line for scripts: line breaks and tabs as `\n`, `\r` and `\t`, other unsafe characters
  /// as `\u{202e}`.
  var asField: String {
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
    guard unicodeScalars.contains(where: breaks.contains) else { return displayed }
    return unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }.map { line in
      line.split(omittingEmptySubsequences: false) { $0 == "\t" }.map { part in
        part.split(omittingEmptySubsequences: false) { $0 == "\r" }.map { String($0).displayed }.joined(
          separator: "\\r")
      }.joined(separator: "\\t")
    }.joined(separator: "\\n")
  }
}
