#if os(Linux)
  /// What has reached the gateway of a walk.
  struct WalkTraffic: Sendable {
    /// A write that changed something.
    struct Effect: Sendable {
      let user: String
      let key: String
      let body: String
      let process: String
    }

    var effects: [Effect] = []
    /// The number of requests of each process for each user, by `process user`.
    var requests: [String: Int] = [:]
    /// When the limit let requests pass, in microseconds.
    var times: [Int] = []
    /// How many access tokens were refused, by `process user`.
    var refusals: [String: Int] = [:]
    /// How many writes were sent again, and got the same answer.
    var repetitions = 0
    var problems: [String] = []

    /// The times in the order of the requests, if any of them show more than the budget.
    func excess(rate: Double, burst: Int) -> String? {
      let times = times.sorted()
      // A bucket that leaks: what is in it must never be more than the burst.
      var (level, last) = (0.0, times.first ?? 0)
      for (index, time) in times.enumerated() {
        level = max(0, level - Double(time - last) * rate / 1_000_000) + 1
        last = time
        if level > Double(burst) + 0.001 {
          return "\(level) requests over the rate of \(rate) with a burst of \(burst), at request \(index)"
        }
      }
      return nil
    }
  }
#endif
