import NovaCore

extension CheckRun {
  /// Other pages of a list: the shortest, the one behind it, and one longer than the contract allows.
  mutating func sendPages(_ rpc: RPCDescriptor, _ message: any ProtoMessage) async throws {
    guard rpc.requestType.descriptor.field(named: "limit") != nil else { return }
    var pages: [(String, [JSONValue.Member])] = [("limit 1", [.number("limit", 1)])]
    if let offset = ["offset", "skip"].first(where: { rpc.requestType.descriptor.field(named: $0) != nil }) {
      pages.append(("limit 1, \(offset) 1", [.number("limit", 1), .number(offset, 1)]))
    }
    // Without a default page size, limits are not lowered, but must be in a range.
    if let limit = rpc.pageLimit, limit.defaultValue != nil {
      pages.append(("limit \(limit.maximum + 1)", [.number("limit", limit.maximum + 1)]))
    }
    for (name, members) in pages {
      guard let page = try? Self.changed(message, members) else { continue }
      try await send(rpc, name, try await request(rpc, page), message: page, .success)
    }
  }

  /// Requests that the contract refuses, made of one that it does not.
  mutating func sendInvalid(_ rpc: RPCDescriptor, _ message: any ProtoMessage) async throws {
    guard check.options.sendsInvalidRequests else { return }
    for (name, members) in RuleBreaks.all(of: rpc) {
      guard let broken = try? Self.changed(message, members) else { continue }
      try await send(rpc, name, try await request(rpc, broken), message: broken, .failure(.invalidArgument))
    }
    try await sendMalformed(rpc, message)
    try await sendToWrongPlaces(rpc, message)
  }

  /// Bodies that are not what the message is.
  private mutating func sendMalformed(_ rpc: RPCDescriptor, _ message: any ProtoMessage) async throws {
    guard let parts = try? HTTPTranscoder.request(message, binding(rpc)) else { return }
    var malformed: [(String, String, [UInt8])] = []
    if rpc.http.hasBody {
      malformed.append(("broken JSON", parts.target, Array(#"{"broken"#.utf8)))
      malformed.append(("a list as the body", parts.target, Array("[]".utf8)))
      let inPath = PathTemplate(rpc.http.path).variables
      if let field = rpc.requestType.descriptor.fields.first(where: { !inPath.contains($0.name) }) {
        malformed.append(("\(field.name) of the wrong type", parts.target, Self.wrongType(of: field, in: parts.body)))
      }
    } else if let field = rpc.requestType.descriptor.fields.first(where: { $0.isNumberInQuery(rpc) }) {
      let target = parts.target.prefix { $0 != "?" } + "?\(field.name)=x"
      malformed.append(("\(field.name) that is no number", String(target), []))
    }
    for (name, target, body) in malformed {
      let request = try await request(rpc, rpc.http.method, target, body)
      try await send(rpc, name, request, message: nil, .failure(.invalidArgument))
    }
  }

  /// A verb without a route; and once for each service a path that is none, and a token that is none.
  private mutating func sendToWrongPlaces(_ rpc: RPCDescriptor, _ message: any ProtoMessage) async throws {
    guard let parts = try? HTTPTranscoder.request(message, binding(rpc)) else { return }
    let verb: HTTPMethod = rpc.http.method == .post ? .get : .put
    let isFree = !check.registry.rpcs.contains { $0.http.method == verb && $0.http.path == rpc.http.path }
    if isFree {
      try await send(
        rpc, "\(verb) on its path", try await request(rpc, verb, String(parts.target.prefix { $0 != "?" }), []),
        message: nil, .failure(.wrongVerb))
    }
    // Without side effects, so that nothing happens when the server does not care.
    guard rpc.effect == .noSideEffects, probedServices.insert(rpc.service).inserted else { return }
    let path = parts.target.prefix { $0 != "?" } + "/nova-contract/unknown"
    try await send(
      rpc, "an unknown path", try await request(rpc, rpc.http.method, String(path), parts.body), message: nil,
      .failure(.unknownPath))
    guard rpc.requiresAuthentication else { return }
    var request = try await request(rpc, message)
    request.headers["Authorization"] = "Bearer nova-contract-no-token"
    try await send(rpc, "a token that is none", request, message: nil, .failure(.unauthorized))
  }

  /// The message with other values.
  private static func changed(
    _ message: any ProtoMessage, _ members: [JSONValue.Member]
  ) throws -> any ProtoMessage {
    let json = try JSONValue(jsonUTF8: try message.jsonUTF8(ProtoJSONOptions(includesDefaults: false)))
    return try type(of: message).init(jsonUTF8: json.with(members).jsonUTF8)
  }

  /// The body with an object in the place of a field's value; a list where that could be an object.
  private static func wrongType(of field: FieldDescriptor, in body: [UInt8]) -> [UInt8] {
    let isObject: Bool = if case .message = field.kind { true } else { false }
    let wrong: JSONValue = isObject && field.cardinality != .repeated ? .array([]) : .object([])
    let json = (try? JSONValue(jsonUTF8: body)) ?? .object([])
    let name = json[field.jsonName] != nil ? field.jsonName : field.name
    return json.with([.init(name: name, value: wrong)]).jsonUTF8
  }
}

extension FieldDescriptor {
  fileprivate func isNumberInQuery(_ rpc: RPCDescriptor) -> Bool {
    guard !PathTemplate(rpc.http.path).variables.contains(name) else { return false }
    return kind.isInteger || kind == .double
  }
}

extension JSONValue {
  /// The object with these members in the place of those of the same name.
  func with(_ changes: [Member]) -> JSONValue {
    guard case .object(var members) = self else { return .object(changes) }
    for change in changes {
      members.removeAll { $0.name == change.name }
      members.append(change)
    }
    return .object(members)
  }
}

extension JSONValue.Member {
  static func number(_ name: String, _ value: Int) -> Self { .init(name: name, value: .number(String(value))) }
  static func string(_ name: String, _ value: String) -> Self { .init(name: name, value: .string(value)) }
}
