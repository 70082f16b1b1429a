import NovaCore

/// Compares files line by line.
struct LineComparison {
  private static let shown = 5

  private var details: [String] = []
  private var different = 0
  private var lines = 0

  /// What differs; nothing when the files are the same.
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
    guard let (one, other) = objects(left, right) else { return "\(text(Array(left))) | \(text(Array(right)))" }
    let names = one.map(\.name) + other.map(\.name).filter { name in !one.contains { $0.name == name } }
    let fields = names.compactMap { name -> String? in
      let values = (one.first { $0.name == name }?.value, other.first { $0.name == name }?.value)
      return values.0 == values.1 ? nil : "\(name): \(text(values.0)) | \(text(values.1))"
    }
    return fields.isEmpty ? "the same fields in another form or order" : fields.joined(separator: ", ")
  }

  private static func objects(
    _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) -> ([JSONValue.Member], [JSONValue.Member])? {
    func members(_ line: ArraySlice<UInt8>) -> [JSONValue.Member]? {
      let bytes = Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line)
      guard bytes.first == UInt8(ascii: "{"), case .object(let members)? = try? JSONValue(jsonUTF8: bytes) else {
        return nil
      }
      return members
    }
    guard let one = members(left), let other = members(right) else { return nil }
    return (one, other)
  }

  private static func text(_ value: JSONValue?) -> String { value.map { text($0.jsonUTF8) } ?? "nothing" }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).shortened(to: 60) }
}
