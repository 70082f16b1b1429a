import Tracing

/// Where a span is in a trace, as [W3C's Trace Context](https://www.w3.org/TR/trace-context/) has it.
public struct TraceContext: Sendable, Hashable {
  /// 32 hexadecimal digits.
  public let traceID: String
  /// 16 hexadecimal digits.
  public let spanID: String
  /// Whether the spans of the trace are recorded. What starts a trace decides it.
  public let isSampled: Bool
  /// Other vendors' positions, passed on as they are.
  public let state: String?
  /// Whether another process has sent it.
  let isRemote: Bool

  /// A span of its own, in the trace of its parent or in a new one.
  init(childOf parent: TraceContext?) {
    traceID = parent?.traceID ?? .randomHex(digits: 32)
    spanID = .randomHex(digits: 16)
    isSampled = parent?.isSampled ?? true
    state = parent?.state
    isRemote = false
  }

  /// Reads a `traceparent` header; nil if it is invalid, and then a new trace starts.
  public init?(traceparent text: String, tracestate: String? = nil) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isHex(2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      parts[1].isHex(32), parts[2].isHex(16), parts[3].isHex(2), parts[1].contains(where: { $0 != "0" }),
      parts[2].contains(where: { $0 != "0" }), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    (traceID, spanID, isSampled) = (String(parts[1]), String(parts[2]), flags & 1 == 1)
    state = tracestate?.isEmpty == false ? tracestate : nil
    isRemote = true
  }

  /// The value of the `traceparent` header.
  public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }
}

private enum TraceContextKey: ServiceContextKey {
  typealias Value = TraceContext
  static let nameOverride: String? = "otlp-trace-context"
}

extension ServiceContext {
  /// The current span's place in its trace.
  public var traceContext: TraceContext? {
    get { self[TraceContextKey.self] }
    set { self[TraceContextKey.self] = newValue }
  }
}

extension Substring {
  /// Whether it has this many hexadecimal digits, in lower case.
  fileprivate func isHex(_ count: Int) -> Bool {
    utf8.count == count && utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension String {
  /// Random digits, not all of them 0.
  fileprivate static func randomHex(digits: Int) -> String {
    var text = ""
    while text.allSatisfy({ $0 == "0" }) {
      text = (0..<digits).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
    }
    return text
  }
}
