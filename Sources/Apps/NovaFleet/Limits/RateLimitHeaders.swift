import NovaCore

/// What a response says about the server's own limit: `Retry-After`, `RateLimit-Remaining` with `RateLimit-Reset`, or
/// the field `RateLimit` of the later drafts, `"default";r=0;t=30`.
enum RateLimitHeaders {
  /// How long no call should be made; nil if the response does not ask for it.
  static func pause(_ response: HTTPResponse, unixTime: Double) -> Duration? {
    if response.status == 429 || response.status == 503,
      let wait = RetryAfter.wait(response.headers, unixTime: unixTime)
    {
      return wait
    }
    if number(response.headers["RateLimit-Remaining"]) == 0, let reset = number(response.headers["RateLimit-Reset"]) {
      return .seconds(reset)
    }
    return response.headers["RateLimit"].flatMap(pause(field:))
  }

  /// The longest wait of the policies that are used up.
  static func pause(field: String) -> Duration? {
    var longest: Int64?
    for policy in field.split(separator: ",") {
      var values: [String: Int64] = [:]
      for part in policy.split(whereSeparator: { $0 == ";" }) {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
        if pair.count == 2 { values[pair[0]] = number(pair[1]) }
      }
      if let time = values["t"], values["r"] == 0 { longest = max(time, longest ?? 0) }
    }
    // The form of earlier drafts: `limit=100, remaining=0, reset=30`.
    if longest == nil, field.contains("remaining=0"), let reset = field.firstRange(of: "reset=") {
      longest = number(String(field[reset.upperBound...].prefix { $0.isASCII && $0.isNumber }))
    }
    return longest.map { .seconds($0) }
  }

  private static func number(_ text: String?) -> Int64? {
    guard let text, let value = Int64(text.filter { $0 != " " }), (0...86_400).contains(value) else { return nil }
    return value
  }
}
