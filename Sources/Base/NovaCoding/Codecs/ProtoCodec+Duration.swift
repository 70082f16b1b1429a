import NovaSupport

/// `google.protobuf.Duration`, as Swift's `Duration`. Digits beyond nanoseconds are dropped. Reading and writing fail
/// for more than 315,576,000,000 seconds (10,000 years).
public struct DurationCodec: ProtoCodec {
  public typealias Coded = CodedDuration
  package static var expected: StaticString { "a duration in seconds, such as \"1.5s\", of less than 315576000001s" }
  public init() {}
  public static var defaultValue: Duration { .zero }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Duration {
    try reader.parsed(expected) { Duration(protoJSON: $0) }
  }

  public static func write(_ value: Duration, to writer: inout ProtoJSONWriter) {
    if value.protoJSON == nil { writer.report("\(expected)", found: "\(value.components.seconds)s") }
    writer.append(string: value.protoJSON ?? "")
  }

  public static func coded(_ value: Duration) -> CodedDuration { CodedDuration(value: value) }
  public static func value(_ coded: CodedDuration) -> Duration { coded.value }

  public static func plain(_ value: Duration) -> PlainValue { .duration(value) }
}

/// A duration in seconds, as `"1.5s"`.
public struct CodedDuration: Codable, Sendable {
  /// The duration.
  public let value: Duration

  init(value: Duration) { self.value = value }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Duration(protoJSON: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected \(DurationCodec.expected)")
    }
    self.value = value
  }

  public func encode(to encoder: any Encoder) throws {
    guard let text = value.protoJSON else {
      throw encoder.invalid(value, expected: "\(DurationCodec.expected)")
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ProtoCodec where Self == DurationCodec {
  /// `google.protobuf.Duration` as `Duration`.
  public static var duration: Self { Self() }
}

extension Duration {
  /// The range of `google.protobuf.Duration`, in seconds.
  private static let validSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// Parses seconds with an optional fraction of up to nine digits, and an `s`; nil for other text and for more than
  /// 10,000 years.
  package init?(protoJSON text: String) {
    guard text.hasSuffix("s") else { return nil }
    let isNegative = text.hasPrefix("-")
    let parts = String(text.dropFirst(isNegative ? 1 : 0).dropLast()).parts(between: ".", keepsEmpty: true)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard (1...2).contains(parts.count), (1...9).contains(fraction.utf8.count),
      let seconds = UInt64(digits: parts[0][...]), let nanoseconds = UInt64(digits: fraction[...])
    else { return nil }
    var attoseconds = Int64(nanoseconds)
    for _ in fraction.utf8.count..<18 { attoseconds *= 10 }
    guard seconds <= Self.validSeconds.upperBound else { return nil }
    let sign: Int64 = isNegative ? -1 : 1
    self.init(secondsComponent: sign * Int64(seconds), attosecondsComponent: sign * attoseconds)
  }

  /// The seconds with 0, 3, 6, or 9 digits of fraction, and an `s`; nil for more than 10,000 years.
  package var protoJSON: String? {
    let (seconds, attoseconds) = components
    let nanoseconds = Int(attoseconds.magnitude / 1_000_000_000)
    guard Self.validSeconds.contains(seconds) else { return nil }
    let isNegative = seconds < 0 || attoseconds < 0 && nanoseconds > 0
    return "\(isNegative ? "-" : "")\(seconds.magnitude)\(nanoseconds.fractionOfSecond)s"
  }
}
