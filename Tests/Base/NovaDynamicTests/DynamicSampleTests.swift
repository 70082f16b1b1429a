#if GRPC
  import NovaCoding
  import NovaDynamic
  import NovaSupport
  import Testing

  /// Messages by their descriptors, compared with what Google's protobuf reads and writes.
  @Suite struct DynamicSampleTests {
    private let schema: ProtoSchema

    init() throws { schema = try .samples() }

    @Test func jsonIsReadAsGooglesProtobufReadsIt() throws {
      for sample in DynamicSamples.texts where Difference.texts[sample.json] == nil {
        let expected = try sample.bytes.map { try #require(Hexadecimal.decode($0)) }
        let result = Result { try bytes(sample.json, as: sample.type) }
        switch (result, expected) {
        case (.success(let bytes), let expected?):
          // The order of a map's entries is anybody's.
          #expect(bytes.sorted() == expected.sorted(), "\(sample.type) \(sample.json)")
          try expect(bytes, as: sample.type, toBe: sample.canonical ?? "")
        case (.failure, nil): break
        default: Issue.record("\(sample.type) \(sample.json): \(result), not \(sample.bytes ?? "an error")")
        }
      }
    }

    @Test func bytesAreReadAsGooglesProtobufReadsThem() throws {
      for sample in DynamicSamples.bytes where Difference.bytes[sample.bytes] == nil {
        let bytes = try #require(Hexadecimal.decode(sample.bytes))
        if let json = sample.json, let complete = sample.complete {
          try expect(bytes, as: sample.type, toBe: json)
          try expect(bytes, as: sample.type, toBe: complete, includesDefaults: true)
        } else {
          #expect(throws: DynamicError.self, "\(sample.type) \(sample.bytes)") {
            try DynamicReader(schema).json(bytes, as: sample.type)
          }
        }
      }
    }

    /// What Google's protobuf for Python accepts although its specification does not: ours is an error.
    @Test(arguments: Difference.texts.keys) func oddJSONIsAnError(_ json: String) throws {
      let sample = try #require(DynamicSamples.texts.first { $0.json == json })
      #expect(throws: DynamicError.self) { try bytes(json, as: sample.type) }
    }

    @Test func bytesThatAreReadInOtherWays() throws {
      try expect([0x12, 4, 8, 1, 0x18, 5, 0x12, 0], as: "odd.three.Maps", toBe: #"{"byInt32":{"0":"","1":""}}"#)
      try expect([8, 1, 0x12, 1, 0xFF], as: "odd.two.Old", toBe: #"{"id":1,"name":"\#u{FFFD}"}"#)
    }

    private func bytes(_ json: String, as type: String) throws -> [UInt8] {
      try DynamicWriter(schema).bytes(JSONValue(jsonUTF8: Array(json.utf8)), as: type)
    }

    private func expect(
      _ bytes: [UInt8], as type: String, toBe expected: String, includesDefaults: Bool = false
    ) throws {
      var options = DynamicReader.Options()
      options.includesDefaults = includesDefaults
      let json = try DynamicReader(schema, options: options).json(bytes, as: type)
      let differences = try JSONValue(jsonUTF8: Array(expected.utf8)).differences(from: json)
      #expect(differences.isEmpty, "\(type) \(Hexadecimal.encode(bytes)): \(json.text), not \(expected)")
    }
  }

  /// Where Google's protobuf for Python and this one differ on purpose, and why.
  private enum Difference {
    static let texts = [
      #"{"double":true}"#: "Python takes true for 1",
      "[]": "Python takes an empty list for a message",
      #"{"kind":1.5}"#: "Python drops the fraction",
      #"{"number":1,"nothing":null}"#: "null is a value of NullValue, so the oneof has two fields",
      #"{"snakeCaseName":1,"snake_case_name":2}"#: "the specification refuses a field that occurs twice",
    ]
    static let bytes = [
      "1204080118051200": "Python drops an entry with unknown fields",
      "08011201ff": "Python shows bytes that are not UTF-8 as Python would",
    ]
  }

  extension ProtoSchema {
    /// The types of Proto/, beside these tests.
    static func samples() throws -> ProtoSchema {
      var schema = ProtoSchema()
      for file in DynamicSamples.files { schema.add(try SchemaFile(descriptor: #require(Base64.decode(file)))) }
      return schema
    }
  }

  extension JSONValue {
    var text: String { String(decoding: jsonUTF8, as: UTF8.self) }
  }
#endif
