import NovaAnalytics
import NovaCore

/// Analytics events in the admin API.
struct AdminAnalytics {
  let backend: MockBackend

  /// Lists the stored events, newest first: all, or those of a name, a user, or a session, or with a text.
  func list(_ query: String) throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["search", "name", "user", "session", "offset", "limit"])
    let page = try query.page
    let filter = EventFilter(
      text: (query.text("search") ?? "").foldedForSearch, name: query.text("name"), user: query.text("user"),
      session: query.text("session"))
    let store = backend.withState { $0.analytics }
    let events = store.events.reversed().filter(filter.includes)
    let shown = try page.of(events).map { try JSONValue($0) }
    return .json(["events": .array(shown), "total": .number(events.count), "recorded": .number(store.count)])
  }
}

/// Selects analytics events; nil or an empty text selects all.
private struct EventFilter {
  let text: String
  let name: String?
  /// The id of a user, or an anonymous id.
  let user: String?
  let session: String?

  func includes(_ event: AnalyticsEvent) -> Bool {
    if let name, event.name != name { return false }
    if let session, event.sessionId != session { return false }
    if let user, event.userId != user, event.anonymousId != user { return false }
    if text.isEmpty { return true }
    let texts = [event.id, event.name, event.userId ?? "", event.anonymousId, event.sessionId]
    return (texts + event.properties.keys + event.properties.values).contains { $0.foldedForSearch.contains(text) }
  }
}
