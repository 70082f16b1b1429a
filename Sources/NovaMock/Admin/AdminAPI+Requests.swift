import NovaCore

extension AdminAPI {
  func requests(_ query: String) throws(MockFailure) -> HTTPResponse {
    var (after, limit) = (0, RequestLog.capacity)
    for (name, value) in PercentEncoding.pairs(query) {
      switch name {
      case "after": after = try Self.number(name, from: value, in: 0...Int.max)
      case "limit": limit = try Self.number(name, from: value, in: 1...RequestLog.capacity)
      default:
        throw MockFailure(.invalidArgument, "unknown parameter \(name.shortened(to: 40)); expected after or limit")
      }
    }
    let (requests, last) = backend.log.withLock { ($0.requests(after: after, limit: limit), $0.last) }
    return .json(
      .object([
        .init(name: "requests", value: .array(requests.map { Self.entry(MockRequestRecord($0)) })),
        .init(name: "last", value: .number(String(last))),
      ]))
  }

  private static func number(_ name: String, from text: String, in range: ClosedRange<Int>) throws(MockFailure) -> Int {
    guard text.utf8.allSatisfy(\.isASCIIDigit), let value = Int(text), range.contains(value) else {
      throw MockFailure(
        .invalidArgument,
        "\(name) is \"\(text.shortened(to: 40))\"; expected a whole number of at least \(range.lowerBound)"
          + (range.upperBound == .max ? "" : " and at most \(range.upperBound)"))
    }
    return value
  }

  private static func entry(_ record: MockRequestRecord) -> JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return .object([
      .init(name: "number", value: .number(String(record.number))),
      .init(name: "time", value: .string(time(record.unixTime))),
      .init(name: "method", value: .string(record.method)),
      .init(name: "path", value: .string(record.path)),
      .init(name: "rpc", value: text(record.rpc)),
      .init(name: "status", value: record.status.map { .number(String($0)) } ?? .null),
      .init(name: "duration_ms", value: .number(milliseconds(record.duration))),
      .init(name: "request_id", value: text(record.requestID)),
      .init(name: "fault", value: text(record.fault)),
      .init(name: "request_body", value: text(record.requestBody)),
      .init(name: "response_body", value: text(record.responseBody)),
    ])
  }

  private static func time(_ unixTime: Double) -> String {
    let milliseconds = Int64((unixTime * 1000).rounded(.down))
    let seconds = (Double(milliseconds) / 1000).rounded(.down)
    let rest = milliseconds - Int64(seconds) * 1000
    return Timestamp(seconds: Int64(seconds), nanoseconds: Int32(rest) * 1_000_000).description
  }

  /// Formats a duration in milliseconds with three decimal places.
  private static func milliseconds(_ duration: Duration) -> String {
    let microseconds = Int(max(0, duration / .microseconds(1)))
    let fraction = String(microseconds % 1000)
    return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
