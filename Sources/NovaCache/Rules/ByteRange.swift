import NovaCore

/// A request for one part of a response (RFC 9110, 14).
enum ByteRange {
  /// The bytes that a field `Range` asks for. Nil unless it asks for exactly one range that is within the response: the
  /// server answers anything else.
  ///
  /// - Parameter count: the size of the whole response.
  static func requested(_ field: String, of count: Int) -> Range<Int>? {
    guard field.hasPrefix("bytes=") else { return nil }
    let parts = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].isEmpty {
      guard let length = Int(digits: parts[1]), length > 0, count > 0 else { return nil }
      return max(0, count - length)..<count
    }
    guard let first = Int(digits: parts[0]), first < count else { return nil }
    if parts[1].isEmpty { return first..<count }
    guard let last = Int(digits: parts[1]), last >= first else { return nil }
    return first..<(min(last, count - 1) + 1)
  }

  /// Whether a condition `If-Range` allows a part of the stored response.
  static func isAllowed(by condition: String?, _ headers: HTTPHeaders) -> Bool {
    guard let condition else { return true }
    if Validators.isStrong(condition) { return headers["ETag"] == condition }
    guard let modified = headers["Last-Modified"], modified == condition,
      let time = CacheDate.seconds(modified), let date = CacheDate.seconds("Date", in: headers)
    else { return false }
    // RFC 9110, 8.8.2.2: a date is a strong validator only if it is older than a second.
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
