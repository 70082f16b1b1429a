import NovaCore

/// A request field that selected a stored response.
struct SelectingField: Sendable, Hashable {
  /// The name in lower case.
  let name: String
  /// The normalized value; nil if the request lacked the field.
  let value: String?
}

/// Decides which requests a stored response answers (RFC 9111, 4.1).
enum VaryRule {
  private static let secrets: Set = ["authorization", "cookie", "proxy-authorization"]
  /// Fields whose values are compared without regard to case.
  private static let caseInsensitive: Set = ["accept", "accept-charset", "accept-encoding", "accept-language"]

  /// The fields that select a response, with their values in the request. Nil if the response answers no other request,
  /// or if recognizing such requests would require storing a secret.
  ///
  /// - Parameter hasOwner: whether the response is stored for its caller, who may use different tokens.
  static func selection(by head: StoredHead, of call: CacheCall, hasOwner: Bool) -> [SelectingField]? {
    let request = call.request.headers
    var names = Set(FieldList.elements("Vary", in: head.headers).map { $0.lowercased() })
    for redirect in head.redirects {
      names.formUnion(FieldList.elements("Vary", in: redirect.headers).map { $0.lowercased() })
    }
    if names.contains("*") { return nil }
    // The token may be added to the request later.
    if !hasOwner, call.key.isAuthorized, names.contains("authorization") { return nil }
    if hasOwner { names.remove("authorization") }
    if names.contains(where: { secrets.contains($0) && request[$0] != nil }) { return nil }
    return names.sorted().map { SelectingField(name: $0, value: value($0, in: request)) }
  }

  static func matches(_ selection: [SelectingField], _ request: HTTPHeaders) -> Bool {
    selection.allSatisfy { $0.value == value($0.name, in: request) }
  }

  /// The normalized value: several fields count as one list, and whitespace around commas is ignored.
  private static func value(_ name: String, in headers: HTTPHeaders) -> String? {
    let values = headers.values(for: name)
    guard !values.isEmpty else { return nil }
    let elements = FieldList.elements(values)
    guard caseInsensitive.contains(name) else { return elements.joined(separator: ",") }
    return elements.map { String($0.lowercased().filter { $0 != " " && $0 != "\t" }) }.joined(separator: ",")
  }
}
