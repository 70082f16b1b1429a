import NovaCore

/// The fields that a request must have, with their values. Other fields do not matter.
struct RequestMatcher: Sendable {
  private struct Field: Sendable {
    let name: String
    /// Nil for the default, which canonical JSON leaves out.
    let value: JSONValue?
  }

  private let fields: [Field]

  /// Matches every request.
  static let any = RequestMatcher(fields: [])

  private init(fields: [Field]) { self.fields = fields }

  /// Matches requests with the fields that a message sets.
  init(_ message: any ProtoMessage) throws(ProtoJSONError) {
    fields = try Self.members(of: message).map { Field(name: $0.name, value: $0.value) }
  }

  /// Matches requests with the fields that JSON names, including those with a default value.
  init(_ json: JSONValue, of type: any ProtoMessage.Type) throws(ProtoJSONError) {
    let values = try Self.members(of: type.init(refusingUnknownFieldsIn: json.jsonUTF8))
    fields = (json.memberList ?? []).compactMap { member in
      guard let name = type.descriptor.field(named: member.name)?.name else { return nil }
      return Field(name: name, value: values.first { $0.name == name }?.value)
    }
  }

  /// The fields as JSON; null for a default.
  var json: JSONValue { .object(fields.map { .init(name: $0.name, value: $0.value ?? .null) }) }

  /// - Parameter members: those of a request, see ``members(of:)``.
  func matches(_ members: [JSONValue.Member]) -> Bool {
    fields.allSatisfy { field in members.first { $0.name == field.name }?.value == field.value }
  }

  /// The fields with another value in a request; nil for a default.
  func differences(from members: [JSONValue.Member]) -> [(name: String, expected: JSONValue?, got: JSONValue?)] {
    fields.compactMap { field in
      let got = members.first { $0.name == field.name }?.value
      return got == field.value ? nil : (name: field.name, expected: field.value, got: got)
    }
  }

  /// The fields of a message as canonical JSON.
  static func members(of message: any ProtoMessage) throws(ProtoJSONError) -> [JSONValue.Member] {
    try JSONValue(jsonUTF8: message.jsonUTF8(.request)).memberList ?? []
  }
}
