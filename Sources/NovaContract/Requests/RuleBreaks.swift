import NovaCore

/// What breaks the rules of a request's fields, one at a time.
enum RuleBreaks {
  /// Each break by its name, as the values that make it.
  static func all(of rpc: RPCDescriptor) -> [(name: String, members: [JSONValue.Member])] {
    let inPath = PathTemplate(rpc.http.path).variables
    return rpc.requestType.descriptor.fields.filter { !inPath.contains($0.name) }.flatMap { field in
      breaks(of: field, rpc).map { (name: $0, members: [.init(name: field.name, value: $1)]) }
    }
  }

  private static func breaks(of field: FieldDescriptor, _ rpc: RPCDescriptor) -> [(String, JSONValue)] {
    switch field.rule {
    case .notEmpty: return [("\(field.name) empty", .string(""))]
    // What is not negative by its type is refused as the wrong type, by the same status.
    case .notNegative where field.kind.isUnsigned: return []
    case .notNegative: return [("\(field.name) -1", .number("-1"))]
    case .range(let minimum, let maximum):
      // A message cannot hold a 0 that is not absent.
      return [minimum - 1, maximum + 1].filter { $0 != 0 }.map { ("\(field.name) \($0)", .number("\($0)")) }
    case .length(let minimum, let maximum):
      var breaks: [(String, JSONValue)] = []
      if minimum > 0 { breaks.append(("\(field.name) too short", .string(text(minimum - 1)))) }
      if let maximum { breaks.append(("\(field.name) too long", .string(text(maximum + 1)))) }
      return breaks
    case .count(let maximum):
      let ids = (0...maximum).map { JSONValue.string("nova-contract-\($0)") }
      return [("\(maximum + 1) \(field.name)", .array(ids))]
    case nil: return []
    }
  }

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}
