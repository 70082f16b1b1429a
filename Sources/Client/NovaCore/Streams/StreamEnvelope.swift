/// The object around each message of a stream: grpc-gateway's `{"result":…}` and `{"error":…}`. Other gateways have none.
package struct StreamEnvelope {
  package enum Content: Equatable {
    case message([UInt8])
    /// The envelope of an error.
    case error([UInt8])
  }

  private let rpc: RPCDescriptor
  private let result: Field
  private let error: Field

  package init(of rpc: RPCDescriptor) {
    self.rpc = rpc
    let message = rpc.bodyDescriptor
    result = Field("result", in: message)
    error = message?.allowsError == true ? .absent : Field("error", in: message)
  }

  /// The JSON of the message in a value.
  ///
  /// - Parameter status: that of the response, which is the one of its failures, too.
  /// - Throws: the failure in place of a message, by the same rule as in the response of a call.
  package func message(in value: [UInt8], status: Int) throws(APIError) -> [UInt8] {
    switch content(of: value) {
    case .message(let message):
      if let failure = failure(in: message, status) { throw failure }
      return message
    case .error(let body): throw failure(in: body, status) ?? Self.unnamedFailure(in: body, status)
    }
  }

  private func failure(in body: [UInt8], _ status: Int) -> APIError? {
    APIError(enclosedIn: HTTPResponse(status: status, body: .bytes(body)), of: rpc)
  }

  /// The failure in an envelope with an unknown error, or whose message itself has a field `error`.
  private static func unnamedFailure(in body: [UInt8], _ status: Int) -> APIError {
    var failure = APIError(HTTPResponse(status: GRPCStatus.unknown.httpStatus, body: .bytes(body)))
    failure.httpStatus = status
    return failure
  }

  /// The message or the error in a value. An object with one member is an envelope, unless it may be the message.
  package func content(of value: [UInt8]) -> Content {
    // Most messages have other fields, and need not be read twice.
    guard mayBeEnvelope(value), let members = (try? JSONValue(jsonUTF8: value))?.memberList else {
      return .message(value)
    }
    let present = members.filter { $0.value != .null }
    guard present.count == 1, let member = present.first else { return .message(value) }
    if member.name == "result", result.isEnvelope(member.value) { return .message(member.value.jsonUTF8) }
    if member.name == "error", error.isEnvelope(member.value) { return .error(value) }
    return .message(value)
  }

  private func mayBeEnvelope(_ value: [UInt8]) -> Bool {
    let name = value.dropFirst().drop { $0 <= UInt8(ascii: " ") }
    return name.starts(with: "\"result\"".utf8) || name.starts(with: "\"error\"".utf8)
  }

  /// What the message itself has under a name of the envelope.
  private enum Field {
    case absent
    /// A field that is no object in JSON.
    case plain
    case object

    init(_ name: String, in message: MessageDescriptor?) {
      guard let message else {
        self = .object
        return
      }
      guard let field = message.field(named: name) else {
        self = .absent
        return
      }
      self = field.mayBeObject ? .object : .plain
    }

    func isEnvelope(_ value: JSONValue) -> Bool {
      switch self {
      case .absent: true
      case .plain: value.memberList != nil
      case .object: false
      }
    }
  }
}

extension FieldDescriptor {
  /// Whether its JSON can be an object.
  fileprivate var mayBeObject: Bool {
    switch (cardinality, kind) {
    case (.map, _): true
    case (.repeated, _): false
    case (_, .message): true
    default: false
    }
  }
}
