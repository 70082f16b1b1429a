import NovaCore

/// The meaning of a status code for caches.
enum StatusRule {
  /// Whether a response with this status can be reused without a lifetime from its server (RFC 9110, 15.1). 206 is
  /// excluded, because parts of responses are not stored.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether the cache implements what the status requires of caches, as `must-understand` demands.
  static func isUnderstood(_ status: Int) -> Bool {
    isHeuristicallyCacheable(status) || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
  }

  /// Whether the status reports a temporary failure of the server (RFC 5861, 4).
  static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}

/// Decides which responses may be stored (RFC 9111, 3).
enum StorageRule {
  static func allows(_ head: StoredHead, for request: HTTPRequest) -> Bool {
    guard (200...599).contains(head.status), head.status != 206, head.status != 304, isWhole(head) else { return false }
    // A failure with a success status.
    if head.status < 300, head.headers.failedGRPCStatus != nil { return false }
    let control = CacheControl(head.headers)
    if CacheControl(request.headers).contains("no-store") { return false }
    // A redirect with `no-store` also forbids storing its target.
    guard head.isRecognizable, !head.redirects.contains(where: { CacheControl($0.headers).contains("no-store") }) else {
      return false
    }
    if control.contains("must-understand") {
      // The directive replaces `no-store` for caches that support it.
      guard StatusRule.isUnderstood(head.status) else { return false }
    } else if control.contains("no-store") {
      return false
    }
    return isUseful(head, control)
  }

  /// Whether nothing shows that the body is only a part, whatever the status.
  static func isWhole(_ head: StoredHead) -> Bool {
    guard [200, 203].contains(head.status) else { return true }
    // The engine handles compressed responses.
    let extent = BodyExtent(
      status: head.status, headers: head.headers, length: head.headers.contentLength, isDecoded: true)
    if case .whole = extent { return true } else { return false }
  }

  /// Whether the response can ever be reused: for some time, or after validation.
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

/// Decides whether the response to one caller may be returned to others.
enum SharingRule {
  /// RFC 9111, 3.5: what a server must send so that responses to requests with `Authorization` can be shared. Every
  /// server that redirected must send it, too. Many servers omit `Vary: Authorization`, so the same applies to
  /// responses to requests without a token.
  static func allows(_ head: StoredHead) -> Bool {
    allows(CacheControl(head.headers)) && head.redirects.allSatisfy { allows(CacheControl($0.headers)) }
  }

  private static func allows(_ control: CacheControl) -> Bool {
    guard !control.contains("private") else { return false }
    return ["public", "must-revalidate", "s-maxage"].contains { control.contains($0) }
  }
}
