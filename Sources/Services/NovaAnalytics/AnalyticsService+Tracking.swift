import NovaCore

extension AnalyticsService {
  /// Passes an event to the client's ``Tracker``, and returns at once. Without a tracker, it has no effect.
  ///
  /// ```swift
  /// nova.analytics.track("post_opened", properties: ["source": "feed"])
  /// ```
  /// Never blocks and never fails. The tracker determines when the event is sent, and with which properties. The event
  /// belongs to the caller of this service: its token's user, or else the client's.
  ///
  /// - Parameters:
  ///   - event: the name, in lower_snake_case.
  ///   - properties: facts about the event; nothing personal. Default: none.
  public func track(_ event: String, properties: [String: String] = [:]) {
    client.tracker?.track(event, properties: properties, options: options)
  }
}
