/// Writes the names of facts as Swift, with keys from the fields of a message.
struct FactSource {
  let names: OfflineNames
  /// The variable that holds the message.
  let root: String
  let message: Message
  let place: OfflineConfig.Place
  /// What stands for one of a field of ids; nil where such fields are not allowed.
  var each: String?

  /// `CountName("likers", [request.postId])`
  func count(_ name: FactName) throws -> String {
    try names.requireCount(name, at: place)
    return try "CountName(\(literal(name.kind)), \(keys(name)))"
  }

  /// `ListName("likers", [request.postId])`
  func list(_ name: FactName) throws -> String {
    try names.requireList(name, at: place)
    return try "ListName(\(literal(name.kind)), \(keys(name)))"
  }

  /// `RelationName("likes", from: request.userId, to: request.postId)`
  func relation(_ name: FactName) throws -> String {
    try names.requireRelation(name, at: place)
    return try "RelationName(\(literal(name.kind)), from: \(key(name.keys[0])), to: \(key(name.keys[1])))"
  }

  /// The id in `Post[post_id]`.
  func id(_ name: FactName) throws -> String {
    try names.requireRecord(name, at: place)
    return try key(name.keys[0])
  }

  /// `("likes", [request.userId, request.postId])`
  func subject(_ name: FactName) throws -> String {
    try names.requireSubject(name, at: place)
    return try "(\(literal(name.kind)), \(keys(name)))"
  }

  /// `[request.userId, ""]`
  private func keys(_ name: FactName) throws -> String {
    try "[\(name.keys.map(key).joined(separator: ", "))]"
  }

  /// A key as text.
  func key(_ value: FactValue) throws -> String {
    switch value {
    case .literal(let text): return literal(text)
    case .now: throw place.error("has now as a key; a key is a field or =text")
    case .field(let name, let standard):
      let field = try names.field(name, of: message, at: place)
      if let each, field.cardinality == .repeated, field.type.swift == "String" { return each }
      if field.cardinality == .optional, field.type.swift == "String", standard == nil {
        return "\(root).\(field.swiftName) ?? \"\""
      }
      guard field.cardinality == .singular else {
        throw place.error("has the key \(name), which is no plain field of \(message.name)")
      }
      let source = "\(root).\(field.swiftName)"
      switch (field.type.swift, standard) {
      case ("String", nil): return source
      case ("String", let standard?): return "\(source).isEmpty ? \(literal(standard)) : \(source)"
      case ("Int", nil), ("Int64", nil), ("UInt64", nil): return "String(\(source))"
      default: throw place.error("has the key \(name), which is neither text nor a whole number")
      }
    }
  }

  /// The field of ids among the keys of a name; nil without one.
  func batch(_ name: FactName) throws -> Field? {
    for case .field(let key, _) in name.keys {
      let field = try names.field(key, of: message, at: place)
      if field.cardinality == .repeated, field.type.swift == "String" { return field }
    }
    return nil
  }

  private func literal(_ text: String) -> String { SwiftNames.literal(text) }
}
