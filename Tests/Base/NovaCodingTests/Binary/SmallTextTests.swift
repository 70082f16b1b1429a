#if GRPC
  import NovaGraph
  import Testing

  @testable import NovaCoding

  /// Texts that are made without the standard library are what it would make.
  @Suite struct SmallTextTests {
    /// Each count of bytes, ASCII and not, and others in front of the text and after it.
    private static let texts: [String] = (0...20).flatMap { count in
      let ascii = String("\0az~ \"\u{7F}0123456789Z.-!".prefix(count))
      return [ascii, ascii + "é", "é" + ascii, ascii + "😀", String(repeating: "e\u{301}", count: count)]
    }

    @Test func theStandardLibraryHasThisForm() {
      #expect(SmallText.isSupported, "reading texts is slower than it was")
    }

    @Test(arguments: texts) func aTextIsRead(text: String) throws {
      for before in [0, 1, 5, 6, 7, 8, 30] {
        // An unknown field comes first.
        let unknown: [UInt8] = before == 0 ? [] : [0x7A, UInt8(before)] + Array(repeating: 0xFF, count: before)
        let bytes = unknown + [0x0A, UInt8(text.utf8.count)] + Array(text.utf8)
        for rest: [UInt8] in [[], [0x10, 0x14], [0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]] {
          let read = try GetFollowersRequest(protobuf: bytes + rest).userId
          #expect(read == text && Array(read.utf8) == Array(text.utf8) && read.hashValue == text.hashValue)
          #expect(read.utf8.count == text.utf8.count && read.count == text.count)
          #expect((read + "!").hasSuffix("!") && read.isEmpty == text.isEmpty)
        }
      }
    }

    /// The last value of a field counts, whatever the one before was made of.
    @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes...", "é", String(repeating: "long ", count: 20)])
    func aTextReplacesAnother(first: String) throws {
      for second in Self.texts {
        let fields: [UInt8] = [first, second].flatMap { [0x0A, UInt8($0.utf8.count)] + Array($0.utf8) }
        #expect(try GetFollowersRequest(protobuf: fields).userId == second)
      }
    }

    /// One byte that is not ASCII, at each place.
    @Test(arguments: 1...15) func aTextMustBeValid(count: Int) {
      for place in 0..<count {
        var text = Array(repeating: UInt8(0x61), count: count)
        text[place] = 0x80
        #expect(throws: ProtobufError.self) {
          try GetFollowersRequest(protobuf: [0x18, 1, 0x18, 1, 0x18, 1, 0x18, 1, 0x0A, UInt8(count)] + text)
        }
      }
    }
  }
#endif
