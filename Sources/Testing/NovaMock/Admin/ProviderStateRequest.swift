import NovaCore

/// A request that a provider state makes before an interaction is verified.
///
/// `${name}` in its path, headers, and body is a value that an earlier request of the state kept.
struct ProviderStateRequest: Sendable, Equatable {
  private let method: HTTPMethod
  private let path: String
  private let headers: HTTPHeaders
  private let body: Body
  /// The names of values to keep, with their places in the response: JSON Pointers such as `/token`.
  private let kept: [String: String]

  private enum Body: Sendable, Equatable {
    case json(JSONValue)
    case bytes([UInt8])
  }

  /// Reads a request: `{"method":"POST","path":"/api/v1/…","headers":{…},"body":{…},"keep":{"token":"/token"}}`.
  init(_ body: AdminBody) throws(MockFailure) {
    try body.allowOnly(["method", "path", "headers", "body", "body_base64", "keep"])
    let method = try body.text("method", expected: "a method such as POST")
    let path = try body.text("path", expected: "a path such as /api/v1/graph/follow")
    guard path.hasPrefix("/"), !AdminAPI.isAdmin(path) else {
      throw .invalid("path must begin with / and lead to the gateway, not to the admin API")
    }
    (self.method, self.path) = (HTTPMethod(rawValue: method.uppercased()), path)
    headers = try body.headers()
    kept = try Self.kept(body)
    self.body = try Self.body(body)
  }

  private static func body(_ body: AdminBody) throws(MockFailure) -> Body {
    guard let json = body["body"] else {
      let text = body["body_base64"] == nil ? "" : try body.text("body_base64", expected: "a text in Base64")
      guard let bytes = Base64.decode(text) else { throw .invalid("body_base64 is not Base64") }
      return .bytes(bytes)
    }
    guard body["body_base64"] == nil else { throw .invalid("body and body_base64 cannot be combined") }
    return .json(json)
  }

  private static func kept(_ body: AdminBody) throws(MockFailure) -> [String: String] {
    let members = body["keep"] ?? .object([])
    var kept: [String: String] = [:]
    for member in members.memberList ?? [] {
      guard let pointer = member.value.stringValue, pointer.hasPrefix("/") else {
        throw .invalid("keep.\(member.name.shortened(to: 60)) must be a JSON Pointer such as /token")
      }
      kept[member.name] = pointer
    }
    guard members.memberList != nil else { throw .invalid("keep must be an object such as {\"token\":\"/token\"}") }
    return kept
  }

  /// Returns the request with values in place of their names.
  func filledIn(_ values: [String: String]) throws(MockFailure) -> HTTPRequest {
    func fill(_ text: String) -> String {
      guard text.contains("${") else { return text }
      return values.reduce(text) { $0.replacing("${\($1.key)}", with: $1.value) }
    }
    var headers = HTTPHeaders(headers.map { .init(name: $0.name, value: fill($0.value)) })
    let bytes: [UInt8]
    switch body {
    case .bytes(let raw): bytes = raw
    case .json(let json):
      bytes = json.mappingTexts(fill).jsonUTF8
      if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    }
    if let problem = headers.lazy.compactMap(\.problem).first { throw .invalid("headers: \(problem)") }
    return HTTPRequest(method: method, url: HTTPURL(received: fill(path)), headers: headers, body: bytes)
  }

  /// Returns the values that the request keeps of its response.
  fileprivate func values(in response: HTTPResponse) throws(MockFailure) -> [String: String] {
    let call = "\(method.rawValue) \(path.shortened(to: 100))"
    guard response.isSuccess else {
      let reason = (try? JSONValue(jsonUTF8: response.body.inMemory))?["message"]?.stringValue ?? ""
      throw .invalid("\(call) failed with status \(response.status)\(reason.isEmpty ? "" : ": \(reason)")")
    }
    guard !kept.isEmpty else { return [:] }
    let json = try? JSONValue(jsonUTF8: response.body.inMemory)
    var values: [String: String] = [:]
    for (name, pointer) in kept {
      switch json?.value(at: pointer) {
      case .string(let text), .number(let text): values[name] = text
      case .bool(let bool): values[name] = "\(bool)"
      default: throw .invalid("\(call): the response has no value at \(pointer.shortened(to: 60)) to keep")
      }
    }
    return values
  }
}

/// The requests of a provider state that were made, and the values that they kept.
struct KeptValues: Sendable {
  /// The time at which the clock was frozen, in Unix seconds; nil if it was not.
  private(set) var now: Int64?
  private(set) var requests: [ProviderStateRequest] = []
  private(set) var values: [String: String] = [:]

  /// - Throws: ``MockFailure`` if the request failed, or its response lacks a value.
  mutating func add(_ request: ProviderStateRequest, _ response: HTTPResponse) throws(MockFailure) {
    values.merge(try request.values(in: response)) { $1 }
    requests.append(request)
  }
}

extension JSONValue {
  /// Returns the value with other texts. Names of members stay.
  fileprivate func mappingTexts(_ map: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(map(text))
    case .array(let elements): .array(elements.map { $0.mappingTexts(map) })
    case .object(let members): .object(members.map { .init(name: $0.name, value: $0.value.mappingTexts(map)) })
    case .number, .bool, .null: self
    }
  }

  /// Returns the value at a JSON Pointer (RFC 6901); nil for none.
  fileprivate func value(at pointer: String) -> JSONValue? {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reduce(self as JSONValue?) {
      value, part in
      let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      guard let elements = value?.elements else { return value?[name] }
      return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }
}
