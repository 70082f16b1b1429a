/// Messages to HTTP and back, as `google.api.http` has it: fields named in the path travel there, the others as the
/// body or, without a body, as the query.
///
/// Most RPCs are `POST` with the whole message as the body, which takes no detour; the others go through
/// ``JSONValue``.
package enum HTTPTranscoder {
  /// The path with its query, and the body, of a request.
  ///
  /// - Throws: ``ProtoJSONError`` for a value the contract's type cannot hold; ``APIError`` for a path field that is empty,
  ///   too long, or would leave its place in the path.
  package static func request(
    _ message: any ProtoMessage, _ binding: HTTPBinding
  ) throws -> (target: String, body: [UInt8]) {
    let json = try message.jsonUTF8(binding.json(includesDefaults: false))
    // Most RPCs end here: taking their fixed path apart would be work for nothing on every call.
    if binding.hasBody, binding.bodyField == nil, !binding.path.utf8.contains(UInt8(ascii: "{")) {
      return (binding.path, json)
    }
    let (template, all) = (PathTemplate(binding.path), try JSONValue(jsonUTF8: json))
    var keys: [String] = []
    let path = try template.path { variable throws(APIError) in
      let field = type(of: message).descriptor.field(named: variable)
      let key = key(of: variable, in: message, binding)
      keys.append(key)
      // A value that is its type's default is not written.
      let text = all[key].flatMap { Self.text($0) } ?? field?.kind.defaultText ?? ""
      if let problem = PathArgument.problem(text) { throw APIError(.invalidArgument, "\(variable) \(problem)") }
      return PercentEncoding.encode(text)
    }
    var rest: [JSONValue.Member] = []
    for member in members(all) where !keys.contains(member.name) { rest.append(member) }
    var body: [UInt8] = []
    if let name = binding.bodyField {
      let key = key(of: name, in: message, binding)
      body = (all[key] ?? .object([])).jsonUTF8
      rest.removeAll { $0.name == key }
    } else if binding.hasBody {
      return (path, JSONValue.object(rest).jsonUTF8)
    }
    let target = path + query(rest)
    if let problem = ArgumentLimits.problem(target.utf8.count, maximum: ArgumentLimits.targetBytes) {
      throw APIError(.invalidArgument, "the request's path and query \(problem)")
    }
    return (target, body)
  }

  /// The name of a field in written JSON.
  private static func key(of name: String, in message: any ProtoMessage, _ binding: HTTPBinding) -> String {
    binding.names == .proto ? name : type(of: message).descriptor.field(named: name)?.jsonName ?? name
  }

  /// The request message of an HTTP request that was routed to `binding`; the inverse of ``request(_:_:)``.
  ///
  /// - Parameter variables: the path's fields, already percent-decoded.
  /// - Throws: ``ProtoJSONError``.
  package static func message(
    _ type: any ProtoMessage.Type, _ binding: HTTPBinding, variables: [String: String], query: String, body: [UInt8]
  ) throws(ProtoJSONError) -> any ProtoMessage {
    let body = body.isEmpty ? "{}".utf8Bytes : body
    if variables.isEmpty, binding.hasBody, binding.bodyField == nil { return try type.init(jsonUTF8: body) }
    var all: [JSONValue.Member] = []
    for name in variables.names { all.append(.init(name: name, value: .string(variables[name] ?? ""))) }
    if let name = binding.bodyField {
      all.append(.init(name: name, value: try JSONValue(jsonUTF8: body)))
      all += members(ofQuery: query, type)
    } else if binding.hasBody {
      let rest = try JSONValue(jsonUTF8: body)
      guard case .object(let members) = rest else {
        throw ProtoJSONError(expected: "an object", found: rest.kindDescription)
      }
      for member in members { all.append(member) }
    } else {
      all += members(ofQuery: query, type)
    }
    return try type.init(jsonUTF8: JSONValue.object(all).jsonUTF8)
  }

  /// The fields of a query. Those of a repeated field are one array; `page.size` is a field of the message `page`.
  private static func members(ofQuery query: String, _ type: any ProtoMessage.Type) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (name, value) in PercentEncoding.pairs(query) {
      add(value, named: name.parts(between: ".", keepsEmpty: true), of: type, to: &members)
    }
    return members
  }

  private static func add(
    _ value: String, named path: [String], of type: any ProtoMessage.Type, to members: inout [JSONValue.Member]
  ) {
    let name = path.first ?? ""
    let fields = type.descriptor.fields
    let field = fields.firstIndex { $0.name == name || $0.jsonName == name || $0.aliases.contains(name) }
    let known = members.firstIndex { $0.name == name }
    if path.count > 1, let field, let inner = MessageTypeProbe.type(ofField: field, in: type) {
      var inside = known.flatMap { members[$0].value.memberList } ?? []
      add(value, named: Array(path.dropFirst()), of: inner, to: &inside)
      return set(.object(inside), at: known, named: name, in: &members)
    }
    // Every type but this is read from text, too.
    let isFlag = field.map { fields[$0].kind == .bool } == true && (value == "true" || value == "false")
    let json = isFlag ? JSONValue.bool(value == "true") : .string(value)
    guard let field, fields[field].cardinality == .repeated else {
      return members.append(.init(name: path.joined(separator: "."), value: json))
    }
    set(.array((known.flatMap { members[$0].value.elements } ?? []) + [json]), at: known, named: name, in: &members)
  }

  private static func set(_ value: JSONValue, at index: Int?, named name: String, in members: inout [JSONValue.Member])
  {
    if let index { members[index].value = value } else { members.append(.init(name: name, value: value)) }
  }

  /// Decodes a response; the error describes what was expected.
  static func decoded(
    _ response: HTTPResponse, of rpc: RPCDescriptor, _ decode: CallRunner.Decoder
  ) throws(APIError) -> EchoCheck? {
    do {
      return try decode(response.body.inMemory)
    } catch {
      if let cleaned = response.withoutErrorThatIsOK(of: rpc) {
        do { return try decode(cleaned.body.inMemory) } catch {}
      }
      let type = response.headers["Content-Type"] ?? "no content type"
      let isJSON = type.lowercased().contains("json")
      var failure = APIError(
        isJSON ? .decodingError : .invalidResponse,
        isJSON
          ? "the response does not match the contract: \(error)"
          : "expected a JSON response, got \(type.shortened(to: 60))",
        httpStatus: response.status, decoding: error)
      failure.isFromAnotherServer = !isJSON
      throw failure
    }
  }

  /// The response message of a body.
  ///
  /// - Throws: ``ProtoJSONError``.
  package static func response<Response: ProtoMessage>(
    _ type: Response.Type, from body: [UInt8], _ binding: HTTPBinding
  ) throws(ProtoJSONError) -> Response {
    if body.isEmpty, Response.descriptor.fields.isEmpty { return Response() }
    guard let name = binding.responseField else { return try Response(jsonUTF8: body) }
    let index = Response.descriptor.fields.firstIndex { $0.name == name } ?? 0
    return try Response(jsonUTF8: body, ofField: index)
  }

  /// The body of a response message; the inverse of ``response(_:from:_:)``.
  ///
  /// - Throws: ``ProtoJSONError`` for a value the contract's type cannot hold.
  package static func body(of message: any ProtoMessage, _ binding: HTTPBinding) throws(ProtoJSONError) -> [UInt8] {
    if type(of: message).descriptor.fields.isEmpty { return binding.successStatus == 204 ? [] : Array("{}".utf8) }
    let json = try message.jsonUTF8(binding.json(includesDefaults: true))
    guard let name = binding.responseField, let field = type(of: message).descriptor.field(named: name) else {
      return json
    }
    let key = binding.names == .proto ? field.name : field.jsonName
    return try JSONValue(jsonUTF8: json)[key]?.jsonUTF8 ?? Array("null".utf8)
  }

  private static func members(_ value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    default: nil
    }
  }

  /// The query of these fields; those of a message have its name and a dot before theirs.
  private static func query(_ members: [JSONValue.Member]) -> String {
    var query = ""
    func add(_ member: JSONValue.Member, in prefix: String) {
      let name = prefix + member.name
      for inner in member.value.memberList ?? [] { add(inner, in: name + ".") }
      for value in member.value.elements ?? [member.value] {
        guard let text = text(value) else { continue }
        query += "\(query.isEmpty ? "?" : "&")\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))"
      }
    }
    for member in members { add(member, in: "") }
    return query
  }
}

extension FieldKind {
  /// The default as it stands in a path.
  fileprivate var defaultText: String {
    switch self {
    case .string, .bytes, .timestamp, .message, .enumeration: ""
    case .bool: "false"
    default: "0"
    }
  }
}

/// Finds the type of the message in a singular field, by reading the field from nothing.
private struct MessageTypeProbe: FieldSource {
  typealias Failure = Never

  private var type: (any ProtoMessage.Type)?

  static func type(ofField index: Int, in message: any ProtoMessage.Type) -> (any ProtoMessage.Type)? {
    var probe = MessageTypeProbe()
    var message = message.init()
    message.readField(index, from: &probe)
    return probe.type
  }

  mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) {
    type = C.Value.self as? any ProtoMessage.Type
  }
  mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) {
    type = C.Value.self as? any ProtoMessage.Type
  }
  mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) {}
  mutating func read<K: ProtoMapKey, C: ProtoCodec>(_ map: inout [K.Value: C.Value], keys: K, values: C) {}
}
