#if GRPC
  import NovaCoding
  import Testing

  /// The forms that the format allows: order, repetition, packed lists, merged messages, maps, oneofs.
  @Suite struct ProtobufFormTests {
    private func read<M: ProtoMessage>(_ bytes: [UInt8]) throws -> M { try M(protobuf: bytes) }

    @Test func theLastValueCounts() throws {
      let scalars: Scalars = try read([0x18, 1, 0x72, 1, 0x61, 0x18, 2, 0x72, 0])
      #expect(scalars == Scalars(int32Value: 2))
    }

    @Test func fieldsAreReadInAnyOrder() throws {
      let node: Node = try read([0x2A, 2, 0x08, 7, 0x12, 1, 0x62, 0x0A, 1, 0x61])
      #expect(node == Node(id: "a", displayName: "b", leaf: Leaf(weight: 7)))
    }

    @Test(
      arguments: [
        (-1, [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        (-1, [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        (0, [0x18, 0x80, 0x80, 0x80, 0x80, 0x10]), (5, [0x18, 0x85, 0x00]), (3, [0x98, 0x80, 0x00, 0x03]),
        (-2_147_483_648, [0x18, 0x80, 0x80, 0x80, 0x80, 0x08]), (300, [0x18, 0xAC, 0x82, 0x80, 0x80, 0x00]),
      ] as [(Int, [UInt8])])
    func integersOf32BitsAreCut(_ value: Int, _ bytes: [UInt8]) throws {
      // At the end of the input, and before other fields, where varints are read in another way.
      #expect(try Scalars(protobuf: bytes).int32Value == value)
      let scalars: Scalars = try read(bytes + [0x72, 7] + Array("1234567".utf8))
      #expect(scalars.int32Value == value && scalars.stringValue == "1234567")
    }

    @Test func integersOfEveryLengthAreRead() throws {
      for shift: UInt64 in 0..<64 {
        for value in [1 << shift, UInt64.max >> shift, 0x0102_0304_0506_0708 >> shift] {
          let bytes = try Scalars(uint64Value: value, boolValue: true, stringValue: "12345678").protobuf()
          #expect(try Scalars(protobuf: bytes).uint64Value == value)
          #expect(try Scalars(protobuf: Scalars(uint64Value: value).protobuf()).uint64Value == value)
        }
      }
    }

    @Test func textsOfEveryLengthAreChecked() throws {
      for count in 0..<40 {
        let text = String(repeating: "a", count: count)
        let bytes = try Node(id: text, displayName: "z").protobuf()
        #expect(try Node(protobuf: bytes) == Node(id: text, displayName: "z"))
        for place in 0..<count {
          var other = Array(text.utf8)
          other[place] = 0x80
          let sample = [0x0A, UInt8(count)] + other
          #expect(failure(Node.self, sample).hasSuffix("found byte 0x80 (byte \(place + 2))"))
          #expect(failure(Node.self, [0x12, 7] + Array("1234567".utf8) + sample).hasSuffix("(byte \(place + 11))"))
        }
      }
    }

    @Test func aBoolIsTrueUnlessItIsZero() throws {
      for (bytes, value) in [
        ([0x68, 0], false), ([0x68, 2], true), ([0x68, 0x80, 0x00], false), ([0x68, 0x80, 1], true),
      ] as [([UInt8], Bool)] {
        #expect(try Scalars(protobuf: bytes).boolValue == value)
      }
    }

    @Test func listsArePackedOrNot() throws {
      let packed: Repeated = try read([0x12, 3, 1, 2, 3])
      let unpacked: Repeated = try read([0x10, 1, 0x10, 2, 0x10, 3])
      let mixed: Repeated = try read([0x10, 1, 0x12, 1, 2, 0x10, 3, 0x12, 0])
      #expect(packed.int32Values == [1, 2, 3] && unpacked == packed && mixed == packed)
      #expect(try packed.protobuf() == [0x12, 3, 1, 2, 3])
      let flags: Repeated = try read([0x20, 1, 0x22, 2, 0, 1, 0x3A, 2, 1, 9, 0x0A, 0])
      #expect(flags.boolValues == [true, false, true] && flags.colors.map(\.rawValue) == [1, 9])
    }

    @Test func anotherWireTypeIsAnUnknownField() throws {
      // A text as a varint, a number as a text, a message as four bytes, and a list of texts as numbers.
      for bytes: [UInt8] in [[0x08, 1], [0x2D, 1, 2, 3, 4], [0x21, 0, 0, 0, 0, 0, 0, 0, 0], [0x10, 5]] {
        #expect(try Node(protobuf: bytes + [0x12, 1, 0x61]) == Node(displayName: "a"))
      }
      #expect(try Scalars(protobuf: [0x1A, 1, 5, 0x70, 3]) == Scalars())
      #expect(try Repeated(protobuf: [0x28, 1, 0x0D, 0, 0, 0, 0]) == Repeated())
    }

    @Test func unknownFieldsAndGroupsAreSkipped() throws {
      let unknown: [UInt8] = [
        0xA0, 0x06, 0x80, 0x01, 0xA1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0xA2, 0x06, 2, 9, 9, 0xA5, 0x06, 1, 2, 3, 4,
        0xA3, 0x06, 0x0A, 1, 0x61, 0xAB, 0x06, 0xAC, 0x06, 0x15, 0, 0, 0, 0, 0xA4, 0x06, 0xF8, 0xFF, 0xFF, 0xFF, 0x0F,
        1,
      ]
      #expect(try Node(protobuf: unknown + [0x0A, 1, 0x61] + unknown) == Node(id: "a"))
    }

    @Test func messagesAreMerged() throws {
      let node: Node = try read([0x2A, 2, 0x08, 7, 0x2A, 0])
      #expect(node.leaf == Leaf(weight: 7))
      // left.name, left.left.name, left.name
      let tree: Tree = try read([0x12, 3, 0x0A, 1, 0x61, 0x12, 5, 0x12, 3, 0x0A, 1, 0x62, 0x12, 3, 0x0A, 1, 0x63])
      #expect(tree == Tree(left: Tree(name: "c", left: Tree(name: "b"))))
      // Elements of a list are not.
      let list: Repeated = try read([0x4A, 3, 0x0A, 1, 0x61, 0x4A, 3, 0x12, 1, 0x62])
      #expect(list.nodes == [Node(id: "a"), Node(displayName: "b")])
      let times: WellKnown = try read([0x4A, 2, 0x08, 5, 0x4A, 2, 0x10, 6, 0x12, 2, 0x08, 1, 0x12, 2, 0x10, 2])
      #expect(times.timestamp == Timestamp(seconds: 5, nanoseconds: 6))
      #expect(times.duration == .seconds(1) + .nanoseconds(2))
    }

    @Test func aOneofHasTheLastField() throws {
      let choice: Choice = try read([0x10, 1, 0x1A, 1, 0x61])
      #expect(choice.value == .stringValue("a"))
      // A message is merged with the one before, unless another field was between them.
      let merged: Choice = try read([0x32, 3, 0x0A, 1, 0x61, 0x32, 3, 0x12, 1, 0x62])
      #expect(merged.node == Node(id: "a", displayName: "b"))
      let replaced: Choice = try read([0x32, 3, 0x0A, 1, 0x61, 0x10, 0, 0x32, 3, 0x12, 1, 0x62])
      #expect(replaced.node == Node(displayName: "b"))
      let tree: Tree = try read([0x22, 3, 0x0A, 1, 0x61, 0x22, 5, 0x12, 3, 0x0A, 1, 0x62])
      #expect(tree.tree == Tree(name: "a", left: Tree(name: "b")))
      // A default is a value.
      #expect(try Choice(value: .boolValue(false)).protobuf() == [0x10, 0])
      #expect(try Choice(protobuf: [0x5A, 0, 0x58, 0]).value == .null(ProtoNull()))
    }

    @Test func mapsHaveTheLastValueOfAKey() throws {
      let maps: Maps = try read([0x0A, 6, 0x0A, 1, 0x6B, 0x12, 1, 0x61, 0x0A, 6, 0x0A, 1, 0x6B, 0x12, 1, 0x62])
      #expect(maps.byString == ["k": "b"])
      // Missing parts have their defaults, parts may be in any order and repeated, and others are skipped.
      let parts: Maps = try read([0x0A, 0, 0x12, 2, 0x10, 1, 0x12, 8, 0x10, 1, 0x18, 9, 0x08, 5, 0x08, 6])
      #expect(parts.byString == ["": ""] && parts.byInt32 == [0: true, 6: true])
      // A message is merged only within its entry.
      let nodes: Maps = try read([0x32, 10, 0x12, 3, 0x0A, 1, 0x61, 0x12, 3, 0x12, 1, 0x62, 0x32, 2, 0x12, 0])
      #expect(nodes.nodes == ["": Node()])
      // A part of another wire type is skipped.
      #expect(try Maps(protobuf: [0x12, 3, 0x0A, 1, 0x61]).byInt32 == [0: false])
    }

    @Test func mapsAreSortedByKey() throws {
      let maps = Maps(byString: ["b": "", "a": "x", "": ""], byInt32: [3: true, -1: false, 20: true])
      #expect(
        try maps.protobuf() == [
          0x0A, 4, 0x0A, 0, 0x12, 0, 0x0A, 6, 0x0A, 1, 0x61, 0x12, 1, 0x78, 0x0A, 5, 0x0A, 1, 0x62, 0x12, 0,
          0x12, 13, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0x10, 0, 0x12, 4, 0x08, 3, 0x10, 1,
          0x12, 4, 0x08, 20, 0x10, 1,
        ])
    }

    @Test func unknownEnumValuesAreKept() throws {
      let scalars: Scalars = try read([0x80, 1, 99])
      #expect(scalars.color.rawValue == 99)
      #expect(try scalars.protobuf() == [0x80, 1, 99])
      let negative: Scalars = try read([0x80, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1])
      #expect(negative.color.rawValue == -1)
    }

    @Test func unknownFieldsAreKeptOnRequest() throws {
      let bytes: [UInt8] = [
        0x0A, 1, 0x61, 0x2A, 4, 0x08, 7, 0x50, 1, 0x50, 5, 0x12, 1, 0x62, 0xA3, 6, 0x08, 1, 0xA4, 6,
      ]
      let kept = try Node(protobuf: bytes, options: ProtobufOptions(keepsUnknownFields: true))
      #expect(kept.unknownFields.bytes == [0x50, 5, 0xA3, 6, 0x08, 1, 0xA4, 6])
      #expect(kept.leaf?.unknownFields.bytes == [0x50, 1])
      #expect(
        try kept.protobuf() == [
          0x0A, 1, 0x61, 0x12, 1, 0x62, 0x2A, 4, 0x08, 7, 0x50, 1, 0x50, 5, 0xA3, 6, 0x08, 1, 0xA4, 6,
        ])
      #expect(try Node(protobuf: bytes).unknownFields.isEmpty)
      #expect(kept != (try Node(protobuf: bytes)))
      // The messages of the contract have no place for them.
      #expect(throws: ProtobufError.self) {
        try ProtoEmpty(protobuf: [0x50, 5], options: ProtobufOptions(keepsUnknownFields: true))
      }
    }
  }
#endif
