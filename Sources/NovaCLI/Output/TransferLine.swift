/// How far a transfer of bytes is.
struct TransferProgress: Sendable, Hashable {
  enum State: Sendable {
    case starting, running, paused
    /// All bytes are there; the server or the disk finishes.
    case finishing
  }

  var doneBytes = 0
  /// Nil if the length is not known.
  var totalBytes: Int?
  var bytesPerSecond: Double?
  var timeLeft: Duration?
  var state = State.starting

  /// The part that is done, 0 to 1; nil if the length is not known.
  var fraction: Double? {
    guard let totalBytes else { return nil }
    return totalBytes > 0 ? min(1, max(0, Double(doneBytes) / Double(totalBytes))) : 1
  }

  /// `9.8/30.0 MB`, or only what is done if the length is not known.
  var extent: String { totalBytes.map { ByteText.part(doneBytes, of: $0) } ?? ByteText.size(doneBytes) }

  /// 0 to 100; nil if the length is not known.
  var percent: Int? { fraction.map { Int($0 * 100) } }
}

/// A transfer on one line of a terminal: `photo.jpg  [####....]  33 %  9.8/30.0 MB  3.1 MB/s  0:06`.
///
/// A narrow line has no bar and no percentage, and then no rate.
struct TransferLine {
  let name: String
  let progress: TransferProgress

  /// The columns that stay for the name before something else is left out.
  private static let shortestName = 8
  private static let cells = 10...24

  func text(width: Int) -> String {
    let percent = progress.percent.map { "\($0) %".leftPadded(to: 5) }
    let full = ([percent] + [bytes] + pace).compactMap(\.self).joined(separator: "  ")
    let bar = width - full.columns - 2 - 4 - max(Self.shortestName, min(name.columns, 24))
    if let fraction = progress.fraction, bar >= Self.cells.lowerBound {
      let drawn = ProgressLine(fraction: fraction, words: full).text(cells: min(bar, Self.cells.upperBound))
      return line(drawn, separator: "  ", width: width)
    }
    let choices = [([percent] + [bytes] + pace), [bytes] + pace, [bytes] + pace.suffix(1)]
    let texts = choices.map { $0.compactMap(\.self).joined(separator: " ") }
    let short = texts.first { width - $0.columns - 1 >= min(name.columns, Self.shortestName) } ?? texts[2]
    return line(short, separator: " ", width: width)
  }

  private func line(_ figures: String, separator: String, width: Int) -> String {
    let room = width - figures.columns - separator.count
    guard room > 1 else { return figures.cut(to: width) }
    return name.displayed.cut(to: room) + separator + figures
  }

  private var bytes: String? { progress.extent }

  /// The rate and the time left, or what happens instead.
  private var pace: [String?] {
    switch progress.state {
    case .starting: ["starting"]
    case .paused: ["paused"]
    case .finishing: ["finishing"]
    case .running: [progress.bytesPerSecond.map(ByteText.rate), progress.timeLeft.map(\.onClock)]
    }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
