/// A server's request to wait before the next call: the header `Retry-After`, or a `google.rpc.RetryInfo` in a failure.
package enum RetryAfter {
  /// The longest wait, in seconds. The call's deadline ends long waits earlier.
  private static let longest: Int64 = 366 * 86_400

  /// The wait that the server requests; nil if the header is missing or invalid.
  ///
  /// - Parameter unixTime: the time on this machine. If the response has a `Date`, that is used instead, so that a wrong
  ///   clock does not matter.
  package static func wait(_ headers: HTTPHeaders, unixTime: Double) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.consists(of: .digits) {
      return .seconds(min(UInt64(digits: text[...]) ?? UInt64(longest), UInt64(longest)))
    }
    guard let time = HTTPDate.seconds(text) else { return nil }
    let now = headers["Date"].flatMap(HTTPDate.seconds).map(Double.init) ?? unixTime
    return .seconds(min(max(0, Double(time) - now), Double(longest)))
  }

  /// The wait in a failure's details: a list of messages with their `@type`, as gateways write `google.rpc.Status` as JSON.
  ///
  /// - Parameter details: the list; nil if the failure has none.
  package static func wait(details: JSONValue?) -> Duration? {
    guard case .array(let details) = details else { return nil }
    for detail in details {
      guard let type = detail.text("@type") ?? detail.text("type_url") ?? detail.text("typeUrl") else { continue }
      guard type.hasSuffix("/google.rpc.RetryInfo") || type == "google.rpc.RetryInfo" else { continue }
      if let delay = delay(detail) ?? detail["value"].flatMap(delay) { return wait(retryInfo: delay) }
    }
    return nil
  }

  /// The wait that a decoded `google.rpc.RetryInfo` requests, within the bounds.
  package static func wait(retryInfo delay: Duration) -> Duration { min(max(delay, .zero), .seconds(longest)) }

  /// The delay of a `RetryInfo`: as protobuf writes a duration, or as its fields.
  private static func delay(_ info: JSONValue) -> Duration? {
    guard let delay = info["retryDelay"] ?? info["retry_delay"] else { return nil }
    if let text = delay.stringValue { return Duration(protoJSON: text) }
    guard delay.memberList != nil else { return nil }
    let (seconds, nanoseconds) = (number(delay["seconds"]), number(delay["nanos"]))
    guard let seconds, let nanoseconds, abs(seconds) <= longest, abs(nanoseconds) < 1_000_000_000 else { return nil }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// An integer as a number or as text; 0 if it is absent.
  private static func number(_ value: JSONValue?) -> Int64? {
    guard let value else { return 0 }
    return value.integerValue.map { Int64($0) } ?? value.stringValue.flatMap { Int64(decimal: $0) }
  }
}

extension APIError {
  /// The wait that a server requests; nil if the circuit breaker requests it.
  package var serverWait: Duration? { transport == nil ? retryAfter : nil }
}

extension HTTPHeaders {
  /// The time of the server's clock when it responded, in Unix seconds, from `Date`; nil if the response comes from a cache,
  /// where `Date` is the time at which it was stored.
  package var serverTime: Int64? { self["Age"] == nil ? self["Date"].flatMap(HTTPDate.seconds) : nil }
}
