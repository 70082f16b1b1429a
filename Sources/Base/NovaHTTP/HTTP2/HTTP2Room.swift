#if GRPC
  import NovaSupport

  /// How many streams a server takes at a time: as many as its settings allow, and fewer after it refused one.
  ///
  /// Some servers refuse streams below their limit: they still count streams that have ended, or are overloaded. What is
  /// sent again at once is then refused again.
  struct HTTP2Room {
    /// The server's limit.
    var limit = 0
    /// How many streams were open after one was refused, and when.
    private var refusal: (open: Int, time: Int64)?

    /// The time after which one more stream is tried.
    private static let growthInterval: Int64 = 50_000_000

    mutating func refuse(openStreams: Int, at now: Int64) { refusal = (max(1, openStreams), now) }

    /// Whether one more stream can be opened.
    func has(openStreams: Int, at now: Int64) -> Bool {
      guard openStreams < limit, let refusal else { return openStreams < limit }
      return Int64(openStreams - refusal.open) < (now - refusal.time) / Self.growthInterval
    }

    /// When there is more room, even if no stream ends.
    func nextGrowth(at now: Int64) -> Int64 {
      guard let refusal else { return .max }
      let steps = (now - refusal.time) / Self.growthInterval + 1
      return refusal.time.addingClamped(steps * Self.growthInterval)
    }
  }
#endif
