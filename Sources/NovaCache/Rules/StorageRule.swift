import NovaCore

/// What a status code means for caches.
enum StatusRule {
  /// Whether a response with this status can be reused although its server gave no lifetime (RFC 9110, 15.1). 206 is
  /// missing, because parts of responses are not stored.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether the cache meets what the status requires of caches, which `must-understand` asks for.
  static func isUnderstood(_ status: Int) -> Bool {
    isHeuristicallyCacheable(status) || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
  }

  /// Whether a server reports with it that it fails for the moment (RFC 5861, 4).
  static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}

/// Decides what may be stored (RFC 9111, 3).
enum StorageRule {
  static func allows(_ head: StoredHead, for request: HTTPRequest) -> Bool {
    guard (200...599).contains(head.status), head.status != 206, head.status != 304, isWhole(head) else { return false }
    // A failure under the status of a success.
    if head.status < 300, head.headers.failedGRPCStatus != nil { return false }
    let control = CacheControl(head.headers)
    if CacheControl(request.headers).contains("no-store") { return false }
    // Where a redirect led must not be stored either.
    guard head.isRecognizable, !head.redirects.contains(where: { CacheControl($0.headers).contains("no-store") }) else {
      return false
    }
    if control.contains("must-understand") {
      // The directive replaces `no-store` for caches that know it.
      guard StatusRule.isUnderstood(head.status) else { return false }
    } else if control.contains("no-store") {
      return false
    }
    return isUseful(head, control)
  }

  /// Whether nothing shows that the body is only a part, whatever the status.
  static func isWhole(_ head: StoredHead) -> Bool {
    guard [200, 203].contains(head.status) else { return true }
    // The engine sees to what is compressed.
    let extent = BodyExtent(
      status: head.status, headers: head.headers, length: head.headers.contentLength, isDecoded: true)
    if case .whole = extent { return true } else { return false }
  }

  /// Whether there will be a way to reuse the response: for a while, or after a validation.
  private static func isUseful(_ head: StoredHead, _ control: CacheControl) -> Bool {
    guard
      control.contains("public") || control.contains("private") || control.contains("max-age")
        || head.headers["Expires"] != nil || StatusRule.isHeuristicallyCacheable(head.status)
    else { return false }
    if Validators(head.headers) != nil { return true }
    return !control.requiresValidation && !head.redirects.contains(where: \.requiresValidation)
      && Freshness(head, at: head.responseTime).isFresh
  }
}

/// Decides whether the response to one caller may be the answer to others.
enum SharingRule {
  /// RFC 9111, 3.5: what a server must send so that responses to requests with `Authorization` reach others. So must every
  /// server that redirected to it. Many servers leave out `Vary: Authorization`, so the same holds for the responses to
  /// requests without it.
  static func allows(_ head: StoredHead) -> Bool {
    allows(CacheControl(head.headers)) && head.redirects.allSatisfy { allows(CacheControl($0.headers)) }
  }

  private static func allows(_ control: CacheControl) -> Bool {
    guard !control.contains("private") else { return false }
    return ["public", "must-revalidate", "s-maxage"].contains { control.contains($0) }
  }
}
