/// A server's `Retry-After`: seconds, or the time of day.
package enum RetryAfter {
  /// More than a day is no wait but a refusal; it is kept as it is and then meets the call's deadline.
  private static let longest: Int64 = 366 * 86_400

  /// How long the server wants to be left alone; nil if it says nothing that makes sense.
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
}
