import Yams

/// A YAML mapping that knows where it stands.
struct Section {
  let node: Node.Mapping
  let file: String
  let place: String

  init(_ node: Node, file: String, place: String) throws {
    let line = node.mark.map { " (line \($0.line))" } ?? ""
    guard let mapping = node.mapping else {
      throw GenerationError(file: file, place: place + line, reason: "is not a mapping")
    }
    self.node = mapping
    self.file = file
    self.place = place + line
  }

  func error(_ reason: String) -> GenerationError { GenerationError(file: file, place: place, reason: reason) }

  func has(_ key: String) -> Bool { node[Node(key)] != nil }

  func allow(_ keys: [String]) throws {
    for (key, _) in node {
      guard let key = key.string, keys.contains(key) else {
        throw error("has the unknown key \"\(key.string ?? "?")\"; known are \(keys.joined(separator: ", "))")
      }
    }
  }

  func section(_ key: String) throws -> Section? { try node[Node(key)].map { try Section($0, file: file, place: key) } }

  func list(_ key: String) throws -> [Section] {
    guard let value = node[Node(key)] else { return [] }
    guard let sequence = value.sequence else { throw error("\(key) is not a list") }
    return try sequence.enumerated().map { try Section($1, file: file, place: "\(key)[\($0)]") }
  }

  func texts(_ key: String) throws -> [String] {
    guard let value = node[Node(key)] else { return [] }
    guard let sequence = value.sequence else { throw error("\(key) is not a list") }
    return try sequence.map { node in
      guard let text = node.string else { throw error("\(key) holds something that is not text") }
      return text
    }
  }

  /// A text, or a list of texts.
  func oneOrMore(_ key: String) throws -> [String] {
    guard let text = node[Node(key)]?.string else { return try texts(key) }
    return [text]
  }

  /// The texts of a mapping, in its order.
  func pairs(_ key: String) throws -> [(key: String, value: String)] {
    guard let value = node[Node(key)] else { return [] }
    guard let mapping = value.mapping else { throw error("\(key) is not a mapping") }
    return try mapping.map { name, value in
      guard let name = name.string, let value = value.string else {
        throw error("\(key) holds something that is not text")
      }
      return (name, value)
    }
  }

  func text(_ key: String) throws -> String? {
    guard let value = node[Node(key)] else { return nil }
    guard let text = value.string else { throw error("\(key) is not text") }
    return text
  }

  func flag(_ key: String) throws -> Bool? {
    guard let value = node[Node(key)] else { return nil }
    guard let flag = value.bool else { throw error("\(key) is not true or false") }
    return flag
  }

  func required(_ key: String) throws -> String {
    guard let text = try text(key) else { throw error("lacks \(key)") }
    return text
  }

  func integer(_ key: String, within range: ClosedRange<Int> = 1...Int(Int32.max)) throws -> Int {
    guard let value = Int(try required(key)), range.contains(value) else {
      throw error("\(key) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Adds what is said about the name under `key`; saying it twice is an error, since one of the two would be lost.
  func set<Value>(_ values: inout [String: Value], for key: String, to value: Value) throws {
    guard values.updateValue(value, forKey: try required(key)) == nil else { throw error("names its \(key) again") }
  }
}
