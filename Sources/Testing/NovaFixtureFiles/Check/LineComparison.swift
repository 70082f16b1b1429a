import NovaCore

/// Compares files line by line.
struct LineComparison {
  private static let shown = 5
  /// The length of a value's excerpt in characters.
  private static let length = 60

  private var details: [String] = []
  /// The number of lines in the details.
  private var detailed = 0
  private var different = 0
  private var lines = 0

  /// Returns the differences; empty if the files are the same.
  static func run(_ one: String, _ other: String) throws(FixtureError) -> [String] {
    var first = try InputFile(one)
    var second = try InputFile(other)
    var comparison = LineComparison()
    while true {
      let (left, right) = try (first.line(), second.line())
      if left == nil, right == nil { break }
      comparison.compare(left, right)
      if comparison.lines % 1024 == 0, Task.isCancelled { throw .cancelled }
    }
    return comparison.result
  }

  private var result: [String] {
    guard different > detailed else { return details }
    return details + ["and \(different - detailed) more of \(lines) lines"]
  }

  private mutating func compare(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) {
    lines += 1
    if left == right { return }
    different += 1
    guard details.count < Self.shown else { return }
    detailed += 1
    let found = Self.differences(left, right).map { "line \(lines): \($0)" }
    details += found.prefix(Self.shown - details.count)
  }

  /// The differences of a line: one for each field, if the lines are JSON.
  private static func differences(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) -> [String] {
    guard let left else { return ["is only in the second"] }
    guard let right else { return ["is only in the first"] }
    guard let one = object(left), let other = object(right) else {
      let (first, second) = excerpts(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
      return ["\(first) | \(second)"]
    }
    let differences: [JSONDifference] = one.differences(from: other)
    if differences.isEmpty { return ["the same fields in a different format or order"] }
    return differences.map { difference in
      if case .string(let left)? = difference.left, case .string(let right)? = difference.right {
        let (first, second) = excerpts(left, right)
        return "\(difference.path): \(text(.string(first))) | \(text(.string(second)))"
      }
      let (first, second) = excerpts(text(difference.left), text(difference.right))
      return "\(difference.path): \(first) | \(second)"
    }
  }

  /// The parts of two texts around their first difference.
  private static func excerpts(_ left: String, _ right: String) -> (String, String) {
    let isLong = max(left.count, right.count) > length
    let common = isLong ? zip(left, right).prefix { $0 == $1 }.count : 0
    let start = max(0, common - length / 3)
    func excerpt(_ text: String) -> String {
      (start > 0 ? "…" : "") + String(text.dropFirst(start)).shortened(to: length)
    }
    return (excerpt(left), excerpt(right))
  }

  private static func object(_ line: ArraySlice<UInt8>) -> JSONValue? {
    let bytes = Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line)
    return bytes.first == UInt8(ascii: "{") ? try? JSONValue(jsonUTF8: bytes) : nil
  }

  private static func text(_ value: JSONValue?) -> String {
    value.map { String(decoding: $0.jsonUTF8, as: UTF8.self) } ?? "nothing"
  }
}
