import NovaCore

/// The field `Cache-Status`, which reports how a cache handled a request (RFC 9211).
struct CacheStatus: Sendable {
  /// The reason why a request was sent to the server.
  enum Forward: String, Sendable {
    case missing = "uri-miss"
    case variantMissing = "vary-miss"
    case stale
    case request
    case method
    case bypass
  }

  static let field = "Cache-Status"
  private static let name = "nova"

  private var parameters: [String] = []

  /// The request was answered from the cache.
  static func hit(_ freshness: Freshness) -> CacheStatus {
    let limit = Double(CacheControl.longest)
    let ttl = Int(max(-limit, min(limit, -freshness.staleness)).rounded(.down))
    return CacheStatus(parameters: ["hit", "ttl=\(ttl)"])
  }

  /// The request was sent to the server.
  static func forwarded(_ reason: Forward, status: Int? = nil, isStored: Bool = false) -> CacheStatus {
    var parameters = ["fwd=\(reason.rawValue)"]
    if let status { parameters.append("fwd-status=\(status)") }
    if isStored { parameters.append("stored") }
    return CacheStatus(parameters: parameters)
  }

  /// The server failed, and a stale response was returned.
  static func stale(status: Int?) -> CacheStatus {
    CacheStatus(parameters: ["hit"] + forwarded(.stale, status: status).parameters + ["detail=failure"])
  }

  /// The request allowed only a stored response.
  static let unavailable = CacheStatus(parameters: ["detail=only-if-cached"])

  /// The request was answered with the response to another request.
  var collapsed: CacheStatus { CacheStatus(parameters: parameters + ["collapsed"]) }

  /// Adds this cache's report, after those of caches closer to the server.
  func add(to headers: inout HTTPHeaders) {
    headers.append(name: Self.field, value: ([Self.name] + parameters).joined(separator: "; "))
  }
}
