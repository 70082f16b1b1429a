#if GRPC
  import NovaCoding
  import NovaCore
  import NovaRegistry
  import NovaSupport
  import Testing

  /// Every message of the contract and of the codec tests, with random values in every field.
  @Suite struct ProtobufRoundTripTests {
    static let messages = (TestingMessages.all + RPCRegistry.nova.messages).map { AnyMessage(type: $0) }
    static let seeds: ClosedRange<UInt64> = 1...20

    init() { ProtoAny.register([Leaf.self]) }

    private func random<M: ProtoMessage>(_ type: M.Type, seed: UInt64) -> M {
      var source = RandomSource(random: SeededGenerator(seed: seed))
      // A name without a number cannot be written.
      source.hasUnknownNames = false
      return .random(from: &source)
    }

    @Test(arguments: messages) func bytesAreReadAsTheyWereWritten(_ message: AnyMessage) throws {
      for seed in Self.seeds { try roundTrip(message.type, seed: seed) }
    }

    private func roundTrip<M: ProtoMessage>(_ type: M.Type, seed: UInt64) throws {
      let message = random(type, seed: seed)
      let bytes = try message.protobuf()
      let read = try M(protobuf: bytes)
      try #require(read == message, "seed \(seed): \(hexadecimal(bytes))")
      try #require(try read.protobuf() == bytes, "seed \(seed): \(hexadecimal(bytes))")
      try #require(try message.protobuf(after: 5) == [0, 0, 0, 0, 0] + bytes, "seed \(seed)")
    }

    /// Merging a message into an empty one, or an empty one into it, changes nothing.
    @Test(arguments: messages) func anEmptyMessageHasNoBytes(_ message: AnyMessage) throws {
      func check<M: ProtoMessage>(_ type: M.Type) throws {
        #expect(try M().protobuf() == [])
        #expect(try M(protobuf: []) == M())
      }
      try check(message.type)
    }
  }
#endif
