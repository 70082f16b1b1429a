import NovaCore
import NovaRegistry

extension MockStub {
  /// Reads a stub as the admin API describes it, and validates it against the contract.
  init(_ body: AdminBody) throws {
    try body.allowOnly(["rpc", "request", "status", "body", "headers", "delay_ms", "allow_invalid"])
    let rpc = try Self.rpc(body)
    let status = try body.optionalInteger("status", 200...599) ?? rpc.http.successStatus
    let delay = try body.optionalInteger("delay_ms", 0...Int(FaultLatency.maximumMilliseconds)) ?? 0
    self.init(
      descriptor: rpc, matcher: try Self.matcher(body, rpc),
      response: Self.response(status, headers: try body.headers(), body: try Self.body(body, rpc, status: status)),
      delay: .milliseconds(delay))
  }

  private static func rpc(_ body: AdminBody) throws(MockFailure) -> RPCDescriptor {
    let name = try body.text("rpc", expected: "an RPC like graph.GetFollowers")
    if let rpc = RPCRegistry.nova.rpc(named: name) { return rpc }
    let hint = Suggestion.closest(to: name, among: RPCRegistry.nova.rpcs.map(\.id)).map { "; did you mean \($0)?" }
    throw MockFailure(
      .invalidArgument, "unknown RPC \"\(name.shortened(to: 60))\"\(hint ?? "; GET /_nova/contract lists all")")
  }

  private static func matcher(_ body: AdminBody, _ rpc: RPCDescriptor) throws -> RequestMatcher {
    guard let json = body["request"] else { return .any }
    do throws(ProtoJSONError) {
      return try RequestMatcher(json, of: rpc.requestType)
    } catch {
      throw MockFailure(error, in: "request", of: "request of \(rpc.id)")
    }
  }

  private static func body(_ body: AdminBody, _ rpc: RPCDescriptor, status: Int) throws -> [UInt8] {
    let allowsInvalid = try body.flag("allow_invalid")
    guard let json = body["body"] else {
      return status < 300
        ? try HTTPTranscoder.body(of: rpc.responseType.init(), rpc.http) : errorBody(rpc, status: status)
    }
    guard HTTPResponse.hasBody(status: status) else {
      throw MockFailure(.invalidArgument, "status \(status) has no body; omit body, or choose another status")
    }
    if status < 300, !allowsInvalid { try validate(json, rpc) }
    return json.jsonUTF8
  }

  /// Throws unless clients can decode the body as the RPC's response.
  private static func validate(_ json: JSONValue, _ rpc: RPCDescriptor) throws(MockFailure) {
    do throws(ProtoJSONError) {
      if rpc.http.responseField == nil {
        _ = try rpc.responseType.init(refusingUnknownFieldsIn: json.jsonUTF8)
      } else {
        try decode(json, as: rpc.responseType, rpc.http)
      }
    } catch {
      let failure = MockFailure(error, in: "body", of: "response of \(rpc.id)")
      throw MockFailure(.invalidArgument, failure.message + "; set allow_invalid to respond with it anyway")
    }
  }

  private static func decode<Response: ProtoMessage>(
    _ json: JSONValue, as type: Response.Type, _ http: HTTPBinding
  ) throws(ProtoJSONError) {
    _ = try HTTPTranscoder.response(type, from: json.jsonUTF8, http)
  }
}

extension MockFailure {
  /// The failure of JSON that a person wrote.
  ///
  /// - Parameters:
  ///   - name: the member with the JSON; nil for the whole body.
  ///   - message: what it should be.
  init(_ error: ProtoJSONError, in name: String?, of message: String) {
    guard let field = error.unknownField else {
      self.init(.invalidArgument, "\(name ?? "the body") does not match the \(message): \(error)")
      return
    }
    let hint = Suggestion.closest(to: field.name, among: field.message.fields.map(\.name))
    self.init(
      .invalidArgument,
      "unknown field: \(name.map { "\($0)." } ?? "")\(error.path)\(hint.map { "; did you mean \($0)?" } ?? "")")
  }
}

extension MockBackend.ActiveStub {
  /// In a list, larger bodies, matchers, and headers are null.
  private static let largestInList = 1024

  /// The stub as the admin API returns it. Secrets are masked.
  func json(isShort: Bool = false) -> JSONValue {
    func listed(_ json: JSONValue, size: Int) -> JSONValue { isShort && size > Self.largestInList ? .null : json }
    let bytes = stub.response.body.inMemory
    let body =
      isShort && bytes.count > Self.largestInList
      ? nil
      : (try? JSONValue(jsonUTF8: bytes)).map {
        SecretText.masked($0, names: SecretText.names(in: stub.descriptor.responseType))
      }
    let headers = stub.response.headers.fields.filter { !$0.name.equalsIgnoringASCIICase("Content-Type") }
      .map {
        JSONValue.Member(
          name: $0.name, value: .string(SecretText.isSecret(name: $0.name) ? SecretText.mask : $0.value.withoutTokens))
      }
    let request = SecretText.masked(
      stub.matcher.json, names: SecretText.names(in: stub.descriptor.requestType))
    return .members(
      ("id", .string(id)), ("rpc", .string(stub.rpc)), ("request", listed(request, size: stub.size - bytes.count)),
      ("status", .number(String(stub.response.status))), ("body", body ?? .null),
      ("body_size", .number(String(bytes.count))), ("headers", listed(.object(headers), size: stub.size - bytes.count)),
      ("delay_ms", .number(String(Int(delay / .milliseconds(1))))), ("hits", .number(String(hits))))
  }
}
