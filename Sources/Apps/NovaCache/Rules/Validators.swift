import NovaCore

/// Identifies a stored response to its server: an entity tag or the time of the last modification.
struct Validators: Sendable {
  let etag: String?
  let lastModified: String?

  /// Reads the validators; nil if there are none.
  init?(_ headers: HTTPHeaders) {
    etag = headers.agreed("ETag").flatMap { $0.isEmpty ? nil : $0 }
    lastModified = headers.agreed("Last-Modified").flatMap { CacheDate.seconds($0) == nil ? nil : $0 }
    if etag == nil, lastModified == nil { return nil }
  }

  /// The request that asks whether the response is still current.
  func validating(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers["If-None-Match"] = etag
    request.headers["If-Modified-Since"] = lastModified
    return request
  }

  /// Whether an entity tag changes whenever any byte changes.
  static func isStrong(_ etag: String) -> Bool { etag.hasPrefix("\"") }

  /// Whether a 304 confirms the response with these validators (RFC 9111, 4.3.4). Entity tags are compared weakly, and
  /// missing quotation marks are ignored. A tag takes precedence over a time, on which the servers of one host name may
  /// disagree.
  func areConfirmed(by headers: HTTPHeaders) -> Bool {
    let tags = headers.values(for: "ETag").filter { !$0.isEmpty }
    if let etag {
      guard tags.allSatisfy({ Self.opaque($0) == Self.opaque(etag) }) else { return false }
      if !tags.isEmpty { return true }
    } else if tags.contains(where: { $0.hasPrefix("\"") }) {
      return false
    }
    guard let lastModified, let time = CacheDate.seconds(lastModified) else { return true }
    return headers.values(for: "Last-Modified").allSatisfy { CacheDate.seconds($0).map { $0 == time } ?? true }
  }

  /// The part of an entity tag for the weak comparison.
  fileprivate static func opaque(_ etag: String) -> String {
    let tag = etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
    guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return String(tag) }
    return String(tag.dropFirst().dropLast())
  }
}

/// The preconditions of a request, as a cache evaluates them (RFC 9110, 13).
struct Preconditions: Sendable {
  private let entityTags: [String]
  private let modifiedSince: Double?
  private let hasOthers: Bool

  init(_ headers: HTTPHeaders) {
    entityTags = FieldList.elements("If-None-Match", in: headers)
    modifiedSince = CacheDate.seconds("If-Modified-Since", in: headers)
    hasOthers = headers["If-Match"] != nil || headers["If-Unmodified-Since"] != nil
  }

  /// Whether only the server can evaluate them.
  var areForServer: Bool { hasOthers }
  /// Whether there are no conditions.
  var isEmpty: Bool { entityTags.isEmpty && modifiedSince == nil && !hasOthers }

  /// Whether the caller already has the response, so that it gets a 304.
  func areMet(by head: StoredHead) -> Bool {
    guard head.status == 200 else { return false }
    if !entityTags.isEmpty {
      guard let etag = head.headers["ETag"] else { return entityTags == ["*"] }
      return entityTags.contains { $0 == "*" || Validators.opaque($0).hasSameBytes(as: Validators.opaque(etag)) }
    }
    guard let modifiedSince else { return false }
    guard
      let modified = CacheDate.seconds("Last-Modified", in: head.headers) ?? CacheDate.seconds("Date", in: head.headers)
    else { return false }
    return modified <= modifiedSince
  }
}
