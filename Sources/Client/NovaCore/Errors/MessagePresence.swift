/// Which part of an expected message a JSON object has.
///
/// Gateways leave out fields with default values, so that an empty object can be a whole message. An object that only has
/// members of something else cannot: `{"detail":"db down"}` is not an empty list.
package enum MessagePresence {
  /// A field of the message.
  case fields
  /// No field, and nothing that contradicts a message whose fields all have their default values: `{}`,
  /// `{"code":0,"message":"OK"}`, or any object without a sign of a failure for a message that has no fields.
  case defaults
  /// The JSON of something else.
  case foreign

  /// - Parameter descriptor: the expected message. Its `error` does not count, because other APIs have that member, too.
  package init(_ members: [JSONValue.Member], of descriptor: MessageDescriptor) {
    if members.contains(where: { $0.name != "error" && descriptor.field(named: $0.name) != nil }) {
      self = .fields
      return
    }
    if descriptor.fields.isEmpty {
      self = OutcomeSign.isFailure(members, by: [.failure, .failedStatus, .description]) ? .foreign : .defaults
      return
    }
    let rest = members.filter { !$0.value.isVoid }
    let isSuccess = rest.contains { $0.isSuccess }
    self = rest.allSatisfy { $0.isSuccess || isSuccess && $0.isText } ? .defaults : .foreign
  }

  /// Decides about an object that has members, of which none is a field of the message.
  ///
  /// - Throws: ``ProtoJSONError`` with ``ProtoJSONError/messageWithoutField`` if it is the JSON of something else.
  @inline(never)
  static func check(_ body: [UInt8], of descriptor: MessageDescriptor) throws(ProtoJSONError) {
    guard case .object(let members) = try JSONValue(keepingRepeatedNames: body) else { return }
    if case .foreign = MessagePresence(members, of: descriptor) { throw ProtoJSONError(noFieldOf: descriptor) }
  }
}

extension JSONValue.Member {
  /// Whether it is the text beside a code.
  fileprivate var isText: Bool { ["message", "msg", "details"].contains(name) && value.stringValue != nil }
}

extension APIError {
  /// A response with a success status, and the JSON of something else in place of the message.
  init(foreign body: [UInt8], inPlaceOf message: MessageDescriptor, httpStatus: Int?) {
    let expected = message.shortName.isEmpty ? "the response" : message.shortName
    self.init(
      .invalidResponse, "not what the contract describes", httpStatus: httpStatus,
      server: ErrorBody(body).server ?? ServerError(ofOtherAPI: body))
    setForeignContent("JSON that does not contain a field of \(expected)")
  }
}

extension ServerError {
  /// The message of AWS Lambda, of GraphQL, or of Apigee.
  fileprivate init?(ofOtherAPI body: [UInt8]) {
    guard let json = try? JSONValue(keepingRepeatedNames: body) else { return nil }
    let first = json["errors"]?.elements?.first
    let fault = json["fault"]
    guard
      let text = json.text("errorMessage") ?? first?.text("message") ?? first?.text("detail") ?? first?.stringValue
        ?? fault?.text("faultstring") ?? fault?.text("message") ?? fault?.stringValue
    else { return nil }
    self.init(message: text)
  }
}

extension HTTPHeaders {
  /// Whether the body is problem details (RFC 9457), by its type.
  var isProblem: Bool {
    // Asked of every response, most of which have a shorter type.
    guard let type = self["Content-Type"], type.utf8.count >= 19 else { return false }
    return ["application/problem+json", "application/problem+xml"].contains(ContentTypeName.of(type))
  }
}
