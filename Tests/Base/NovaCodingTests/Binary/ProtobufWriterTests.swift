#if GRPC
  import NovaCoding
  import Testing

  /// The bytes of values, and values that cannot be written.
  @Suite struct ProtobufWriterTests {
    @Test(
      arguments: [
        (Scalars(), []), (Scalars(doubleValue: -0.0), [0x09, 0, 0, 0, 0, 0, 0, 0, 0x80]),
        (Scalars(floatValue: 1.5), [0x15, 0, 0, 0xC0, 0x3F]),
        (Scalars(int32Value: -1), [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
        (Scalars(int64Value: 300), [0x20, 0xAC, 0x02]),
        (Scalars(uint32Value: 4_294_967_295), [0x28, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        (Scalars(uint64Value: .max), [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
        (Scalars(sint32Value: -1), [0x38, 1]),
        (Scalars(sint32Value: -2_147_483_648), [0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        (Scalars(sint64Value: 1), [0x40, 2]), (Scalars(fixed32Value: 1), [0x4D, 1, 0, 0, 0]),
        (Scalars(fixed64Value: 1), [0x51, 1, 0, 0, 0, 0, 0, 0, 0]),
        (Scalars(sfixed32Value: -1), [0x5D, 0xFF, 0xFF, 0xFF, 0xFF]),
        (Scalars(sfixed64Value: -2), [0x61, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        (Scalars(boolValue: true), [0x68, 1]),
        (Scalars(stringValue: "é"), [0x72, 2, 0xC3, 0xA9]), (Scalars(bytesValue: [0]), [0x7A, 1, 0]),
        (Scalars(color: .red), [0x80, 1, 1]), (Scalars(occurred: Timestamp()), [0x8A, 1, 0]),
        (Scalars(occurred: Timestamp(seconds: 1, nanoseconds: 2)), [0x8A, 1, 4, 0x08, 1, 0x10, 2]),
        (Scalars(createdAt: 1), [0x90, 1, 1]),
      ] as [(Scalars, [UInt8])])
    func scalarsHaveTheirForms(_ message: Scalars, _ bytes: [UInt8]) throws {
      #expect(hexadecimal(try message.protobuf()) == hexadecimal(bytes))
      #expect(try Scalars(protobuf: bytes) == message)
    }

    @Test func presentDefaultsAreWritten() throws {
      let bytes = try Optionals(doubleValue: 0, int32Value: 0, boolValue: false, stringValue: "", color: Color())
        .protobuf()
      #expect(bytes == [0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0x20, 0, 0x2A, 0, 0x38, 0])
      #expect(try Wrappers(int64Value: 0, stringValue: "a").protobuf() == [0x1A, 0, 0x42, 3, 0x0A, 1, 0x61])
      #expect(try Wrappers(protobuf: [0x1A, 0, 0x1A, 2, 0x08, 3, 0x1A, 0]).int64Value == 3)
    }

    @Test(arguments: [
      (
        WellKnown(duration: .seconds(-1) - .nanoseconds(5)),
        "12 16 08 ff ff ff ff ff ff ff ff ff 01 10 fb ff ff ff ff ff ff ff ff 01"
      ),
      (WellKnown(empty: ProtoEmpty(), mask: ["a", "b.c"]), "1a 00 22 08 0a 01 61 0a 03 62 2e 63"),
      (
        WellKnown(object: ["a": .null, "b": .bool(true)]), "2a 12 0a 07 0a 01 61 12 02 08 00 0a 07 0a 01 62 12 02 20 01"
      ),
      (WellKnown(value: .number("1")), "32 09 11 00 00 00 00 00 00 f0 3f"),
      (WellKnown(value: .object([])), "32 02 2a 00"),
      (WellKnown(list: [.string("x"), .array([])]), "3a 09 0a 03 1a 01 78 0a 02 32 00"),
      (WellKnown(any: ProtoAny()), "0a 00"),
    ])
    func wellKnownTypesHaveTheirForms(_ message: WellKnown, _ bytes: String) throws {
      #expect(hexadecimal(try message.protobuf()) == bytes)
      #expect(try WellKnown(protobuf: message.protobuf()) == message)
    }

    @Test func valuesThatDoNotFitAreRefused() {
      func error(_ message: some ProtoMessage) -> String {
        do {
          return "no error: \(try message.protobuf())"
        } catch {
          return "\(error)"
        }
      }
      #expect(
        error(Scalars(int32Value: 2_147_483_648))
          == "int32_value: expected an integer from -2147483648 to 2147483647, found 2147483648")
      #expect(error(Scalars(fixed32Value: -1)) == "fixed32_value: expected an integer from 0 to 4294967295, found -1")
      #expect(error(Repeated(int32Values: [1, 1 << 40])).hasPrefix("int32_values[1]: expected an integer"))
      #expect(
        error(Repeated(nodes: [Node(), Node(leaf: Leaf(weight: 1 << 31))])).hasPrefix("nodes[1].leaf.weight: expected"))
      #expect(
        error(Maps(nodes: ["k": Node(leaf: Leaf(weight: 1 << 31))])).hasPrefix(#"nodes["k"].leaf.weight: expected"#))
      #expect(
        error(Secrets(pin: 1 << 31))
          == "pin: expected an integer from -2147483648 to 2147483647, found another value (hidden)")
      #expect(error(Scalars(color: Color(name: "NEW"))) == "color: expected an enum value with a number, found NEW")
      #expect(
        error(WellKnown(value: .number("1e999"))) == "value: expected a number within a double's range, found 1e999")
      // Nothing after the first problem replaces it.
      #expect(error(Scalars(int32Value: 1 << 31, uint32Value: -1)).hasPrefix("int32_value: "))
    }

    @Test func anyHoldsMessagesOfRegisteredTypes() throws {
      ProtoAny.register([Leaf.self])
      let leaf = WellKnown(any: try ProtoAny(Leaf(weight: 3)))
      let bytes = try leaf.protobuf()
      let url = Array("type.googleapis.com/nova.testing.v1.Leaf".utf8)
      #expect(bytes == [0x0A, UInt8(url.count + 6), 0x0A, UInt8(url.count)] + url + [0x12, 2, 0x08, 3])
      #expect(try WellKnown(protobuf: bytes) == leaf)
      // Bytes of another type are kept, and can be read as that type.
      let name = "x/nova.testing.v1.Node"
      let other = [0x0A, UInt8(name.utf8.count)] + Array(name.utf8) + [0x12, 3, 0x0A, 1, 0x61]
      let unknown = try WellKnown(protobuf: [0x0A, UInt8(other.count)] + other)
      #expect(unknown.any?.typeURL == name)
      #expect(try unknown.any?.message(as: Node.self) == Node(id: "a"))
      #expect(try unknown.any?.message(as: Leaf.self) == nil)
      #expect(try unknown.protobuf() == [0x0A, UInt8(other.count)] + other)
      let foreign = WellKnown(any: try ProtoAny(Wrappers(stringValue: "a")))
      #expect(throws: ProtobufError.self) { try foreign.protobuf() }
    }
  }
#endif
