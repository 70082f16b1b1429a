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
    let entries = requests.map { Self.entry(MockRequestRecord($0)) }
    return .json(.members(("requests", .array(entries)), ("last", .number(String(last)))))
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
    return .members(
      ("number", .number(String(record.number))), ("time", .string(time(record.unixTime))),
      ("method", .string(record.method)), ("path", .string(record.path)), ("rpc", text(record.rpc)),
      ("status", record.status.map { .number(String($0)) } ?? .null),
      ("duration_ms", .number(milliseconds(record.duration))), ("request_id", text(record.requestID)),
      ("fault", text(record.fault)), ("request_body", text(record.requestBody)),
      ("response_body", text(record.responseBody)))
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
    return "\(microseconds / 1000).\((microseconds % 1000).padded(to: 3))"
  }
}
