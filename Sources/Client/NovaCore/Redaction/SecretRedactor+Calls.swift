extension SecretRedactor {
  /// Masks the secrets of a request: credentials in its headers, and the passwords and tokens in its body, query and
  /// path, as identified by field name or by the contract.
  ///
  /// - Parameters:
  ///   - request: as it was sent, including the changes of middlewares.
  ///   - rpc: the RPC that it calls; nil if unknown.
  package init(_ request: HTTPRequest, _ rpc: RPCDescriptor? = nil) {
    self.init(Self.secrets(in: request, rpc), keepsName: FieldNames.of(rpc))
  }

  /// The secrets of a request.
  package static func secrets(in request: HTTPRequest, _ rpc: RPCDescriptor? = nil) -> [String] {
    var found = SecretCollector(rpc)
    for field in secretHeaders(request) { found.secrets += credentials(field) }
    found.collect(query: request.url.query ?? "")
    if let rpc { found.collect(path: request.url.path, of: rpc) }
    found.collect(body: request.body, of: rpc)
    var distinct: [String] = []
    for secret in found.secrets where !secret.isEmpty && !distinct.contains(secret) { distinct.append(secret) }
    return distinct
  }

  @inline(never)
  package static func secretHeaders(_ request: HTTPRequest) -> [HTTPHeaders.Field] {
    request.headers.fields.filter { SecretText.isSecret(name: $0.name) }
  }

  /// The secrets in a header: each cookie, a token without `Bearer`, and the password in `Basic` credentials.
  private static func credentials(_ field: HTTPHeaders.Field) -> [String] {
    if SecretText.plain(field.name).contains("cookie") {
      return field.value.parts(between: ";", keepsEmpty: false).map { rest(of: $0, after: "=") }
    }
    // Servers strip leading spaces before they read or quote the value.
    let value = String(field.value.drop { $0 == " " })
    let token = rest(of: value, after: " ")
    if token.isEmpty { return [value] }
    guard value.prefix(6).lowercased() == "basic ", let bytes = Base64.decode(token) else { return [token] }
    return [token, rest(of: String(decoding: bytes, as: UTF8.self), after: ":")]
  }

  @inline(never)
  private static func rest(of text: String, after separator: Character) -> String {
    text.firstIndex(of: separator).map { String(text[text.index(after: $0)...]) } ?? ""
  }

  // MARK: Responses

  /// The size in bytes up to which the text of a failure is searched. A server must not keep a call busy beyond its
  /// deadline with text that is expensive to search.
  static let largestFailure = 64 << 10

  /// A failed response without the secrets, and without a body that is too large to search.
  func maskedFailure(_ response: HTTPResponse) -> HTTPResponse {
    if isEmpty || response.body.inMemory.count <= Self.largestFailure { return masked(response) }
    var response = response
    response.body = .empty
    return masked(response)
  }

  /// Text of a failure without the secrets, or its size if it is too large to search.
  @inline(never)
  private func maskedFailure(_ text: String) -> String {
    if isEmpty || text.utf8.count <= Self.largestFailure { return masked(text) }
    return "(\(text.utf8.count) bytes, not shown)"
  }

  /// The response without the secrets, in its headers and body.
  package func masked(_ response: HTTPResponse) -> HTTPResponse {
    if isEmpty { return response }
    let fields = response.headers.fields.map { HTTPHeaders.Field(name: masked($0.name), value: masked($0.value)) }
    var response = response
    response.headers = HTTPHeaders(fields)
    response.body = .bytes(masked(response.body.inMemory))
    return response
  }

  /// The error without the secrets.
  func masked(_ error: APIError) -> APIError {
    var error = error
    let text = error.text
    error.mapTexts(maskedFailure)
    if error.text != text { error.decoding = error.decoding?.hidingValue() }
    error.transport = error.transport.map(masked)
    if let server = error.server {
      var metadata: [String: String] = [:]
      for (name, value) in server.metadata { metadata.add(maskedFailure(value), named: maskedFailure(name)) }
      error.server = ServerError(
        code: maskedFailure(server.code), message: maskedFailure(server.message), metadata: metadata)
    }
    return error
  }

  /// The transport error without the secrets.
  func masked(_ error: TransportError) -> TransportError {
    var error = error
    error.text = error.text.map(masked)
    return error
  }
}
