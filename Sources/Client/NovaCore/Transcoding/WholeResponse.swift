/// A response message in a body that should be only one of its fields: gateways without `response_body`, such as Envoy's
/// transcoder, answer with `{"somethings":[…]}` in place of the list.
package enum WholeResponse {
  /// Whether the body is the whole message. Never if it can be the field.
  ///
  /// - Parameter name: the field of the response that should be the body.
  package static func stands(in body: [UInt8], of response: any ProtoMessage.Type, _ name: String) -> Bool {
    let descriptor = response.descriptor
    guard body.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{"),
      let index = descriptor.fields.firstIndex(where: { $0.name == name }),
      let members = (try? JSONValue(jsonUTF8: body))?.memberList
    else { return false }
    let field = descriptor.fields[index]
    if field.holdsAnyMembers { return false }
    let namesField = members.contains { $0.name == field.name || $0.name == field.jsonName }
    switch field.cardinality {
    // Encoders leave empty lists out.
    case .repeated: return namesField || members.isEmpty
    default:
      guard case .message = field.kind, let type = NestedTypes.type(ofField: index, in: response) else {
        return namesField
      }
      return namesField && type.descriptor.field(named: field.name) == nil
        && type.descriptor.field(named: field.jsonName) == nil
    }
  }
}
