import NovaCore

/// Which header fields are stored, updated, and returned (RFC 9111, 3.1, 3.2, 4.3.4).
enum HeaderRules {
  /// Fields that belong to a connection, not to a response.
  private static let ofConnection: Set = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
  /// Fields that describe the stored body, so another response cannot change them.
  private static let ofBody: Set = ["content-encoding", "content-length", "content-range"]
  /// Fields that a 304 for the caller contains (RFC 9110, 15.4.5).
  private static let ofNotModified: Set = [
    "cache-control", "content-location", "date", "etag", "expires", "last-modified", "vary",
  ]

  /// The fields to store.
  static func stored(_ headers: HTTPHeaders) -> HTTPHeaders {
    let listed = FieldList.elements("Connection", in: headers).map { $0.lowercased() }
    return HTTPHeaders(
      headers.filter { field in
        let name = field.name.lowercased()
        return !ofConnection.contains(name) && !listed.contains(name)
      })
  }

  /// The stored fields, with those of a later response replaced.
  static func updated(_ headers: HTTPHeaders, from later: HTTPHeaders) -> HTTPHeaders {
    let new = stored(later).filter { !ofBody.contains($0.name.lowercased()) }
    let names = Set(new.map { $0.name.lowercased() })
    return HTTPHeaders(headers.filter { !names.contains($0.name.lowercased()) } + new)
  }

  /// The fields that a 304 repeats.
  static func notModified(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(headers.filter { ofNotModified.contains($0.name.lowercased()) })
  }

  /// The fields without those that `no-cache` lists.
  static func reusable(_ headers: HTTPHeaders) -> HTTPHeaders {
    let excluded = CacheControl(headers).fieldsRequiringValidation
    return excluded.isEmpty ? headers : HTTPHeaders(headers.filter { !excluded.contains($0.name.lowercased()) })
  }
}
