#if GRPC
  /// The calls of one kind that wait for their turn, and the number of those that have it.
  struct HTTP2Turns {
    let waiting = HTTP2CallList()
    private let limit: Int
    private var runningCount = 0

    /// - Parameter limit: the maximum number of running calls; a number below 1 counts as 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Gives a call its turn; false if it has to wait, and is in the list.
    mutating func take(_ call: HTTP2Call) -> Bool {
      guard runningCount < limit else {
        waiting.append(call)
        return false
      }
      begin(call)
      return true
    }

    /// Takes a call's turn back.
    mutating func release(_ call: HTTP2Call) {
      guard call.hasTurn else { return }
      call.hasTurn = false
      runningCount -= 1
    }

    /// Gives the next call its turn, if there is room.
    mutating func startNext() -> HTTP2Call? {
      guard runningCount < limit, let call = waiting.popFirst() else { return nil }
      begin(call)
      return call
    }

    private mutating func begin(_ call: HTTP2Call) {
      runningCount += 1
      call.hasTurn = true
    }
  }
#endif
