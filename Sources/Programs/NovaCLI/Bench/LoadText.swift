import NovaCore

/// Figures of a load for people.
enum LoadText {
  /// Three digits: `83 µs`, `1.23 ms`, `45.6 ms`, `123 ms`, `1.23 s`.
  static func latency(_ duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    if microseconds < 999.5 { return "\(Int(microseconds.rounded())) µs" }
    if microseconds < 999_500 { return "\(digits(microseconds / 1000)) ms" }
    return "\(digits(microseconds / 1_000_000)) s"
  }

  /// `50 per second`
  static func rate(_ rate: Double) -> String {
    "\(rate < 1000 ? shortest(rate) : CountText.full(Int(rate.rounded()))) per second"
  }

  /// `0.4 %`
  static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0 %" }
    let percent = Double(part) / Double(whole) * 100
    // Neither 0 % nor 100 % for something in between.
    if part > 0, percent < 0.01 { return "less than 0.01 %" }
    if part < whole, percent > 99.99 { return "more than 99.99 %" }
    return "\(shortest(percent)) %"
  }

  /// `+12 %`, `-3.4 %`; `0 %` for no change.
  static func change(from earlier: Duration, to later: Duration) -> String {
    guard earlier > .zero else { return later > .zero ? "from 0" : "0 %" }
    let percent = (later / earlier - 1) * 100
    let text = abs(percent) < 9.95 ? shortest((percent * 10).rounded() / 10) : "\(Int(percent.rounded()))"
    return "\(percent > 0 && text != "0" ? "+" : "")\(text) %"
  }

  /// Three digits.
  private static func digits(_ number: Double) -> String {
    let decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0
    let scale = [1.0, 10, 100][decimals]
    let scaled = Int((number * scale).rounded())
    guard decimals > 0 else { return "\(scaled)" }
    return "\(scaled / Int(scale)).\((scaled % Int(scale)).padded(to: decimals))"
  }

  /// At most two decimal places, without zeros at the end.
  private static func shortest(_ number: Double) -> String {
    let text = String((number * 100).rounded() / 100)
    let shown = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return shown == "-0" ? "0" : shown
  }
}
