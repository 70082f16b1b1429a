import NovaAnalytics
import NovaCore

extension SurveyRun {
  /// Records an event, and sends it again together with a bad one. Requires the check's own account, because no RPC
  /// deletes events.
  mutating func checkAnalytics() async throws {
    guard let account = writer else { return }
    let event = AnalyticsEvent(
      id: "\(account.username)_event", name: "nova_contract_check", userId: account.id, sessionId: "nova-contract",
      occurredAtMs: 1_764_583_200_000, properties: ["source": "nova contract check"])
    let answer = try await valid(
      AnalyticsRPC.recordEvents, .init(events: [event], sentAtMs: event.occurredAtMs), as: "an event")
    guard answer != nil else { return }
    leaveBehind("analytics event \(event.id)")
    var bad = event
    (bad.id, bad.name) = ("\(account.username)_bad", "Not A Name")
    try await valid(AnalyticsRPC.recordEvents, .init(events: [event, bad]), as: "the event again, and a bad one")
  }
}
