import NovaCore

/// JSON for people: one member or element per line, indented by two spaces.
enum PrettyJSON {
  /// - Parameter depth: the depth within a document.
  static func spread(_ value: JSONValue, depth: Int = 0) -> [UInt8] {
    var output: [UInt8] = []
    write(value, depth: depth, to: &output)
    return output
  }

  private static func write(_ value: JSONValue, depth: Int, to output: inout [UInt8]) {
    switch value {
    case .object(let members) where !members.isEmpty:
      write(members, in: "{}", depth: depth, to: &output) { member, output in
        output += JSONValue.string(member.name).jsonUTF8 + ": ".utf8
        write(member.value, depth: depth + 1, to: &output)
      }
    case .array(let elements) where !elements.isEmpty:
      write(elements, in: "[]", depth: depth, to: &output) { write($0, depth: depth + 1, to: &$1) }
    default: output += value.jsonUTF8
    }
  }

  private static func write<Item>(
    _ items: [Item], in brackets: String, depth: Int, to output: inout [UInt8], each: (Item, inout [UInt8]) -> Void
  ) {
    let line = Array("\n\(String(repeating: "  ", count: depth))".utf8)
    output += brackets.utf8.prefix(1)
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output += line + "  ".utf8
      each(item, &output)
    }
    output += line + brackets.utf8.suffix(1)
  }
}
