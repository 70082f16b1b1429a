import NovaCore

/// The reader of the output has closed it, as `| head` does. Not a failure, and nothing more is to be done.
struct OutputClosed: Error {}

/// Buffered standard output.
final class StandardOutput {
  private var buffer: [UInt8] = []
  let descriptor: Int32
  let styles: Styles
  /// Whether it is a terminal.
  let isTerminal: Bool
  private var filter: (any OutputFilter)?

  /// - Parameters:
  ///   - isTerminal: whether to treat it as a terminal. Default: whether the descriptor is one.
  ///   - filter: what changes the output.
  init(
    _ descriptor: Int32 = System.standardOutput, isTerminal: Bool? = nil, filter: (any OutputFilter)? = nil
  ) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? System.isTerminal(descriptor)
    self.filter = filter
    styles = Styles(descriptor)
  }

  func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 65_536 { try flush() }
  }

  func write(_ text: String) throws { try write(text.utf8) }

  func writeLine(_ bytes: some Sequence<UInt8>) throws {
    try write(bytes)
    try write(CollectionOfOne(UInt8(ascii: "\n")))
  }

  func writeLine(_ text: String) throws { try writeLine(text.utf8) }

  /// Writes JSON, or a part of it. On a terminal, unsafe characters from the server are escaped; a filter gets the JSON as
  /// it is, and escapes its own output.
  func write(json: [UInt8]) throws { try write(isTerminal && filter == nil ? ShownJSON.escaped(json) : json) }

  func writeLine(json: [UInt8]) throws {
    try write(json: json)
    try writeLine("")
  }

  /// Writes IDs, one per line.
  ///
  /// - Throws: ``Failure`` for an ID that is unsafe on a line by itself, before any is written.
  func writeLines(ids: [String]) throws {
    for line in try ids.map({ try OutputID($0).line() }) { try writeLine(line) }
  }

  /// Writes these lines, and nothing else, to standard output.
  static func print(_ lines: String...) throws { try print(lines) }

  static func print(_ lines: [String]) throws {
    let output = StandardOutput()
    for line in lines { try output.writeLine(line) }
    try output.flush()
  }

  /// Writes the buffer.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try send(try filter?.filtered(buffer) ?? buffer)
  }

  /// Writes the buffer, and what a filter makes of it if that takes only a moment.
  func settle() throws {
    try flush()
    if let filter { try send(try filter.settled()) }
  }

  /// Writes the buffer, and the rest of what a filter makes of it. Nothing can be written afterwards.
  ///
  /// - Throws: ``Failure`` if the filter failed.
  func finish() throws {
    try flush()
    guard let last = filter else { return }
    filter = nil
    let (rest, failure) = try last.end()
    try send(rest)
    if let failure { throw failure }
  }

  /// - Throws: ``Failure`` if the program was started without standard output.
  static func require() throws {
    if System.isOutputMissing { throw lost("standard output is closed") }
  }

  private static func lost(_ reason: String) -> Failure {
    var failure = Failure("cannot write the output: \(reason)", .failed)
    failure.isOfOutput = true
    return failure
  }

  private func send(_ bytes: [UInt8]) throws {
    if descriptor == System.standardOutput, !bytes.isEmpty { try Self.require() }
    do throws(SystemError) {
      // Standard error may be the same terminal.
      try StatusLine.standardError.interrupted { () throws(SystemError) in
        try SystemIO.write(bytes, to: descriptor)
      }
    } catch {
      if error.isClosedPipe { throw OutputClosed() }
      throw Self.lost(error.reason)
    }
  }
}

/// An ID as `--output ids` writes it: on a line by itself, for scripts.
struct OutputID {
  private let id: String

  init(_ id: String) { self.id = id }

  /// The ID, which any program that reads lines, including `xargs`, reads as one ID.
  ///
  /// - Throws: ``Failure`` for an ID that could be read as several IDs, as an option, or as a terminal command.
  func line() throws -> String {
    guard let problem else { return id }
    // Each one, also where it joins its neighbors: it is the reason.
    let shown = id.shortened(to: 80).unicodeScalars.map {
      $0.isSafeToShow ? String($0) : "\\u{\(String($0.value, radix: 16))}"
    }.joined()
    throw Failure(
      "cannot list IDs: \"\(shown)\" \(problem)",
      hint: "Use --output ndjson, which escapes it, and read it with a JSON parser such as jq.", .badData)
  }

  private var problem: String? {
    if id.isEmpty { return "is empty" }
    if id.unicodeScalars.contains(where: { !$0.isSafeToShow }) {
      return "contains a control character or an invisible one"
    }
    if id.unicodeScalars.contains(where: \.properties.isWhitespace) {
      return "contains white space, which separates IDs"
    }
    if id.unicodeScalars.contains(where: { "\"'\\".unicodeScalars.contains($0) }) {
      return "contains a quotation mark or a backslash, which shells and xargs interpret"
    }
    return id.hasPrefix("-") ? "begins with \"-\", like an option" : nil
  }
}

/// Makes JSON safe to display on a terminal.
enum ShownJSON {
  /// Equivalent JSON with escapes in place of the characters that are not safe to display.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    // Lower values are already escaped in strings, and occur between them only as line feeds and spaces.
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count)
    let scalars = String(decoding: json, as: UTF8.self).scalars
    for (index, scalar) in scalars.enumerated() {
      if scalar.value < 0x7F || scalars.isShown(at: index) {
        escaped.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      } else {
        escaped.append(contentsOf: scalar.jsonEscape.utf8)
      }
    }
    return escaped
  }
}

/// Text styles, with colors where they are supported.
struct Styles {
  let isColored: Bool

  /// Creates the styles of a stream: colors on a terminal that supports them, unless a variable decides otherwise.
  init(_ descriptor: Int32) {
    self.init(
      isTerminal: System.isTerminal(descriptor), noColor: System.variable("NO_COLOR"),
      terminal: System.variable("TERM"),
      color: System.variable("CLICOLOR"), forcedColor: System.variable("CLICOLOR_FORCE"))
  }

  /// - Parameters:
  ///   - noColor: NO_COLOR: any text turns colors off, even those of CLICOLOR_FORCE.
  ///   - color: CLICOLOR: 0 turns colors off.
  ///   - forcedColor: CLICOLOR_FORCE: anything but 0 turns colors on where there is no terminal, too.
  init(isTerminal: Bool, noColor: String?, terminal: String?, color: String? = nil, forcedColor: String? = nil) {
    let isForced = (forcedColor ?? "0") != "0" && forcedColor != ""
    let isSupported = isTerminal && !["", "dumb"].contains(terminal ?? "") && color != "0"
    isColored = (noColor ?? "").isEmpty && (isForced || isSupported)
  }

  func heading(_ text: String) -> String { wrap(text, "1") }
  func error(_ text: String) -> String { wrap(text, "1;31") }
  /// Magenta, which can be read on black and on white.
  func warning(_ text: String) -> String { wrap(text, "35") }
  func faint(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
