/// Refuses bindings whose query would lose values.
///
/// Gateways read a query as grpc-gateway does: scalars, enums, times, durations, masks, and wrappers; lists of those; maps
/// with such values as `labels[key]=value`; and the fields of a message as `filter.language=en`.
struct QueryCheck {
  let contract: Contract

  /// Why the fields that the binding leaves to the query cannot all be there; nil if they can.
  func problem(_ binding: GatewayConfig.Binding, of method: Method) -> String? {
    guard binding.body != "*", let request = contract.message(named: method.request) else { return nil }
    let elsewhere = GatewayCheck.variables(binding.path) + [binding.body].compactMap(\.self)
    var visited: Set<String> = [request.fullName]
    for field in request.fields where !elsewhere.contains(field.name) {
      if let (path, kind) = misfit(field, at: field.name, &visited) {
        return "has \(path) in its query, which cannot hold \(kind); put it into the body"
      }
    }
    return nil
  }

  /// The field, or the field in its message, that does not fit.
  private func misfit(_ field: Field, at path: String, _ visited: inout Set<String>) -> (path: String, kind: String)? {
    if let kind = Self.unfit[field.type.kind] { return (path, kind) }
    guard let message = contract.message(ofType: field.type) else { return nil }
    switch field.cardinality {
    case .repeated: return (path, "a list of messages")
    case .map: return (path, "a map of messages")
    case .singular, .optional: break
    }
    guard !message.fields.isEmpty else { return (path, "a message without fields") }
    // A message that contains itself is looked at once.
    guard visited.insert(message.fullName).inserted else { return nil }
    for inner in message.fields {
      if let found = misfit(inner, at: "\(path).\(inner.name)", &visited) { return found }
    }
    return nil
  }

  private static let unfit = Dictionary(
    uniqueKeysWithValues: ["Any", "Empty", "ListValue", "Struct", "Value"].map { name in
      (FieldType.message("google.protobuf.\(name)", "").kind, "a google.protobuf.\(name)")
    } + [(FieldType.enumeration("google.protobuf.NullValue", "").kind, "a google.protobuf.NullValue")])
}
