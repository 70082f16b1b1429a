import NovaCore

extension Tracker {
  /// Tracks that a screen appeared. The name is a static string, so that it never contains a user's text.
  func trackScreen(_ name: StaticString) { track("screen_opened", properties: ["screen": "\(name)"]) }
}
