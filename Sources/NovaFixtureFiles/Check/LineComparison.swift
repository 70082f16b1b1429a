import NovaCore

/// Compares files line by line.
struct LineComparison {
  private static let shown = 5

  private var details: [String] = []
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
    guard different > details.count else { return details }
    return details + ["and \(different - details.count) more of \(lines) lines"]
  }

  private mutating func compare(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) {
    lines += 1
    if left == right { return }
    different += 1
    guard details.count < Self.shown else { return }
    details.append("line \(lines): \(Self.difference(left, right))")
  }

  private static func difference(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) -> String {
    guard let left else { return "is only in the second" }
    guard let right else { return "is only in the first" }
    guard let one = object(left), let other = object(right) else {
      return "\(text(Array(left))) | \(text(Array(right)))"
    }
    let differences: [JSONDifference] = one.differences(from: other)
    if differences.isEmpty { return "the same fields in a different format or order" }
    return differences.map { "\($0.path): \(text($0.left)) | \(text($0.right))" }.joined(separator: ", ")
  }

  private static func object(_ line: ArraySlice<UInt8>) -> JSONValue? {
    let bytes = Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line)
    return bytes.first == UInt8(ascii: "{") ? try? JSONValue(jsonUTF8: bytes) : nil
  }

  private static func text(_ value: JSONValue?) -> String { value.map { text($0.jsonUTF8) } ?? "nothing" }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).shortened(to: 60) }
}
