extension APIError {
  /// The failure in the body of a response with a success status; nil if absent. In order:
  ///
  /// - a non-empty `error`: a code by name or number, or a text;
  /// - `code` with a gRPC status other than OK, as a number or by name, or an HTTP status from 400 on;
  /// - `success: false`.
  ///
  /// Problem details (RFC 9457) are a failure whatever they contain.
  ///
  /// The contract allows an `error` in every response. Where the message has a field of that name, only an `ErrorStatus` is
  /// a failure. The other two may be regular fields of this or a later version: they count only if the message has no
  /// field of that name and the body contains no other field of the message.
  package init?(enclosedIn response: borrowing HTTPResponse, of rpc: RPCDescriptor) {
    let isProblem = response.headers.isProblem
    guard let descriptor = rpc.bodyDescriptor else { return nil }
    guard isProblem || FailureMarks(descriptor).occur(in: response.body.inMemory) else { return nil }
    self.init(markedIn: copy response, descriptor, isProblem: isProblem)
  }

  @inline(never)
  private init?(markedIn response: HTTPResponse, _ descriptor: MessageDescriptor, isProblem: Bool) {
    let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory)
    if descriptor.allowsError, let error = json?["error"], let failure = APIError(error, response) {
      self = failure
    } else if let json, let failure = APIError(insteadOf: descriptor, json, response) {
      self = failure
    } else if isProblem {
      self.init(foreign: response.body.inMemory, inPlaceOf: descriptor, httpStatus: response.status)
    } else {
      return nil
    }
    retryAfter = RetryAfter.wait(details: json?["error"]?["details"] ?? json?["details"])
  }

  /// The failure in `error`.
  private init?(_ error: JSONValue, _ response: HTTPResponse) {
    // The first version of grpc-gateway uses the second name.
    if let number = (error["code"] ?? error["grpc_code"])?.integerValue {
      guard number != 0 else { return nil }
      self.init(number: number, error, response)
    } else if let status = ErrorStatus(error: error) {
      self.init(status, response)
    } else {
      return nil
    }
  }

  /// The failure in place of a message.
  private init?(insteadOf descriptor: MessageDescriptor, _ json: JSONValue, _ response: HTTPResponse) {
    guard case .object(let members) = json else { return nil }
    for member in members where member.isContent(of: descriptor) { return nil }
    if descriptor.field(named: "code") == nil, let code = json["code"], let error = APIError(code: code, json, response)
    {
      self = error
    } else if descriptor.allowsError, let number = json["error"]?.integerValue, number != 0 {
      self.init(number: number, json, response)
    } else if descriptor.allowsError, json["error"]?.isFlag == true {
      self.init(.serverError, "the server failed", httpStatus: response.status)
    } else if descriptor.field(named: "success") == nil, json["success"]?.isFalse == true {
      let message = json.text("message") ?? ""
      self.init(
        .failedPrecondition, "the server did not do it", httpStatus: response.status,
        server: message.isEmpty ? nil : ServerError(message: message))
    } else {
      return nil
    }
  }

  @inline(never)
  private init?(code: JSONValue, _ json: JSONValue, _ response: HTTPResponse) {
    if let number = code.integerValue ?? code.stringValue.flatMap({ Int(digits: $0[...]) }) {
      guard GRPCStatus(failure: number) != nil || (400...599).contains(number) else { return nil }
      self.init(number: number, json, response)
    } else if let name = code.stringValue, GRPCStatus(named: name) != nil {
      self.init(ErrorStatus(code: name, message: json.text("message") ?? ""), response)
    } else {
      return nil
    }
  }

  /// A failure whose code is a number: a gRPC status, or else an HTTP status.
  @inline(never)
  private init(number: Int, _ json: JSONValue, _ response: HTTPResponse) {
    // As the gateway sends it with an error status.
    var meant = response
    var members = json["message"].map { [JSONValue.Member(name: "message", value: $0)] } ?? []
    if let status = GRPCStatus(failure: number) ?? GRPCStatus(describedIn: json) {
      members.append(.init(name: "code", value: .number(String(status.rawValue))))
    } else {
      meant.status = (400...599).contains(number) ? number : 500
    }
    meant.body = .bytes(JSONValue.object(members).jsonUTF8)
    self.init(meant)
    httpStatus = response.status
  }
}

extension RPCDescriptor {
  /// The descriptor of the message in a response's body, whose fields are not failures. It has no fields if the body is not
  /// a message, and is nil if the body may have any members.
  var bodyDescriptor: MessageDescriptor? {
    guard let name = http.responseField else { return responseType.descriptor }
    guard let index = responseType.descriptor.fields.firstIndex(where: { $0.name == name }) else { return nil }
    let field = responseType.descriptor.fields[index]
    if field.holdsAnyMembers { return nil }
    let isMessage = field.cardinality == .singular || field.cardinality == .optional
    return isMessage
      ? NestedTypes.type(ofField: index, in: responseType)?.descriptor ?? Self.noMessage : Self.noMessage
  }

  private static let noMessage = MessageDescriptor("", fields: [])
}

extension FieldDescriptor {
  /// Whether its JSON is an object whose members the contract does not name.
  var holdsAnyMembers: Bool {
    switch (cardinality, kind) {
    case (.map, _): true
    case (.repeated, _): false
    case (_, .message("google.protobuf.Struct")), (_, .message("google.protobuf.Value")),
      (_, .message("google.protobuf.Any")):
      true
    default: false
    }
  }
}

extension MessageDescriptor {
  /// Whether an `error` in the message's JSON is a failure and not a field with another meaning.
  var allowsError: Bool {
    guard let field = field(named: "error") else { return true }
    return field.kind == .message(ErrorStatus.descriptor.name)
  }
}

extension ErrorStatus {
  fileprivate init?(error: JSONValue) {
    let text = error.stringValue.map { ErrorStatus(message: $0) }
    guard let status = text ?? (try? ErrorStatus(jsonUTF8: error.jsonUTF8)), status.isFailure else { return nil }
    self = status
  }
}

extension HTTPResponse {
  /// The response without an `error` whose code is the number 0 (OK), which the contract's type cannot hold; nil if it
  /// has no such `error`.
  func withoutErrorThatIsOK(of rpc: RPCDescriptor) -> HTTPResponse? {
    guard rpc.bodyDescriptor?.allowsError == true, case .object(let members) = try? JSONValue(jsonUTF8: body.inMemory)
    else { return nil }
    var (rest, isOK): ([JSONValue.Member], Bool) = ([], false)
    for member in members {
      if member.name == "error" { isOK = isOK || member.value["code"]?.integerValue == 0 } else { rest.append(member) }
    }
    guard isOK else { return nil }
    var response = self
    response.body = .bytes(JSONValue.object(rest).jsonUTF8)
    return response
  }
}

extension JSONValue.Member {
  /// Whether this is a field of the message with a value other than its default. Members that failures also have do not
  /// count.
  fileprivate func isContent(of descriptor: MessageDescriptor) -> Bool {
    if name == "message" || name == "details" || name == "error" && descriptor.allowsError
      || descriptor.field(named: name) == nil
    {
      return false
    }
    switch value {
    case .null, .bool(false), .string(""), .array([]), .object([]): return false
    case .number: return value.integerValue != 0
    default: return true
    }
  }
}

extension JSONValue {
  /// Whether this reports a failure without describing it: `true`, or a list that is not empty.
  fileprivate var isFlag: Bool {
    if case .array(let elements) = self { return !elements.isEmpty }
    return self == .bool(true)
  }

  /// Whether this is `false` as any of the types that servers use for it.
  fileprivate var isFalse: Bool { self == .bool(false) || integerValue == 0 || stringValue == "false" }
}

extension ErrorStatus {
  /// Whether this reports a failure.
  var isFailure: Bool { !code.isEmpty || !message.isEmpty }
}
