@testable import NovaCoding
@testable import NovaCore
@testable import NovaDynamic

/// Descriptors, and messages by their descriptors. The first byte says what the rest is:
///
/// - `d`: a descriptor, whose messages the same bytes are then read as;
/// - `b` and the index of a type: a message in the binary form. What is read is written, and read back the same;
/// - `j` and the index of a type: a message as JSON. What is written is read back and written the same.
enum DescriptorsTarget {
  private static let types = [
    "odd.three.Numbers", "odd.three.Lists", "odd.three.Maps", "odd.three.Outer", "odd.three.Known", "odd.two.Old",
    "odd.two.Holder", "odd.edition.Mixed",
  ]

  private static let schema: ProtoSchema = {
    var schema = ProtoSchema()
    for file in DynamicSamples.files {
      guard let bytes = Base64.decode(file) else { fatalError("a descriptor is not base64") }
      schema.add(mustSucceed("a descriptor is refused") { try SchemaFile(descriptor: bytes) })
    }
    return schema
  }()

  static func check(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    if kind == UInt8(ascii: "d") { return checkDescriptor(rest) }
    guard let index = rest.first else { return }
    let type = types[Int(index) % types.count]
    let contents = Array(rest.dropFirst())
    if kind == UInt8(ascii: "j") { checkJSON(contents, type) } else { checkBinary(contents, type) }
  }

  private static func checkDescriptor(_ bytes: [UInt8]) {
    guard let file = attempt({ try SchemaFile(descriptor: bytes) }) else { return }
    var schema = ProtoSchema()
    schema.add(file)
    for message in file.messages.prefix(20) {
      for includesDefaults in [false, true] {
        var options = DynamicReader.Options()
        options.includesDefaults = includesDefaults
        guard let json = attempt({ try DynamicReader(schema, options: options).json(bytes, as: message.name) }) else {
          continue
        }
        _ = attempt { try DynamicWriter(schema).bytes(json, as: message.name) }
      }
    }
  }

  private static func checkBinary(_ bytes: [UInt8], _ type: String) {
    var options = DynamicReader.Options()
    options.showsUnknownTypes = true
    let reader = DynamicReader(schema, options: options)
    guard let json = attempt({ try reader.json(bytes, as: type) }) else { return }
    // Required fields, and an `Any` of an unknown type, can be read but not written.
    guard let written = attempt({ try DynamicWriter(schema).bytes(json, as: type) }) else { return }
    let again = mustSucceed("what was written is refused") { try reader.json(written, as: type) }
    require(again == json, "reading what was written gives another message: \(text(json)), then \(text(again))")
  }

  private static func checkJSON(_ bytes: [UInt8], _ type: String) {
    guard let json = try? JSONValue(jsonUTF8: bytes),
      let written = attempt({ try DynamicWriter(schema).bytes(json, as: type) })
    else { return }
    // Nesting is counted in other ways: a message in JSON can be too deep for the binary form.
    guard let read = attempt({ try DynamicReader(schema).json(written, as: type) }) else { return }
    let again = mustSucceed("what was read is refused") { try DynamicWriter(schema).bytes(read, as: type) }
    require(again.sorted() == written.sorted(), "writing what was read gives other bytes for \(text(json))")
  }

  private static func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
      require("\(error)".isPrintable, "the error has control characters: \("\(error)".debugDescription)")
      return nil
    }
  }

  private static func text(_ json: JSONValue) -> String { String(decoding: json.jsonUTF8, as: UTF8.self) }
}
