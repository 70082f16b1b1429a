/// A message of the argument parser in the style of all failures: `unknown option --limt; did you mean --limit?`.
struct UsageMessage {
  /// The lines: what is wrong, then help and usage.
  let lines: [String]

  /// - Parameter text: the parser's full message.
  init(_ text: String) {
    let message = text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
    // The message quotes the argument, which can be as long as a file, before the reason.
    var lines = message.displayedLines.map { $0.utf8.count > 2000 ? "\($0.prefix(100))…\($0.suffix(200))" : $0 }
    if let first = lines.first { lines[0] = Self.restyled(first) }
    self.lines = lines
  }

  /// What to replace in the parser's sentences, in order.
  private static let phrases = [
    (". Did you mean '", "; did you mean '"), (". Please provide one of ", "; expected one of "),
    ("Missing expected argument", "missing"), ("The value '", "invalid value '"), ("' is invalid for '", "' for '"),
  ]

  private static func restyled(_ line: String) -> String {
    guard parserStarts.contains(where: line.hasPrefix) || line.contains(" unexpected arguments: '") else { return line }
    var line = line
    for (phrase, other) in phrases { line = line.replacing(phrase, with: other, maxReplacements: 1) }
    line = line.prefix(1).lowercased() + line.dropFirst()
    if line.hasSuffix("'.") { line.removeLast() }
    return explained(unquoted(line))
  }

  /// The line with what is expected, where the parser says only that a value is invalid.
  private static func explained(_ line: String) -> String {
    guard line.hasPrefix("invalid value ") else { return line }
    // `invalid value "x" for --seed <seed>: invalid seed "x": …`
    if let reason = line.firstRange(of: ">: invalid ") {
      return String(line[line.index(reason.lowerBound, offsetBy: 3)...])
    }
    if let list = line.firstRange(of: "; expected one of ") {
      return String(line[..<list.upperBound]) + line[list.upperBound...].replacing(" and ", with: " or ")
    }
    let expected = expectations.first(where: { line.hasSuffix($0.placeholder) })?.value
    if expected == "a whole number", isWholeNumber(line) { return "\(line): the number is too large" }
    return expected.map { "\(line): expected \($0)" } ?? line
  }

  /// Whether the value in quotation marks has digits only, and is more than a number can be.
  private static func isWholeNumber(_ line: String) -> Bool {
    let value = line.split(separator: "\"").dropFirst().first ?? ""
    return !value.isEmpty && value.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// What values must be, by the placeholders of options.
  private static let expectations: [(placeholder: String, value: String)] = [
    ("--rate <count>", "a number"), ("<count>", "a whole number"), ("<factor>", "a whole number"),
    ("--seed <seed>", "a whole number"), ("<port>", "0 to 65535"), ("<time>", "a time such as 5s, 500ms or 2m"),
  ]

  /// The starts of the parser's own sentences. Every other message is in the style already.
  private static let parserStarts = [
    "Unknown option", "Missing", "Unexpected argument", "The value '", "Value to be set", "Expected ",
  ]

  /// The line with options and placeholders without quotation marks, and values in double ones.
  private static func unquoted(_ line: String) -> String {
    var parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    // A value with an apostrophe in it.
    guard parts.count % 2 == 1 else { return line }
    for index in stride(from: 1, to: parts.count, by: 2)
    where !"-<".contains(parts[index].prefix(1)) || parts[index].isEmpty {
      parts[index] = "\"\(parts[index])\""
    }
    return parts.joined()
  }
}
