#if GRPC
  import Testing

  @testable import NovaHTTP

  /// How many streams are opened after a server refused one.
  @Suite struct HTTP2RoomTests {
    private static let growthInterval: Int64 = 50_000_000

    private func most(_ room: HTTP2Room, at now: Int64) -> Int {
      (0...200).first { !room.has(openStreams: $0, at: now) } ?? 201
    }

    @Test func theServersLimitCounts() {
      var room = HTTP2Room()
      #expect(most(room, at: 0) == 0)
      room.limit = 100
      #expect(most(room, at: 0) == 100 && room.nextGrowth(at: 0) == .max)
    }

    /// Nothing more than what was open, at least one, and one more after each interval, up to the limit.
    @Test(arguments: [0, 1, 7, 99]) func aRefusalLowersIt(open: Int) {
      var room = HTTP2Room()
      room.limit = 100
      room.refuse(openStreams: open, at: 1000)
      for step in [0, 1, 2, 50, 1000] {
        let time = 1000 + Int64(step) * Self.growthInterval
        #expect(most(room, at: time) == min(100, max(1, open) + step), "after \(step) intervals")
        #expect(room.nextGrowth(at: time) == time + Self.growthInterval)
        #expect(room.nextGrowth(at: time + 1) == time + Self.growthInterval)
      }
    }
  }
#endif
