import NovaCore

/// Changes output on its way to standard output.
protocol OutputFilter: AnyObject {
  /// Takes output, and returns what is ready to be written.
  func filtered(_ bytes: [UInt8]) throws -> [UInt8]
  /// Returns the rest, and why not everything could be filtered.
  func end() throws -> (rest: [UInt8], failure: Failure?)
  /// Returns what is ready to be written after a moment.
  func settled() throws -> [UInt8]
}

extension OutputFilter {
  func settled() throws -> [UInt8] { [] }
}

/// Passes JSON through the system's `jq`.
final class JQFilter: OutputFilter {
  private let process: ChildProcess
  private let path: String
  private let expression: String
  private let isTerminal: Bool
  private var integers = LargeIntegers()
  /// Whether this jq rounds large integers; nil before the first one.
  private var isRounding: Bool?
  /// The beginning of a line whose end did not arrive yet.
  private var rest: [UInt8] = []

  /// Starts jq.
  ///
  /// - Throws: ``Failure`` if jq cannot be run.
  init(_ expression: String, isTerminal: Bool = System.isTerminal(System.standardOutput)) throws {
    self.isTerminal = isTerminal
    guard let path = System.searchPath(for: "jq").first(where: System.isProgram) else {
      throw Failure(
        "cannot run --jq: the program jq was not found on the PATH",
        hint: "Install it (Debian, Ubuntu: apt-get install jq; macOS: brew install jq), or use --template.", .failed)
    }
    // A space, so that jq does not take an expression such as -1 for an option.
    let arguments = ["--unbuffered", "-M", "-r"] + (isTerminal ? [] : ["-c"]) + [" \(expression)"]
    (self.path, self.expression) = (path, expression)
    process = try Self.running { try ChildProcess(path, arguments) }
  }

  /// Checks an expression, by starting jq without input.
  ///
  /// - Throws: ``Failure`` if jq cannot be run, or does not accept the expression.
  static func check(_ expression: String) throws {
    let check = try JQFilter(expression, isTerminal: false)
    if let failure = try check.end().failure { throw failure }
    if let integer = JQExpression(expression).unsafeIntegers.first, try rounds(check.path) {
      throw rounding("the expression has \(integer)", "select by other fields")
    }
  }

  func filtered(_ bytes: [UInt8]) throws -> [UInt8] {
    let input = try integers.replaced(in: bytes, isText: mustBeText)
    return shown(try Self.running { try process.exchange(input) })
  }

  func settled() throws -> [UInt8] {
    shown(try Self.running { try process.exchange([], patience: 200) })
  }

  func end() throws -> (rest: [UInt8], failure: Failure?) {
    let input = try integers.replaced(in: [], isLast: true, isText: mustBeText)
    let (output, status) = try Self.running {
      let output = input.isEmpty ? [] : try process.exchange(input)
      let (rest, status) = try process.finish()
      return (output + rest, status)
    }
    let last = shown(output) + (isTerminal ? Self.escaped(rest) : [])
    return (last, status == 0 ? nil : Self.failure(process.errorText, status))
  }

  /// Whether an integer must be passed as a text to keep its digits.
  ///
  /// - Throws: ``Failure`` if the expression treats a text differently.
  private func mustBeText(_ integer: String) throws -> Bool {
    let isRounding = try self.isRounding ?? Self.rounds(path)
    self.isRounding = isRounding
    guard isRounding else { return false }
    guard JQExpression(expression).passesValuesOn else {
      throw Self.rounding("the output has \(integer)", "use an expression that only selects values")
    }
    return true
  }

  private static func rounding(_ reason: String, _ advice: String) -> Failure {
    Failure(
      "--jq failed: this version of jq rounds integers above 2^53, and \(reason)",
      hint: "Install jq 1.7 or later, \(advice), or use --template.", .badData)
  }

  /// Tries jq itself, because versions and forks differ.
  private static func rounds(_ path: String) throws -> Bool {
    let integers = "[9007199254740993,9223372036854775807]\n"
    return try running {
      let process = try ChildProcess(path, ["-c", "."])
      let output = try process.exchange(Array(integers.utf8))
      let rest = try process.finish().output
      return String(decoding: output + rest, as: UTF8.self) != integers
    }
  }

  /// The output, with its complete lines escaped on a terminal.
  private func shown(_ output: [UInt8]) -> [UInt8] {
    guard isTerminal else { return output }
    var lines = (rest + output).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = lines.popLast().map(Array.init) ?? []
    return lines.flatMap { Self.escaped(Array($0)) + [UInt8(ascii: "\n")] }
  }

  /// A line with unsafe characters escaped as in JSON, except tabs, which expressions write between columns.
  private static func escaped(_ line: [UInt8]) -> [UInt8] {
    let parts = String(decoding: line, as: UTF8.self).parts(between: "\t", keepsEmpty: true)
    return Array(parts.map(\.escapingControls).joined(separator: "\t").utf8)
  }

  private static func running<Result>(_ body: () throws -> Result) throws -> Result {
    try Failure.explaining("cannot run jq", body)
  }

  /// What jq reported: `jq: error (at <stdin>:1): Cannot iterate over null (null)`.
  private static func failure(_ errors: [UInt8], _ status: Int32) -> Failure {
    let lines = String(decoding: errors, as: UTF8.self).parts(between: "\n", keepsEmpty: false)
    var reason = lines.first ?? "jq ended with exit code \(status)"
    if let place = reason.firstRange(of: "): "), reason.hasPrefix("jq: error (at ") {
      reason = String(reason[place.upperBound...])
    } else if reason.hasPrefix("jq: error: ") {
      reason = String(reason.dropFirst(11))
    }
    if reason.hasSuffix(":") { reason.removeLast() }
    let isExpression = status == 2 || status == 3
    return Failure(
      "\(isExpression ? "invalid --jq" : "--jq failed"): \(reason.printable(to: 300))",
      hint: isExpression ? "The manual of jq explains its expressions: https://jqlang.org/manual/" : nil,
      isExpression ? .usage : .badData)
  }
}
