#if GRPC
  import NovaCoding
  import NovaDynamic
  import NovaSupport
  import Testing

  /// What is too deep, cut short, or of a type that no descriptor defines.
  @Suite struct DynamicLimitTests {
    private let schema: ProtoSchema

    init() throws { schema = try .samples() }

    private func outcome(_ body: () throws -> JSONValue) -> String {
      do { return try body().text } catch { return "\(error)" }
    }

    private func read(_ bytes: [UInt8], as type: String) -> String {
      outcome { try DynamicReader(schema).json(bytes, as: type) }
    }

    private func write(_ json: String, as type: String) -> String {
      outcome {
        .string(Hexadecimal.encode(try DynamicWriter(schema).bytes(JSONValue(jsonUTF8: Array(json.utf8)), as: type)))
      }
    }

    /// A message within itself, `depth` times, as field 3.
    private func nested(_ depth: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for _ in 0..<depth {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest >= 0x80 {
          length.append(UInt8(rest & 0x7F) | 0x80)
          rest >>= 7
        }
        bytes = [0x1A] + length + [UInt8(rest)] + bytes
      }
      return bytes
    }

    @Test func messagesThatAreTooDeepAreAnError() {
      #expect(read(nested(99), as: "odd.three.Outer").hasPrefix("{"))
      #expect(read(nested(100), as: "odd.three.Outer").hasSuffix("more than 100 nested messages"))
      #expect(read(nested(5000), as: "odd.three.Outer").hasSuffix("more than 100 nested messages"))
      let groups = [UInt8](repeating: 0x0B, count: 200) + [UInt8](repeating: 0x0C, count: 200)
      #expect(read(groups, as: "odd.three.Outer").contains("more than 100 nested groups"))
    }

    @Test func valuesThatAreTooDeepAreAnError() throws {
      let json = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
      let bytes = try DynamicWriter(schema).bytes(JSONValue(jsonUTF8: Array(json.utf8)), as: "google.protobuf.Value")
      #expect(read(bytes, as: "google.protobuf.Value").contains("more than 100 nested messages"))
      let shallow = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
      let value = try DynamicWriter(schema).bytes(JSONValue(jsonUTF8: Array(shallow.utf8)), as: "google.protobuf.Value")
      #expect(read(value, as: "google.protobuf.Value") == shallow)
    }

    @Test func everyPrefixOfAMessageIsReadOrAnError() throws {
      for sample in DynamicSamples.texts {
        let bytes = try sample.bytes.map { try #require(Hexadecimal.decode($0)) } ?? []
        for end in bytes.indices {
          _ = try? DynamicReader(schema).json(Array(bytes[..<end]), as: sample.type)
        }
      }
    }

    @Test func errorsNameTheFieldAndTheValue() {
      #expect(
        write(#"{"messages":[{},{"int32":"x"}]}"#, as: "odd.three.Lists")
          == #"messages[1].int32: expected an integer from -2147483648 to 2147483647, found string "x""#)
      #expect(
        write(#"{"byName":{"a":{"bool":1}}}"#, as: "odd.three.Maps")
          == #"byName["a"].bool: expected true or false, found number 1"#)
      #expect(
        write(#"{"inner":{"depth":1}}"#, as: "odd.three.Outer")
          == "inner.depth: odd.three.Outer.Inner has no such field; its fields are deep, outer")
      #expect(
        write(#"{"kind":"SECOND"}"#, as: "odd.three.Outer")
          == #"kind: expected one of NONE, FIRST, ALSO_FIRST, NEGATIVE, found string "SECOND""#)
      #expect(write("{}", as: "odd.two.Old") == "id: the field is required")
      #expect(write("{}", as: "odd.two.None") == "no descriptor defines the type odd.two.None")
    }

    @Test func unknownFieldsAreIgnoredIfThatIsWanted() throws {
      let json = try JSONValue(jsonUTF8: Array(#"{"other":{"a":1},"int32":5}"#.utf8))
      #expect(try DynamicWriter(schema, ignoresUnknownFields: true).bytes(json, as: "odd.three.Numbers") == [0x18, 5])
    }

    @Test func anyOfAnUnknownTypeNamesTheTypeOrIsShownAsBytes() throws {
      let bytes: [UInt8] = [0x0A, 10, 0x0A, 5] + Array("a/b.C".utf8) + [0x12, 1, 0xFF]
      do {
        _ = try DynamicReader(schema).json(bytes, as: "odd.three.Known")
        Issue.record("no error")
      } catch {
        #expect(error.missingType == "b.C")
        #expect("\(error)" == "any: no descriptor defines the type b.C")
      }
      var options = DynamicReader.Options()
      options.showsUnknownTypes = true
      #expect(
        try DynamicReader(schema, options: options).json(bytes, as: "odd.three.Known").text
          == #"{"any":{"@type":"a/b.C","value":"/w=="}}"#)
    }

    @Test func descriptorsThatCannotBeReadAreAnError() throws {
      #expect(throws: DynamicError.self) { try SchemaFile(descriptor: [0x0A]) }
      // syntax = "proto9"
      #expect(throws: DynamicError.self) { try SchemaFile(descriptor: [0x62, 6] + Array("proto9".utf8)) }
      // A field without a type.
      #expect(throws: DynamicError.self) { try SchemaFile(descriptor: [0x22, 5, 0x12, 3, 0x0A, 1, 0x61]) }
      var type: [UInt8] = []
      for _ in 0..<20 { type = [0x1A, UInt8(type.count)] + type }
      _ = try SchemaFile(descriptor: [0x22, UInt8(type.count)] + type)
    }

    @Test func schemasListWhatTheyHave() throws {
      let file = try #require(schema.files["odd/proto3.proto"])
      #expect(file.dependencies.count == 7)
      #expect(schema.missingFiles.isEmpty)
      #expect(schema.message(named: "odd.three.Outer")?.nestedNames == ["odd.three.Outer.Inner"])
      #expect(schema.enumeration(named: "odd.three.Outer.Inner.Deep")?.values.map(\.name) == ["ZERO", "DEEP"])
      #expect(schema.extensions(of: "odd.two.Old").map(\.fullName).count == 3)
      var alone = ProtoSchema()
      alone.add(file)
      #expect(alone.missingFiles.count == 7)
    }
  }
#endif
