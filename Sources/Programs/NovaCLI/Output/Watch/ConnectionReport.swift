import NovaSDK

/// Notes about the connection of a command that follows events. Many attempts can fail, so a loss is reported once until
/// events arrive again, and again only when the waits have become much longer.
struct ConnectionReport {
  /// Shorter waits after lost connections are not reported, unless the gateway has asked for them.
  private static let shortWait = Duration.seconds(1)
  /// Waits that have grown are reported from this length on.
  private static let longWait = Duration.seconds(5)

  private var wasLive = false
  private var isLost = false
  private var reasons: Set<String> = []
  private var longest = Duration.zero

  /// The note about a state; nil for no note.
  mutating func note(_ state: LiveState) -> String? {
    switch state {
    case .connecting: return nil
    case .live:
      let wasInTrouble = isLost || !reasons.isEmpty
      (wasLive, isLost, reasons, longest) = (true, false, [], .zero)
      return wasInTrouble ? "connected again" : nil
    case .recovering, .offline:
      // States that pass quickly are not seen: a connection can come and go in between.
      wasLive = wasLive || state == .recovering
      guard wasLive, !isLost, reasons.isEmpty else { return nil }
      isLost = true
      return "connection lost; connecting again"
    }
  }

  /// The note about a wait; nil for no note.
  mutating func note(_ pause: ReconnectionPause?) -> String? {
    guard let pause else { return nil }
    let isLoss = pause.code == nil || pause.code == .networkError
    guard !isLoss || pause.duration >= Self.shortWait || (pause.requested ?? .zero) > .zero else { return nil }
    let hasGrown = pause.duration >= Self.longWait && pause.duration >= longest * 2
    guard reasons.insert(pause.reason).inserted || hasGrown else { return nil }
    longest = max(longest, pause.duration)
    let unreachable = pause.code == .networkError ? "the gateway cannot be reached: " : ""
    return "offline: \(unreachable)\(pause.reason.printable(to: 300)); trying again in \(pause.duration.formatted)"
      + request(pause)
  }

  private func request(_ pause: ReconnectionPause) -> String {
    // A shorter wait than the client's own explains nothing.
    guard let requested = pause.requested, requested >= pause.duration else { return "" }
    return requested > pause.duration
      ? ", because retry.max_wait_seconds allows no longer wait" : ", because the gateway asks for a wait"
  }
}
