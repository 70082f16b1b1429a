/// Times in scenarios: `90s`, `2 min`, `1h 30min`, `500ms`.
enum ScenarioTime {
  /// From the start of a scenario to its longest time, 30 days.
  static let range = Duration.zero...Duration.seconds(30 * 86_400)

  private static let units: [String: Duration] = [
    "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "min": .seconds(60), "h": .seconds(3600),
    "d": .seconds(86_400),
  ]

  /// Reads a duration of one or more numbers with units; nil for anything else.
  static func parse(_ text: String) -> Duration? {
    var rest = text.filter { $0 != " " }[...]
    guard !rest.isEmpty else { return nil }
    var sum = Duration.zero
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      guard (1...9).contains(digits.utf8.count), let number = Double(digits), let unit = units[String(name)] else {
        return nil
      }
      sum += unit * number
    }
    return sum
  }

  /// The duration as people write it: `1h 30min`.
  static func text(_ duration: Duration) -> String {
    var milliseconds = Int64((duration / .milliseconds(1)).rounded())
    let sign = milliseconds < 0 ? "-" : ""
    milliseconds = abs(milliseconds)
    let parts = [(3_600_000, "h"), (60_000, "min"), (1000, "s"), (1, "ms")].compactMap { size, name -> String? in
      let count = milliseconds / Int64(size)
      milliseconds -= count * Int64(size)
      return count == 0 ? nil : "\(count)\(name)"
    }
    return parts.isEmpty ? "0s" : sign + parts.joined(separator: " ")
  }
}
