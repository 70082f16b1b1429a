import NovaCore

extension AnalyticsService {
  /// Notes an event with the client's ``Tracker``, and returns at once. Without a tracker, it has no effect.
  ///
  /// ```swift
  /// nova.analytics.track("post_opened", properties: ["source": "feed"])
  /// ```
  /// Never blocks and never fails. When the event is sent, and which properties are, is up to the tracker. The event is
  /// that of the caller of this service: its token's user, or else the client's.
  ///
  /// - Parameters:
  ///   - event: the name, in lower_snake_case.
  ///   - properties: what is worth knowing about it; nothing personal. Default: none.
  public func track(_ event: String, properties: [String: String] = [:]) {
    client.tracker?.track(event, properties: properties, options: options)
  }
}
