import NovaCore

extension Tracker {
  /// Tracks that a screen appeared. The name is never text of a user.
  func trackScreen(_ name: StaticString) { track("screen_opened", properties: ["screen": "\(name)"]) }
}
