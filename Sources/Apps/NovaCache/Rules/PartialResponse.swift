import NovaCore

/// A part of a stored response, which answers a request with `Range` (RFC 9110, 14).
enum PartialResponse {
  /// The bytes that a `Range` field requests. Nil unless it requests exactly one range within the response: only the
  /// server answers anything else.
  ///
  /// - Parameter count: the size of the whole response.
  static func requested(_ field: String, of count: Int) -> Range<Int>? {
    if case .part(let range) = RequestedRange(field, of: count) { range } else { nil }
  }

  /// Whether an `If-Range` condition allows a part of the stored response.
  static func isAllowed(by condition: String?, _ headers: HTTPHeaders) -> Bool {
    guard let condition else { return true }
    if Validators.isStrong(condition) { return headers["ETag"] == condition }
    guard let modified = headers["Last-Modified"], modified == condition,
      let time = CacheDate.seconds(modified), let date = CacheDate.seconds("Date", in: headers)
    else { return false }
    // RFC 9110, 8.8.2.2: a date is a strong validator only if it is more than a second old.
    return date - time >= 1
  }

  /// The fields of a part.
  static func headers(_ range: Range<Int>, of count: Int, _ headers: HTTPHeaders) -> HTTPHeaders {
    var headers = headers
    headers["Content-Length"] = String(range.count)
    headers["Content-Range"] = ContentRange(range, of: count).text
    return headers
  }
}
