import NovaCore

/// Splits input into lines, whichever way it is divided into pieces. It never keeps more than a limit of one line.
struct LineSplitter {
  enum Line: Equatable, Sendable {
    /// A line, without the line break.
    case content([UInt8])
    /// A line that is longer than the limit.
    case tooLong
  }

  /// The maximum number of bytes of a line.
  let limit: Int
  private var lines = Queue<Line>()
  private var partial: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  mutating func add(_ bytes: [UInt8]) {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      extend(with: bytes[start..<end])
      endLine()
      start = end + 1
    }
    extend(with: bytes[start...])
  }

  /// Ends the last line, which need not have a line break.
  mutating func finish() { endLine() }

  /// The next complete line; nil if there is none yet. Lines with nothing but white space are left out.
  mutating func next() -> Line? { lines.popFirst() }

  private mutating func extend(with bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    if partial.count + bytes.count > limit {
      isTooLong = true
      partial = []
    } else {
      partial += bytes
    }
  }

  private mutating func endLine() {
    defer {
      partial = []
      isTooLong = false
    }
    if isTooLong { return lines.append(.tooLong) }
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    if !partial.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { lines.append(.content(partial)) }
  }
}
