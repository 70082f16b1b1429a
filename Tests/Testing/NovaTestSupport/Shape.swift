public import NovaCore

/// What a piece of JSON must look like, and what is wrong with it otherwise.
public indirect enum Shape: Sendable {
  case string, integer, number, bool, anything
  case constant(String)
  case oneOf([String])
  case list(Shape)
  /// An object whose members all have this shape.
  case map(Shape)
  /// An object with these members; an open one may have more.
  case object(_ required: [String: Shape], _ optional: [String: Shape] = [:], isOpen: Bool = false)
  case either(Shape, Shape)
  case check(String, @Sendable (JSONValue) -> Bool)

  /// What is wrong, each with its place; empty where nothing is.
  public func problems(_ value: JSONValue, at path: String = "$") -> [String] {
    switch (self, value) {
    case (.anything, _), (.string, .string), (.number, .number), (.bool, .bool): return []
    case (.integer, .number) where value.integerValue != nil: return []
    case (.constant(let text), .string(let actual)) where text == actual: return []
    case (.oneOf(let texts), .string(let actual)) where texts.contains(actual): return []
    case (.list(let shape), .array(let elements)):
      return elements.enumerated().flatMap { shape.problems($1, at: "\(path)[\($0)]") }
    case (.map(let shape), .object(let members)):
      return members.flatMap { shape.problems($0.value, at: "\(path).\($0.name)") }
    case (.object(let required, let optional, let isOpen), .object(let members)):
      return Self.problems(of: members, required: required, optional: optional, isOpen: isOpen, at: path)
    case (.either(let first, let second), _):
      let problems = first.problems(value, at: path)
      return problems.isEmpty || second.problems(value, at: path).isEmpty ? [] : problems
    case (.check(_, let isGood), _) where isGood(value): return []
    default: return ["\(path): expected \(self), found \(value.kindDescription)"]
    }
  }

  private static func problems(
    of members: [JSONValue.Member], required: [String: Shape], optional: [String: Shape], isOpen: Bool,
    at path: String
  ) -> [String] {
    var problems = required.keys.filter { name in !members.contains { $0.name == name } }.map { "\(path): no \($0)" }
    for member in members {
      if let shape = required[member.name] ?? optional[member.name] {
        problems += shape.problems(member.value, at: "\(path).\(member.name)")
      } else if !isOpen, !member.name.hasPrefix("_") {
        problems.append("\(path): there is no \(member.name)")
      }
    }
    return problems
  }
}
