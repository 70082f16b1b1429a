#if GRPC
  /// When a connection was last heard, and until when it must be heard again.
  struct HTTP2Silence {
    private(set) var lastHeard: Int64
    /// When the connection counts as dead; nil if nothing is expected.
    private var deadline: Int64?

    init(at now: Int64) { lastHeard = now }

    /// Records that something arrived, which proves that the server is alive.
    mutating func hear(at now: Int64) {
      lastHeard = now
      deadline = nil
    }

    /// Something must arrive until then.
    mutating func expect(until time: Int64) { deadline = time }

    func isTooLong(at now: Int64) -> Bool { deadline.map { now >= $0 } ?? false }

    /// Whether to ask the server for a sign of life.
    func needsPing(at now: Int64, interval: Int64) -> Bool {
      deadline == nil && now >= lastHeard.addingClamped(interval)
    }

    /// When to look again.
    ///
    /// - Parameter interval: that of pings; nil if none are sent now.
    func nextCheck(at now: Int64, interval: Int64?) -> Int64 {
      let nextPing = interval.map { max(lastHeard, deadline == nil ? .min : now).addingClamped($0) }
      return min(deadline ?? .max, nextPing ?? .max)
    }
  }
#endif
