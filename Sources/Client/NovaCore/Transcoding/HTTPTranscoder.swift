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
    if binding.hasBody, binding.bodyField == nil, !binding.path.readUTF8({ $0.contains(UInt8(ascii: "{")) }) {
      return (binding.path, json)
    }
    let (template, all) = (PathTemplate(binding.path), try JSONValue(jsonUTF8: json))
    // Written a second time only if the path or the body lacks a value.
    let isComplete = (template.variables + [binding.bodyField].compactMap(\.self)).allSatisfy {
      all[key(of: $0, in: message, binding)] != nil
    }
    let defaults = isComplete ? all : try JSONValue(jsonUTF8: message.jsonUTF8(binding.json(includesDefaults: true)))
    var keys: [String] = []
    let path = try template.path { variable throws(APIError) in
      let key = key(of: variable, in: message, binding)
      keys.append(key)
      // An enum's first value has a name, too.
      let text = (all[key] ?? defaults[key]).flatMap { Self.text($0) } ?? ""
      if let problem = PathArgument.problem(text) { throw APIError(.invalidArgument, "\(variable) \(problem)") }
      return PercentEncoding.encode(text)
    }
    var rest: [JSONValue.Member] = []
    for member in members(all) where !keys.contains(member.name) { rest.append(member) }
    var body: [UInt8] = []
    if let name = binding.bodyField {
      let key = key(of: name, in: message, binding)
      body = (all[key] ?? defaults[key] ?? absentBody(name, of: message)).jsonUTF8
      rest.removeAll { $0.name == key }
    } else if binding.hasBody {
      return (path, JSONValue.object(rest).jsonUTF8)
    }
    let target = path + (try QueryWriter.query(of: rest, type(of: message)))
    if let problem = ArgumentLimits.problem(target.utf8.count, maximum: ArgumentLimits.targetBytes) {
      throw APIError(.invalidArgument, "the request's path and query \(problem)")
    }
    return (target, body)
  }

  /// The body of a field without a value: an empty message, or nothing.
  private static func absentBody(_ name: String, of message: any ProtoMessage) -> JSONValue {
    let type = type(of: message)
    guard let index = type.descriptor.fields.firstIndex(where: { $0.name == name }),
      NestedTypes.type(ofField: index, in: type) != nil
    else { return .null }
    return .object([])
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
    if variables.isEmpty, binding.hasBody, binding.bodyField == nil {
      return try type.init(jsonUTF8: body.isEmpty ? "{}".utf8Bytes : body)
    }
    var all: [JSONValue.Member] = []
    for name in variables.names {
      let value = QueryReader.value(variables[name] ?? "", of: type.descriptor.field(named: name))
      all.append(.init(name: name, value: value))
    }
    if let name = binding.bodyField {
      if !body.isEmpty { all.append(.init(name: name, value: try JSONValue(jsonUTF8: body))) }
      all += QueryReader.members(of: query, type)
    } else if binding.hasBody {
      let rest = body.isEmpty ? .object([]) : try JSONValue(jsonUTF8: body)
      guard case .object(let members) = rest else {
        throw ProtoJSONError(expected: "an object", found: rest.kindDescription)
      }
      for member in members { all.append(member) }
    } else {
      all += QueryReader.members(of: query, type)
    }
    return try type.init(jsonUTF8: JSONValue.object(all).jsonUTF8)
  }

  /// The response message of a call. Servers may confirm a write with an empty body if its response has no required
  /// field.
  ///
  /// - Throws: ``ProtoJSONError``.
  static func response<Response: ProtoMessage>(
    _ type: Response.Type, from body: [UInt8], of rpc: RPCDescriptor
  ) throws(ProtoJSONError) -> Response {
    guard body.isEmpty, rpc.acceptsEmptyConfirmation else { return try response(type, from: body, rpc.http) }
    return try Response(jsonUTF8: Array((type is any AcknowledgedResponse.Type ? #"{"success":true}"# : "{}").utf8))
  }

  /// The response message of a body.
  ///
  /// - Throws: ``ProtoJSONError``.
  package static func response<Response: ProtoMessage>(
    _ type: Response.Type, from body: [UInt8], _ binding: HTTPBinding
  ) throws(ProtoJSONError) -> Response {
    if body.isEmpty, Response.descriptor.fields.isEmpty { return Response() }
    var hasNoField = false
    guard let name = binding.responseField, !WholeResponse.stands(in: body, of: Response.self, name) else {
      let message = try Response(jsonUTF8: body, hasNoField: &hasNoField)
      if hasNoField { try MessagePresence.check(body, of: Response.descriptor) }
      return message
    }
    let index = Response.descriptor.fields.firstIndex { $0.name == name } ?? 0
    let message = try Response(jsonUTF8: body, ofField: index, hasNoField: &hasNoField)
    let field = Response.descriptor.fields[index]
    if hasNoField, field.cardinality != .repeated, !field.holdsAnyMembers,
      let type = NestedTypes.type(ofField: index, in: Response.self)
    {
      try MessagePresence.check(body, of: type.descriptor)
    }
    return message
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

  /// A value as the text of a path or query; nil for an object, a list, or null.
  static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    default: nil
    }
  }
}

// Not an initializer of the request: a function need not own, and so copy, the configuration.
extension APIConfiguration {
  /// The HTTP/JSON request for a call with a message.
  ///
  /// - Throws: ``APIError`` if the RPC has no HTTP binding, or the server would refuse the message; ``ProtoJSONError``
  ///   for a value that JSON cannot have.
  func httpRequest(_ message: any ProtoMessage, in context: CallContext) throws -> HTTPRequest {
    let rpc = context.rpc
    if rpc.http.isUnbound {
      throw APIError(
        .unimplemented, "\(rpc.fullName) has no HTTP binding",
        advice: "add an option google.api.http to it, or a rule to gateway.yaml")
    }
    if context.options.checksArguments { try RequestRules.check(message) }
    let parts = try HTTPTranscoder.request(message, rpc.http.writing(requestNames(for: rpc.service)))
    var headers = context.options.headers
    headers.reserveCapacity(headers.fields.count + 2)
    headers.set("Accept", toChecked: "application/json")
    if rpc.http.hasBody { headers.set("Content-Type", toChecked: "application/json") }
    return HTTPRequest(
      method: rpc.http.method, url: try gatewayURL(for: rpc.service).appending(parts.target), headers: headers,
      body: parts.body, limits: limits)
  }
}
