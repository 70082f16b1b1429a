import NovaAuth
import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaUsers

/// A backend with users who can sign in, and a clock for heartbeats.
struct EventWorld {
  let mock = MockCaller()
  let clock = ManualClock()

  var backend: MockBackend { mock.backend }

  /// Registers a user, and returns the id and the token.
  func user(_ name: String) throws -> (id: String, token: String) {
    let answer = try mock.call(
      AuthRPC.register, RegisterRequest(email: "\(name)@example.com", username: name, password: "a good password"))
    return (answer.userId, answer.token)
  }

  func post(by user: String, privacy: String = "", status: String = "") throws -> String {
    try mock.call(
      ContentRPC.createPost, CreatePostRequest(creatorId: user, content: "text", privacy: privacy, status: status)
    ).post?.id ?? ""
  }

  func follow(_ follower: String, _ followee: String) throws {
    _ = try mock.call(GraphRPC.createFollow, CreateFollowRequest(followerId: follower, followeeId: followee))
  }

  func makePrivate(_ user: String, _ isPrivate: Bool = true) throws {
    _ = try mock.call(UserRPC.updateUserProfile, UpdateUserProfileRequest(userId: user, isPrivate: isPrivate))
  }

  func list(
    _ topics: [String], after: String = "", limit: Int = 0, token: String? = nil
  ) throws -> ListEventsResponse {
    try mock.call(
      EventRPC.listEvents, ListEventsRequest(topics: topics, after: after, limit: limit), token: token)
  }

  /// The types of the events of a topic since the beginning.
  func types(_ topic: String, token: String? = nil) throws -> [String] {
    try list([topic], after: beginning, limit: 1000, token: token).events.map(\.type)
  }

  /// The position before the first event.
  var beginning: String { "\(backend.eventPosition.prefix { $0 != ":" }):0" }

  func response(
    _ topics: [String], after: String? = nil, token: String? = nil, headers: HTTPHeaders = [:]
  ) async throws -> HTTPResponse {
    let (target, _) = try HTTPTranscoder.request(
      StreamEventsRequest(topics: topics), EventRPC.streamEvents.descriptor.http)
    var request = HTTPRequest(method: .get, url: target, headers: headers)
    request.headers["Last-Event-ID"] = after
    request.headers["Authorization"] = token.map { "Bearer \($0)" }
    request.streamsResponse = true
    return try await backend.answer(request, clock: clock)
  }

  func stream(
    _ topics: [String], after: String? = nil, token: String? = nil, headers: HTTPHeaders = [:]
  ) async throws -> EventStream {
    EventStream(try await response(topics, after: after, token: token, headers: headers))
  }
}

/// A stream of events that is read item by item.
final class EventStream {
  private var items: ServerSentEvents.AsyncIterator

  init(_ response: HTTPResponse) { items = ServerSentEvents(response.body).makeAsyncIterator() }

  func next() async throws -> ServerSentEventItem? { try await items.next() }

  /// The next event; nil at the end.
  func event() async throws -> ServerSentEvent? {
    while let item = try await next() {
      if case .event(let event) = item { return event }
    }
    return nil
  }

  func events(_ count: Int) async throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    while events.count < count, let event = try await event() { events.append(event) }
    return events
  }
}
