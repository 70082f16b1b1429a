import NovaCore

/// What a step of a scenario does once.
public enum MockScenarioAction: Sendable, Hashable {
  /// Forgets all events, like a server that has lost them: positions become unknown, and all streams end with `restart`.
  case newEpoch
  /// Ends all streams of events with a reason.
  case endStreams(MockEventEnd)
  /// Revokes all sessions: access tokens and refresh tokens are refused.
  case signOutAll
  /// Moves the backend's clock, back with a negative duration. The scenario's own time does not move.
  case moveClock(Duration)
  /// Sets the backend's clock, in Unix seconds. The scenario's own time does not move.
  case setClock(Int64)

  static let examples =
    "new epoch, end streams, end streams too_slow, sign out, clock +1h, clock -10min, or clock 2025-01-01T00:00:00Z"

  /// Reads an action as files have it; nil for anything else.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    switch words.first {
    case "new" where words == ["new", "epoch"]: self = .newEpoch
    case "sign" where words == ["sign", "out"]: self = .signOutAll
    case "end" where words.count == 2 && words[1] == "streams": self = .endStreams(.restart)
    case "end" where words.count == 3 && words[1] == "streams" && words[2].utf8.count <= 64:
      self = .endStreams(MockEventEnd(rawValue: words[2]))
    case "clock" where words.count > 1:
      guard let change = Self.clock(words.dropFirst().joined(separator: " ")) else { return nil }
      self = change
    default: return nil
    }
  }

  private static func clock(_ text: String) -> MockScenarioAction? {
    guard let sign = text.first, sign == "+" || sign == "-" else {
      return MockClockStart(text: text)?.time.map { .setClock($0) }
    }
    let duration = ScenarioTime.parse(String(text.dropFirst())).map { sign == "-" ? .zero - $0 : $0 }
    // The clock has whole seconds.
    guard let duration, duration.components.attoseconds == 0, duration != .zero else { return nil }
    return .moveClock(duration)
  }
}

extension MockScenarioAction: CustomStringConvertible {
  /// The action as files have it.
  public var description: String {
    switch self {
    case .newEpoch: "new epoch"
    case .endStreams(.restart): "end streams"
    case .endStreams(let reason): "end streams \(reason.rawValue)"
    case .signOutAll: "sign out"
    case .moveClock(let duration): "clock \(duration < .zero ? "" : "+")\(ScenarioTime.text(duration))"
    case .setClock(let time): "clock \(Timestamp(seconds: time))"
    }
  }
}

extension MockBackend {
  /// Performs an action of a scenario. A journal that refuses the change leaves it out.
  func perform(_ action: MockScenarioAction) {
    switch action {
    case .newEpoch: beginEventEpoch()
    case .endStreams(let reason): endEventStreams(reason)
    case .signOutAll: signOutAll()
    case .moveClock(let duration): changeOnlyClock(.move(duration.components.seconds))
    case .setClock(let time): changeOnlyClock(.set(time))
    }
  }

  /// Closes all sessions: their access tokens and refresh tokens are refused, and streams of events that need them end.
  public func signOutAll() {
    withEngine { engine in _ = try? engine.apply(MockChange(engine.state, .signOutAll)) }
  }
}
