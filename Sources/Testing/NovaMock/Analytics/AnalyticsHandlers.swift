public import NovaAnalytics
import NovaCore

extension MockHandlers {
  mutating func addAnalytics() {
    // The events can be those of several users: of one who signed out, and of one who signed in since.
    on(AnalyticsRPC.recordEvents) { request, state in
      var response = RecordEventsResponse()
      for event in request.events {
        if let reason = event.ruleViolation {
          response.rejected.append(RejectedEvent(id: event.id, reason: reason))
        } else if state.analytics.record(event) {
          response.acceptedCount += 1
        }
      }
      return response
    }
  }
}

extension MockBackend {
  /// The newest recorded analytics events, oldest first: at most 10,000, and at most 16 MiB.
  ///
  /// ```swift
  /// #expect(backend.analyticsEvents.map(\.name) == ["app_opened", "post_opened"])
  /// ```
  public var analyticsEvents: [AnalyticsEvent] { withState { Array($0.analytics.events) } }
}

extension AnalyticsEvent {
  private static let longestName = 64, mostProperties = 50, longestKey = 64, longestValue = 1_000

  /// The reason to reject the event; nil if it follows the contract's rules.
  fileprivate var ruleViolation: String? {
    for (field, text) in [("id", id), ("session_id", sessionId)] where text.isEmpty {
      return "\(field) must not be empty"
    }
    for (field, text) in [
      ("id", id), ("user_id", userId ?? ""), ("anonymous_id", anonymousId), ("session_id", sessionId),
    ] {
      guard let problem = ArgumentLimits.problem(text.utf8.count, maximum: ArgumentLimits.idBytes) else { continue }
      return "\(field) \(problem)"
    }
    if (userId ?? "").isEmpty, anonymousId.isEmpty { return "user_id or anonymous_id must not be empty" }
    guard Self.isName(name) else {
      return "name is \(name.quoted); expected 1 to \(Self.longestName) lower-case letters, digits, and underscores, "
        + "a letter first"
    }
    guard occurredAtMs > 0 else { return "occurred_at_ms must be more than 0, but is \(occurredAtMs)" }
    return propertyViolation
  }

  private var propertyViolation: String? {
    guard properties.count <= Self.mostProperties else {
      return "properties must have at most \(Self.mostProperties) entries, but has \(properties.count)"
    }
    // Sorted, so that the same event is always rejected for the same reason.
    for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
      guard !key.isEmpty, !key.hasMoreCharacters(than: Self.longestKey) else {
        return "the key \(key.quoted) of properties must have 1 to \(Self.longestKey) characters"
      }
      if value.hasMoreCharacters(than: Self.longestValue) {
        return "the value of the property \(key.quoted) must have at most 1,000 characters"
      }
    }
    return nil
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLowercase(first), name.utf8.count <= longestName else { return false }
    return name.utf8.allSatisfy { isLowercase($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
  }

  private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

extension String {
  /// Characters are at most as many as bytes, and counting bytes costs nothing.
  fileprivate func hasMoreCharacters(than limit: Int) -> Bool { utf8.count > limit && count > limit }
}
