import NovaCore

/// The clock in the admin API.
struct AdminClock {
  let backend: MockBackend

  var json: JSONValue {
    let (clock, now) = backend.withState { ($0.clock, $0.now) }
    return [
      "now": .number(Int(now)), "time": .string(Timestamp(seconds: now).description), "frozen": .bool(clock.isFrozen),
      "offset_seconds": Self.offset(clock),
    ]
  }

  /// By how much the clock is ahead of the system's time; null while it is frozen, when that changes all the time.
  static func offset(_ clock: MockClock) -> JSONValue { clock.isFrozen ? .null : .number(Int(clock.offset)) }

  /// Sets, moves, freezes, or resumes the clock, in this order, and returns the state with what that means for tokens.
  func change(_ body: AdminBody) async throws -> HTTPResponse {
    try body.allowOnly(["now", "advance_seconds", "frozen"])
    let changes = try changes(body)
    guard !changes.isEmpty else {
      throw MockFailure.invalid(
        "advance_seconds is missing; expected advance_seconds, now, or frozen, for example {\"advance_seconds\":3600}")
    }
    let (before, after) = try await backend.changeClock(changes)
    let notes = JSONValue.Member(name: "notes", value: .strings(Self.notes(from: before, to: after)))
    return .json(.object((AdminState(backend: backend).json.memberList ?? []) + [notes]))
  }

  private func changes(_ body: AdminBody) throws(MockFailure) -> [ClockChange] {
    var changes: [ClockChange] = []
    if body["now"] != nil { changes.append(.set(try body.clockTime("now"))) }
    if body["advance_seconds"] != nil {
      let longest = Int(MockClock.times.upperBound)
      changes.append(.move(Int64(try body.integer("advance_seconds", -longest...longest))))
    }
    if body["frozen"] != nil { changes.append(try body.flag("frozen") ? .freeze : .resume) }
    return changes
  }

  /// What a change means for what clients have.
  private static func notes(from before: Int64, to after: Int64) -> [String] {
    func text(_ time: Int64) -> String { Timestamp(seconds: max(0, time)).description }
    if after < before {
      return [
        "access tokens issued after \(text(after + AccessTokenClaims.tolerance)) are not valid yet: 401; "
          + "refresh tokens stay valid, and refreshing gives a token of the new time",
        "tokens that expired after \(text(after)) are valid again, as are keys of idempotent calls",
      ]
    }
    var notes: [String] = []
    if after > before {
      notes.append("access tokens issued before \(text(after - AccessTokenClaims.lifetime)) have expired: 401")
    }
    if after - before >= RefreshToken.lifetime {
      notes.append("refresh tokens issued before \(text(after - RefreshToken.lifetime)) have expired: sign in again")
    }
    return notes
  }
}

extension AdminBody {
  /// A time of the clock, in Unix seconds.
  func clockTime(_ name: String) throws(MockFailure) -> Int64 {
    if let seconds = self[name]?.integerValue, MockClock.times.contains(Int64(seconds)) { return Int64(seconds) }
    if let time = self[name]?.stringValue.flatMap({ MockClockStart(text: $0)?.time }) { return time }
    throw wrong(
      name, "a time from 1970 to 2999 in whole seconds, such as \"2025-01-01T00:00:00Z\", \"2025-01-01\", or 1735689600"
    )
  }
}

extension MockClockStart {
  /// Reads the time of a clock: `2025-01-01T00:00:00Z`, `2025-01-01`, or Unix seconds; nil for anything else, for fractions
  /// of a second, and for times outside of the years 1970 to 2999.
  package init?(text: String) {
    let isDate = text.utf8.count == 10 && text.utf8.contains(UInt8(ascii: "-"))
    let time = Timestamp(isDate ? "\(text)T00:00:00Z" : text)
    let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
    guard let seconds = isNumber ? Int64(text) : time.flatMap({ $0.nanoseconds == 0 ? $0.seconds : nil }),
      MockClock.times.contains(seconds)
    else { return nil }
    self.init(at: seconds)
  }
}

extension MockBackend {
  /// Changes the clock, and returns its time before and after, once the journal has stored the change durably.
  func changeClock(_ changes: [ClockChange]) async throws -> (before: Int64, after: Int64) {
    let (times, applied) = try withEngine { engine throws(MockFailure) in
      let (before, source) = (engine.state.now, systemTime())
      var (clock, time) = (engine.state.clock, before)
      for change in changes {
        if case .move(let seconds) = change, !MockClock.times.contains(time + seconds) {
          throw .invalid("advance_seconds: the clock would be at \(time + seconds); it goes from 1970 to 2999")
        }
        change.apply(to: &clock, from: time, at: source)
        time = clock.time(at: source)
      }
      let applied = try engine.apply(MockChange(engine.state, .clock(clock)))
      return ((before, time), applied)
    }
    scenarioFollows(movedBy: times.1 - times.0)
    try await waitUntilDurable(applied.position)
    return times
  }
}
