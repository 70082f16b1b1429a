import NovaCore

/// JSON for people: one member or element per line, indented by two spaces.
enum PrettyJSON {
  /// Indents JSON without white space.
  ///
  /// - Parameter depth: the depth within a document.
  static func spread(_ json: [UInt8], depth start: Int = 0) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(json.count * 2)
    var depth = start
    var isInString = false
    var isEscaped = false
    for (index, byte) in json.enumerated() {
      if isInString {
        output.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        output.append(byte)
        if !isEmpty(json, at: index) { newLine(depth, &output) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if index > 0, !isEmpty(json, at: index - 1) { newLine(depth, &output) }
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        newLine(depth, &output)
      case UInt8(ascii: ":"): output.append(contentsOf: ": ".utf8)
      default:
        isInString = byte == UInt8(ascii: "\"")
        output.append(byte)
      }
    }
    return output
  }

  static func spread(_ value: JSONValue, depth: Int = 0) -> [UInt8] { spread(value.jsonUTF8, depth: depth) }

  /// Whether the bytes here are `{}` or `[]`.
  private static func isEmpty(_ json: [UInt8], at index: Int) -> Bool {
    guard index + 1 < json.count else { return false }
    return (json[index], json[index + 1]) == (UInt8(ascii: "{"), UInt8(ascii: "}"))
      || (json[index], json[index + 1]) == (UInt8(ascii: "["), UInt8(ascii: "]"))
  }

  private static func newLine(_ depth: Int, _ output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
