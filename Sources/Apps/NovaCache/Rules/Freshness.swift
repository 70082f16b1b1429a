import NovaCore

/// The age of a stored response, and how long it can be used without asking the server (RFC 9111, 4.2). It is never
/// fresh for longer than a redirect that led to it.
struct Freshness: Sendable {
  /// The longest lifetime that the cache assumes if the server specifies none.
  private static let longestGuess = 7.0 * 86_400
  /// A response from further in the future was stored before the clock was set back.
  private static let clockTolerance = 2.0

  /// The seconds since the server created or confirmed the response.
  let age: Double
  /// The age in seconds up to which it is fresh.
  let lifetime: Double

  /// - Parameter now: in seconds since 1970.
  init(_ head: StoredHead, at now: Double) {
    let resident = now - head.responseTime
    var lifetime = Self.lifetime(status: head.status, head.headers, in: head)
    guard resident >= -Self.clockTolerance else {
      // Its age is unknown.
      (age, self.lifetime) = (.infinity, lifetime)
      return
    }
    var age = Self.initialAge(head.headers, head)
    for redirect in head.redirects {
      let other = Self.initialAge(redirect.headers, head)
      let left = min(lifetime - age, Self.lifetime(status: redirect.status, redirect.headers, in: head) - other)
      age = max(age, other)
      lifetime = age + left
    }
    self.age = age + max(0, resident)
    self.lifetime = lifetime
  }

  /// Whether it can be used without asking the server.
  var isFresh: Bool { age < lifetime }
  /// The seconds since it became stale; negative while it is fresh.
  var staleness: Double { age - lifetime }
  /// The value of the field `Age`.
  var ageField: String { String(Int(min(age, Double(CacheControl.longest)))) }

  private static func initialAge(_ headers: HTTPHeaders, _ head: StoredHead) -> Double {
    // `Date` is in whole seconds.
    let apparent = CacheDate.seconds("Date", in: headers).map { head.responseTime.rounded(.down) - $0 } ?? 0
    let delay = max(0, head.responseTime - head.requestTime)
    return max(0, apparent, Self.receivedAge(headers) + delay)
  }

  /// The first valid element of `Age`, as RFC 9111, 5.1, recommends.
  private static func receivedAge(_ headers: HTTPHeaders) -> Double {
    guard let first = FieldList.elements("Age", in: headers).first, first.consists(of: .digits) else { return 0 }
    return Double(min(Int(digits: first[...]) ?? CacheControl.longest, CacheControl.longest))
  }

  /// The lifetime that the server specifies, or else a tenth of the time since the last modification.
  private static func lifetime(status: Int, _ headers: HTTPHeaders, in head: StoredHead) -> Double {
    let control = CacheControl(headers)
    if let seconds = control.seconds("max-age") { return Double(seconds) }
    let date = CacheDate.seconds("Date", in: headers) ?? head.responseTime
    if headers["Expires"] != nil {
      return CacheDate.seconds("Expires", in: headers).map { max(0, $0 - date) } ?? 0
    }
    guard StatusRule.isHeuristicallyCacheable(status) || control.contains("public"),
      let modified = CacheDate.seconds("Last-Modified", in: headers)
    else { return 0 }
    return min(max(0, (date - modified) / 10), longestGuess)
  }
}
