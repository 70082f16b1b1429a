#if GRPC
  import NovaCoding
  import NovaSupport
  import Testing

  /// Bytes that are no message, and those that are one in an unusual form.
  @Suite struct ProtobufReaderTests {
    init() { ProtoAny.register([Leaf.self]) }

    private static let long = [UInt8](repeating: 0x80, count: 9)
    /// Field 2 of the type bytes, with a length.
    private static func length(_ bytes: [UInt8]) -> [UInt8] { [0x12] + bytes }

    static let malformed: [BinarySample] = [
      // Tags.
      BinarySample([0x00], "expected a field number from 1 to 536870911, found 0 (byte 0)"),
      BinarySample([0x07], "expected a field number from 1 to 536870911, found 0 (byte 0)"),
      BinarySample([0x80, 0x00], "expected a field number from 1 to 536870911, found 0 (byte 0)"),
      BinarySample([0x80, 0x80, 0x80, 0x80, 0x10, 0], "found 536870912 (byte 0)"),
      BinarySample([0xF8] + long.dropFirst() + [0x01, 0], "expected a field number from 1 to 536870911"),
      BinarySample([0x08, 0x01, 0x80], "expected a varint, found one cut short (byte 2)"),
      BinarySample(long + [0x80, 0x01], "expected a varint of at most 10 bytes, found a longer one (byte 0)"),
      BinarySample([0x0E, 0x01], "expected a wire type from 0 to 5, found 6 (byte 0)"),
      BinarySample([0x0F], "expected a wire type from 0 to 5, found 7 (byte 0)"),
      // Values that are cut short.
      BinarySample([0x18], "int32_value: expected a varint, found the end of the message (byte 1)"),
      BinarySample([0x18, 0x80], "int32_value: expected a varint, found one cut short (byte 1)"),
      BinarySample([0x18] + long + [0x80, 0x00], "int32_value: expected a varint of at most 10 bytes"),
      BinarySample([0x09, 0, 0, 0, 0, 0, 0, 0], "double_value: expected 8 bytes, found 7 (byte 1)"),
      BinarySample([0x15, 0, 0, 0], "float_value: expected 4 bytes, found 3 (byte 1)"),
      BinarySample([0x15], "float_value: expected 4 bytes, found 0 (byte 1)"),
      // Lengths beyond the input: none of them allocates.
      BinarySample([0x72], "string_value: expected a varint, found the end of the message (byte 1)"),
      BinarySample([0x72, 0x01], "string_value: expected a length of at most 0 bytes, found 1 (byte 1)"),
      BinarySample([0x72, 0x05, 0x61], "string_value: expected a length of at most 1 bytes, found 5 (byte 1)"),
      BinarySample(
        [0x7A, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0], "bytes_value: expected a length of at most 1 bytes, found 2147483647"),
      BinarySample(
        [0x7A, 0x80, 0x80, 0x80, 0x80, 0x08], "bytes_value: expected a length of at most 0 bytes, found 2147483648"),
      BinarySample(
        [0x7A] + long + [0x01], "bytes_value: expected a length of at most 0 bytes, found 9223372036854775808"),
      BinarySample([0x7A, 0xFF] + long.dropFirst().map { $0 | 0x7F } + [0x01], "found 18446744073709551615 (byte 1)"),
      BinarySample([0x8A, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "occurred: expected a length of at most 0 bytes"),
      // Texts.
      BinarySample([0x72, 1, 0xFF], "string_value: expected valid UTF-8, found byte 0xFF (byte 2)"),
      BinarySample([0x72, 2, 0x61, 0xC3], "string_value: expected valid UTF-8, found byte 0xC3 (byte 3)"),
      BinarySample([0x72, 3, 0xED, 0xA0, 0x80], "string_value: expected valid UTF-8, found byte 0xED (byte 2)"),
      BinarySample([0x72, 2, 0xC0, 0x80], "string_value: expected valid UTF-8, found byte 0xC0 (byte 2)"),
      BinarySample([0x72, 4, 0xF4, 0x90, 0x80, 0x80], "string_value: expected valid UTF-8, found byte 0xF4 (byte 2)"),
      BinarySample([0x72, 12] + Array("abcdefghijk".utf8) + [0x80], "expected valid UTF-8, found byte 0x80 (byte 13)"),
      // Groups, which are skipped as unknown fields.
      BinarySample([0x0C], "expected a field, found the end of group 1, which has no start (byte 0)"),
      BinarySample([0xA3, 0x06], "expected the end of group 100, found the end of the message (byte 2)"),
      BinarySample([0xA3, 0x06, 0xAC, 0x06], "expected the end of group 100, found the end of group 101 (byte 2)"),
      BinarySample([0xA3, 0x06, 0x08], "expected a varint, found the end of the message (byte 3)"),
      BinarySample([0xA3, 0x06, 0x00], "expected a field number from 1 to 536870911, found 0 (byte 2)"),
      BinarySample([0xA3, 0x06, 0x0B, 0xA4, 0x06], "expected the end of group 1, found the end of group 100 (byte 3)"),
      // Unknown fields.
      BinarySample([0xA2, 0x06, 0x05, 0], "expected a length of at most 1 bytes, found 5 (byte 2)"),
      BinarySample([0xA0, 0x06], "expected a varint, found the end of the message (byte 2)"),
      BinarySample([0xA5, 0x06, 0, 0, 0], "expected 4 bytes, found 3 (byte 2)"),
    ]

    @Test(arguments: malformed) func malformedInputIsRefused(_ sample: BinarySample) {
      let error = failure(Scalars.self, sample.bytes)
      #expect(error.contains(sample.text), "\(hexadecimal(sample.bytes)): \(error)")
    }

    @Test(arguments: [
      BinarySample([0x0A, 3, 0, 0, 0], "double_values: [0]: expected 8 bytes, found 3 (byte 2)"),
      BinarySample(
        [0x0A, 9] + [UInt8](repeating: 0, count: 9), "double_values[1]: expected 8 bytes, found 1 (byte 10)"),
      BinarySample([0x12, 2, 0x01, 0x80], "int32_values[1]: expected a varint, found one cut short (byte 3)"),
      BinarySample([0x12, 3, 0x01], "int32_values: expected a length of at most 1 bytes, found 3 (byte 1)"),
      BinarySample([0x2A, 1, 0x61, 0x2A, 1, 0xFF], "string_values[1]: expected valid UTF-8, found byte 0xFF (byte 5)"),
      BinarySample([0x4A, 0, 0x4A, 3, 0x0A, 1, 0xFF], "nodes[1].id: expected valid UTF-8, found byte 0xFF (byte 6)"),
      BinarySample([0x4A, 1, 0x0A], "nodes[0].id: expected a varint, found the end of the message (byte 3)"),
      // The length of a nested message ends inside a value.
      BinarySample([0x4A, 2, 0x0A, 1, 0x61], "nodes[0].id: expected a length of at most 0 bytes, found 1 (byte 3)"),
    ])
    func errorsNameTheElement(_ sample: BinarySample) {
      let error = failure(Repeated.self, sample.bytes)
      #expect(error.contains(sample.text.replacing(": [", with: "[")), "\(hexadecimal(sample.bytes)): \(error)")
    }

    @Test func errorsNameTheKeyAndHideSecrets() {
      let entry: [UInt8] = [0x32, 9, 0x0A, 1, 0x6B, 0x12, 4, 0x12, 2, 0xFF, 0xFE]
      #expect(
        failure(Maps.self, entry)
          == #"nodes["k"].display_name: expected valid UTF-8, found byte 0xFF (byte 9)"#)
      #expect(
        failure(Node.self, [0x1A, 1, 0xFF])
          == "secret_token: expected valid UTF-8, found another value (hidden) (byte 2)")
      #expect(
        failure(Secrets.self, [0x12, 7, 0x0A, 1, 0x6B, 0x12, 2, 0xFF, 0xFE])
          == "tokens: expected valid UTF-8, found another value (hidden) (byte 7)")
    }

    /// Every prefix of a message is a message or an error, and so is every message with other bytes in it.
    @Test(arguments: ProtobufRoundTripTests.messages) func otherBytesAreNoCrash(_ message: AnyMessage) throws {
      func check<M: ProtoMessage>(_ type: M.Type) throws {
        for seed: UInt64 in 1...4 {
          var random = RandomSource(random: SeededGenerator(seed: seed))
          random.hasUnknownNames = false
          let bytes = try M.random(from: &random).protobuf()
          for count in 0..<min(bytes.count, 300) { _ = try? M(protobuf: Array(bytes[..<count])) }
          for _ in 0..<30 where !bytes.isEmpty {
            var other = bytes
            other[random.random.int(below: other.count)] = UInt8(random.random.int(below: 256))
            guard let read = try? M(protobuf: other), let written = try? read.protobuf() else { continue }
            let again = try M(protobuf: written)
            #expect(try again.protobuf() == written, "\(hexadecimal(other))")
          }
        }
      }
      try check(message.type)
    }

    // MARK: Depth and size

    private func nested(_ depth: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for _ in 0..<depth {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest >= 0x80 {
          length.append(UInt8(rest & 0x7F) | 0x80)
          rest >>= 7
        }
        bytes = [0x12] + length + [UInt8(rest)] + bytes
      }
      return bytes
    }

    @Test func nestingHasALimit() throws {
      #expect(try Tree(protobuf: nested(100)).protobuf() == nested(100))
      #expect(failure(Tree.self, nested(101)).contains("expected at most 100 nested messages, found a deeper one"))
      _ = failure(Tree.self, nested(3000))
      #expect((try? Tree(protobuf: nested(3), options: ProtobufOptions(maximumDepth: 2))) == nil)
      #expect((try? Tree(protobuf: nested(2), options: ProtobufOptions(maximumDepth: 2))) != nil)
      let groups = [UInt8](repeating: 0x7B, count: 100_000)
      #expect(failure(Tree.self, groups).contains("expected at most 100 nested messages"))
      var tree = Tree()
      for _ in 0..<100 { tree = Tree(left: tree) }
      #expect(try Tree(protobuf: tree.protobuf()) == tree)
      #expect(throws: ProtobufError.self) { try Tree(left: tree).protobuf() }
    }

    @Test func valuesOfJSONAreNestedAsDeep() throws {
      // A list in a list is two messages: a value and its list.
      func value(_ depth: Int) -> JSONValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }
      let deep = WellKnown(value: value(49))
      #expect(try WellKnown(protobuf: deep.protobuf()) == deep)
      #expect(throws: ProtobufError.self) { try WellKnown(value: value(50)).protobuf() }
    }

    /// Parts of one value, each of which is merged with all before it.
    @Test func manyPartsOfAValueTakeNoLongTime() throws {
      func parts(_ count: Int) -> [UInt8] {
        // The object in a value, with one member whose name has three letters.
        (0..<count).flatMap { number -> [UInt8] in
          let name = [number / 676 % 26, number / 26 % 26, number % 26].map { UInt8(0x61 + $0) }
          return [0x32, 13, 0x2A, 11, 0x0A, 9, 0x0A, 3] + name + [0x12, 2, 0x20, 1]
        }
      }
      #expect(try WellKnown(protobuf: parts(300)).value?.memberList?.count == 300)
      #expect(failure(WellKnown.self, parts(17_000)).contains("expected a JSON object in few parts, found too many"))
      // Parts of a message that contains itself.
      let trees = (0..<20_000).flatMap { _ -> [UInt8] in [0x12, 6, 0x32, 4, 0x12, 2, 0x0A, 0] }
      #expect(try Tree(protobuf: trees).left?.around?.others.count == 20_000)
    }

    @Test func messagesHaveASizeLimit() throws {
      let bytes: [UInt8] = [0x0A, 3, 0x61, 0x62, 0x63]
      #expect(try Node(protobuf: bytes, options: ProtobufOptions(maximumSize: 5)).id == "abc")
      #expect(throws: ProtobufError.self) { try Node(protobuf: bytes, options: ProtobufOptions(maximumSize: 4)) }
    }
  }

  /// Bytes, and a part of what reading them says.
  struct BinarySample: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let text: String

    init(_ bytes: [UInt8], _ text: String) { (self.bytes, self.text) = (bytes, text) }

    var testDescription: String { hexadecimal(bytes) }
  }

  /// The error of reading bytes, or the message.
  func failure<M: ProtoMessage>(_ type: M.Type, _ bytes: [UInt8]) -> String {
    do {
      return "no error: \(try M(protobuf: bytes))"
    } catch {
      return "\(error)"
    }
  }
#endif
