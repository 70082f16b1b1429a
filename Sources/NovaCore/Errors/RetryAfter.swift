/// A server's wish to be left alone for a while: the header `Retry-After`, or a `google.rpc.RetryInfo` in a failure.
package enum RetryAfter {
  /// More than a day is a refusal rather than a wait; the call's deadline ends it.
  private static let longest: Int64 = 366 * 86_400

  /// The wait that the server requests; nil if the header is missing or invalid.
  ///
  /// - Parameter unixTime: the time here. A response that carries its own `Date` is measured by that, so that it does
  ///   not matter whose clock is wrong.
  package static func wait(_ headers: HTTPHeaders, unixTime: Double) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.consists(of: .digits) {
      return .seconds(min(UInt64(digits: text[...]) ?? UInt64(longest), UInt64(longest)))
    }
    guard let time = HTTPDate.seconds(text) else { return nil }
    let now = headers["Date"].flatMap(HTTPDate.seconds).map(Double.init) ?? unixTime
    return .seconds(min(max(0, Double(time) - now), Double(longest)))
  }

  /// The wait in a failure's details, as grpc-gateway writes them: a list of messages with their `@type`.
  static func wait(details: JSONValue?) -> Duration? {
    guard case .array(let details) = details else { return nil }
    for detail in details where detail.text("@type")?.hasSuffix("/google.rpc.RetryInfo") == true {
      guard let text = detail.text("retryDelay") ?? detail.text("retry_delay"), let wait = Duration(protoJSON: text)
      else { continue }
      return min(max(wait, .zero), .seconds(longest))
    }
    return nil
  }
}

extension APIError {
  /// The wait that a server requests, and not the circuit breaker here.
  package var serverWait: Duration? { transport == nil ? retryAfter : nil }
}
