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

/// A transfer on one line of a terminal: `photo.jpg  [####....]  33 %   9.8/30.0 MB    3.1 MB/s   0:06`.
///
/// A narrow line has no bar and no percentage, and then no rate. Lines that are shown together have the same columns, which
/// keep their places while the numbers change.
struct TransferLine {
  let name: String
  let progress: TransferProgress

  /// The lines of transfers that are shown together.
  static func texts(_ lines: [TransferLine], width: Int) -> [String] {
    let layout = TransferLayout(lines, width: width)
    return lines.map(layout.text)
  }

  /// How much is done, right-aligned for all progress.
  fileprivate var extent: String { progress.extent.leftPadded(to: widestExtent) }

  private var widestExtent: Int {
    // Of an unknown length: `999.9 MB`.
    progress.totalBytes.map { ByteText.part($0, of: $0).columns } ?? 8
  }

  fileprivate var percent: String { progress.percent.map { "\($0) %" } ?? "" }
  fileprivate var rate: String { progress.bytesPerSecond.map(ByteText.rate) ?? "" }
  fileprivate var timeLeft: String { progress.timeLeft.map(\.onClock) ?? "" }

  /// What happens in the place of the rate and the time left.
  fileprivate var word: String? {
    switch progress.state {
    case .starting: "starting"
    case .paused: "paused"
    case .finishing: "finishing"
    case .running: nil
    }
  }
}

/// The columns that lines of transfers share.
private struct TransferLayout {
  /// What is shown beside the name.
  private enum Detail: CaseIterable { case bar, percent, rate, time }

  /// The columns that stay for the name before something else is left out.
  private static let shortestName = 8
  private static let cells = 10...24
  /// `999.9 kB/s` and `59:59`.
  private static let (rate, time) = (10, 5)

  private let width: Int
  private let detail: Detail
  private let name: Int
  private let cells: Int
  private let extent: Int
  private let time: Int

  init(_ lines: [TransferLine], width: Int) {
    let extent = lines.map(\.extent.columns).max() ?? 0
    let time = max(Self.time, lines.map(\.timeLeft.columns).max() ?? 0)
    let longest = lines.map(\.name.displayed.columns).max() ?? 0
    /// The columns after the name.
    func rest(_ detail: Detail) -> Int {
      switch detail {
      // The brackets of the bar, and the gaps.
      case .bar: 2 + 2 + 6 + 2 + extent + 2 + Self.rate + 2 + time
      case .percent: 6 + 1 + extent + 1 + Self.rate + 1 + time
      case .rate: 1 + extent + 1 + Self.rate + 1 + time
      case .time: 1 + extent + 1 + max(time, lines.compactMap(\.word?.columns).max() ?? 0)
      }
    }
    let bar = width - rest(.bar) - max(Self.shortestName, min(longest, 24))
    let hasFractions = lines.contains { $0.progress.fraction != nil }
    let isBarShown = bar >= Self.cells.lowerBound && hasFractions
    let detail =
      isBarShown
      ? .bar
      : (hasFractions ? [.percent, .rate] : [.rate]).first { width - rest($0) >= min(longest, Self.shortestName) }
        ?? Detail.time
    let cells = isBarShown ? min(bar, Self.cells.upperBound) : 0
    (self.width, self.detail, self.extent, self.time, self.cells) = (width, detail, extent, time, cells)
    name = min(longest, max(0, width - rest(detail) - cells))
  }

  func text(_ line: TransferLine) -> String {
    let figures = figures(line)
    let gap = detail == .bar ? "  " : " "
    // Only on terminals too narrow for any name.
    guard name > 1 else { return figures.cut(to: width) }
    let start = line.name.displayed.cutInTheMiddle(to: name).padded(to: name)
    let text = (start + gap + figures).cut(to: width)
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  private func figures(_ line: TransferLine) -> String {
    let extent = line.extent.leftPadded(to: extent)
    let time = line.timeLeft.leftPadded(to: time)
    let rate = line.rate.leftPadded(to: Self.rate)
    switch detail {
    case .bar:
      let percent = line.percent.leftPadded(to: 5)
      let pace = line.word ?? "\(rate)  \(time)"
      guard let fraction = line.progress.fraction else {
        return [String(repeating: " ", count: cells + 2) + " \(percent)", extent, pace].joined(separator: "  ")
      }
      let bar = ProgressLine(fraction: fraction, words: percent).text(cells: cells)
      return [bar, extent, pace].joined(separator: "  ")
    case .percent:
      return [line.percent.leftPadded(to: 5), extent, line.word ?? "\(rate) \(time)"].joined(separator: " ")
    case .rate: return [extent, line.word ?? "\(rate) \(time)"].joined(separator: " ")
    case .time: return [extent, line.word ?? time].joined(separator: " ")
    }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
