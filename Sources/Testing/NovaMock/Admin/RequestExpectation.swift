import NovaCore
import NovaRegistry

/// What requests must have to be counted, and how many of them are expected.
struct RequestExpectation: Sendable {
  private let rpc: RPCDescriptor?
  private let method: String?
  /// Without a query; `*` is any text.
  private let path: String?
  private let headers: [HTTPHeaders.Field]
  private let user: String?
  private let status: Int?
  /// The fields of an RPC's message.
  private let message: RequestMatcher?
  /// Members of any JSON body.
  private let body: JSONValue?
  /// The allowed numbers of requests.
  let count: ClosedRange<Int>

  static let members = [
    "rpc", "method", "path", "headers", "user", "status", "request", "exactly", "at_least", "at_most",
  ]

  init(_ json: AdminBody) throws {
    try json.allowOnly(Self.members)
    rpc = try json["rpc"] == nil ? nil : json.rpc()
    method = try json["method"] == nil ? nil : json.text("method", expected: "a method like POST").uppercased()
    path = try json["path"] == nil ? nil : json.text("path", expected: "a path like /api/v1/posts/*")
    headers = try json["headers"].map { try Self.fields($0) } ?? []
    user = try json["user"] == nil ? nil : json.text("user", expected: "the ID of a user")
    status = try json.optionalInteger("status", 100...599)
    (message, body) = try Self.matcher(json["request"], rpc)
    count = try Self.count(json)
  }

  private static func matcher(_ json: JSONValue?, _ rpc: RPCDescriptor?) throws -> (RequestMatcher?, JSONValue?) {
    guard let json else { return (nil, nil) }
    guard case .object = json else {
      throw MockFailure.invalid("request is \(json.kindDescription); expected an object with fields")
    }
    guard let rpc else { return (nil, json) }
    do throws(ProtoJSONError) {
      return (try RequestMatcher(json, of: rpc.requestType), nil)
    } catch {
      throw MockFailure(error, in: "request", of: "request of \(rpc.id)")
    }
  }

  private static func fields(_ json: JSONValue) throws(MockFailure) -> [HTTPHeaders.Field] {
    guard let members = json.memberList else {
      throw .invalid("headers is \(json.kindDescription); expected an object like {\"X-Request-ID\":\"a\"}")
    }
    var fields: [HTTPHeaders.Field] = []
    for member in members {
      guard let value = member.value.stringValue else {
        throw .invalid("headers: \(member.name.quoted) is \(member.value.kindDescription); expected a text")
      }
      fields.append(.init(name: member.name, value: value))
    }
    return fields
  }

  private static func count(_ json: AdminBody) throws(MockFailure) -> ClosedRange<Int> {
    let range = 0...1_000_000
    if let exactly = try json.optionalInteger("exactly", range) {
      guard json["at_least"] == nil, json["at_most"] == nil else {
        throw .invalid("exactly excludes at_least and at_most; send one of them")
      }
      return exactly...exactly
    }
    let most = try json.optionalInteger("at_most", range)
    let least = try json.optionalInteger("at_least", range) ?? (most == nil ? 1 : 0)
    guard least <= most ?? .max else { throw .invalid("at_least is larger than at_most") }
    return least...(most ?? .max)
  }

  /// The expected number, for people: `exactly 2`, `at least 1`, `1 to 3`.
  var expected: String {
    if count.lowerBound == count.upperBound { return "exactly \(count.lowerBound)" }
    if count.upperBound == .max { return "at least \(count.lowerBound)" }
    return count.lowerBound == 0 ? "at most \(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }

  /// The differences of a logged request, a line for each: empty if the request counts. Secrets are masked.
  func differences(_ request: LoggedRequest) -> [String] {
    var lines: [String] = []
    func compare(_ name: String, _ expected: String?, with got: String?, isSecret: Bool = false) {
      guard let expected, expected != got else { return }
      lines.append("\(name): expected \(Self.shown(expected, isSecret)), got \(Self.shown(got, isSecret))")
    }
    compare("rpc", rpc?.id, with: request.rpc?.id)
    compare("method", method, with: request.method.rawValue)
    compare("status", status.map(String.init), with: request.status.map(String.init))
    let requestPath = HTTPURL(received: request.path).path
    if let path, !Self.matches(requestPath[...], pattern: path[...]) {
      compare("path", path, with: requestPath.masked(request.secrets))
    }
    compare("user", user, with: request.user)
    for field in headers {
      let values = request.requestHeaders?.values(for: field.name) ?? []
      if !values.contains(field.value) {
        compare(
          "headers.\(field.name)", field.value, with: values.first, isSecret: SecretText.isSecret(name: field.name))
      }
    }
    // Of another RPC, every field differs.
    if rpc == nil || rpc?.id == request.rpc?.id { lines += bodyDifferences(request) }
    return lines
  }

  private func bodyDifferences(_ request: LoggedRequest) -> [String] {
    guard message != nil || body != nil else { return [] }
    let isStored = request.requestHeaders != nil && request.requestBody.bytes != nil
    guard isStored else { return ["request: no longer stored"] }
    if let message, let rpc {
      guard let members = request.members else { return ["request: expected a \(rpc.requestType.descriptor.name)"] }
      let names = SecretText.names(in: rpc.requestType)
      return message.differences(from: members).map { name, expected, got in
        let isSecret = SecretText.isSecret(name: name) || names.contains(SecretText.plain(name))
        return "request.\(name): expected \(Self.shown(expected, isSecret)), got \(Self.shown(got, isSecret))"
      }
    }
    guard let body, let bytes = request.requestBody.bytes, let sent = try? JSONValue(jsonUTF8: bytes) else {
      return ["request: expected a JSON object"]
    }
    return Self.missing(from: sent, body, at: "request")
  }

  /// The members of `expected` that another value does not have. Elements of lists are compared as a whole.
  private static func missing(from sent: JSONValue?, _ expected: JSONValue, at path: String) -> [String] {
    if let members = expected.memberList, sent?.memberList != nil {
      return members.flatMap { missing(from: sent?[$0.name], $0.value, at: "\(path).\($0.name)") }
    }
    guard sent != expected else { return [] }
    let name = path.split(separator: ".").last.map(String.init) ?? ""
    let isSecret = SecretText.isSecret(name: name)
    return ["\(path): expected \(shown(expected, isSecret)), got \(shown(sent, isSecret))"]
  }

  private static func shown(_ text: String?, _ isSecret: Bool) -> String { shown(text.map(JSONValue.string), isSecret) }

  private static func shown(_ value: JSONValue?, _ isSecret: Bool) -> String {
    guard let value else { return "nothing" }
    if isSecret { return "a secret" }
    return String(decoding: SecretText.masked(value).jsonUTF8, as: UTF8.self).shortened(to: 160)
  }

  /// Whether a path matches a pattern, where `*` is any text.
  private static func matches(_ path: Substring, pattern: Substring) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return path == pattern }
    let head = pattern[..<star]
    guard path.hasPrefix(head) else { return false }
    let (rest, tail) = (path.dropFirst(head.count), pattern[pattern.index(after: star)...])
    if tail.isEmpty { return true }
    return rest.indices.contains { matches(rest[$0...], pattern: tail) }
  }
}

extension LoggedRequest {
  /// The ID of the user whose access token the request carries, whether or not the token is valid; nil without one.
  fileprivate var user: String? {
    guard let parts = requestHeaders?["Authorization"]?.split(separator: "."), parts.count == 3,
      let bytes = Base64.decode(String(parts[1]))
    else { return nil }
    return (try? JSONValue(jsonUTF8: bytes))?["sub"]?.stringValue
  }

  /// The fields of the RPC's message; nil if it is not one.
  fileprivate var members: [JSONValue.Member]? {
    sentMessage.flatMap { try? RequestMatcher.members(of: $0) }
  }
}
