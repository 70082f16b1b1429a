import NovaCore

/// A limit of the bytes per second of bodies.
struct FaultBandwidth: Sendable, Hashable {
  enum Direction: String, Sendable, CaseIterable {
    /// The bodies of requests.
    case up
    /// The bodies of responses.
    case down
    case both
  }

  /// From a byte to a gigabyte per second.
  static let rates = 1.0...1e9
  /// The units, without `/s`: what one is in bytes.
  private static let units: [String: Double] = [
    "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1_048_576, "bit": 0.125, "kbit": 125, "mbit": 125_000,
    "gbit": 125_000_000,
  ]

  let bytesPerSecond: Double
  let direction: Direction
  /// Whether all calls of the rule share the bandwidth; otherwise each response and each request body has all of it.
  let isShared: Bool

  /// Reads the words after `bandwidth`: `20kB/s`, `down 1.5Mbit/s`, `up shared 1MiB/s`; nil for anything else.
  init?(_ words: some Collection<String>) {
    var (direction, isShared) = (Direction.both, false)
    var rest = Array(words)
    if let word = rest.first.flatMap({ Direction(rawValue: $0) }) {
      direction = word
      rest.removeFirst()
    }
    if rest.first == "shared" {
      isShared = true
      rest.removeFirst()
    }
    guard let rate = Self.rate(rest.joined()), Self.rates.contains(rate) else { return nil }
    (bytesPerSecond, self.direction, self.isShared) = (rate, direction, isShared)
  }

  private static func rate(_ text: String) -> Double? {
    guard text.hasSuffix("/s") else { return nil }
    let amount = text.dropLast(2)
    let digits = amount.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    guard (1...12).contains(digits.utf8.count), let unit = units[amount.dropFirst(digits.count).lowercased()] else {
      return nil
    }
    return Double(digits).map { $0 * unit }
  }
}

/// The lines of one bandwidth limit: up and down have each all of it.
struct BandwidthLimit: Sendable {
  let bandwidth: FaultBandwidth
  private let upLine: BandwidthLine
  private let downLine: BandwidthLine

  init(_ bandwidth: FaultBandwidth) {
    self.bandwidth = bandwidth
    (upLine, downLine) = (BandwidthLine(bandwidth), BandwidthLine(bandwidth))
  }

  var up: BandwidthLine? { bandwidth.direction == .down ? nil : upLine }
  var down: BandwidthLine? { bandwidth.direction == .up ? nil : downLine }
}

/// A line of limited bandwidth, on which bytes follow each other.
final class BandwidthLine: Sendable {
  private let bytesPerSecond: Double
  /// When the bytes before have passed; nil before the first.
  private let free = Locked<Moment?>(nil)

  init(_ bandwidth: FaultBandwidth) { bytesPerSecond = bandwidth.bytesPerSecond }

  /// How many bytes pass at once, so that something arrives ten times per second, or as often as bytes do.
  var pieceSize: Int { max(1, min(64 << 10, Int(bytesPerSecond / 10))) }

  /// Sends bytes after those that are on the line, and returns when they have passed.
  func send(_ count: Int, at now: Moment) -> Moment {
    free.withLock { free in
      let start = max(free ?? now, now)
      let end = start.advanced(by: .microseconds(Int64((Double(count) / bytesPerSecond * 1e6).rounded(.up))))
      free = end
      return end
    }
  }
}

extension [BandwidthLine] {
  /// Sends bytes over all lines, and returns when they have passed the slowest.
  func send(_ count: Int, at now: Moment) -> Moment { reduce(now) { Swift.max($0, $1.send(count, at: now)) } }
}
