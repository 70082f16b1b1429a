import NovaAnalytics
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMock

/// How the mock records analytics events.
@Suite struct AnalyticsHandlerTests {
  private let backend = MockBackend(now: { 1_700_000_000 })

  private let service: AnalyticsService

  init() throws { service = AnalyticsService(client: try APIClient.test(MockTransport(backend), token: nil)) }

  private func event(_ id: String) -> AnalyticsEvent {
    AnalyticsEvent(
      id: id, name: "post_opened", userId: "mock-user-id", anonymousId: "", sessionId: "session-1",
      occurredAtMs: 1_700_000_000_123, sequence: 7, properties: ["post_id": "post-1"])
  }

  private func record(_ events: [AnalyticsEvent]) async throws -> RecordEventsResponse {
    try await service.recordEvents(RecordEventsRequest(events: events, sentAtMs: 1_700_000_001_000))
  }

  @Test func eachIDCountsOnce() async throws {
    #expect(try await record([event("a"), event("b"), event("a")]) == RecordEventsResponse(acceptedCount: 2))
    var changed = event("b")
    changed.name = "post_closed"
    #expect(try await record([changed, event("c")]) == RecordEventsResponse(acceptedCount: 1))
    #expect(try await record([]) == RecordEventsResponse())
    #expect(backend.analyticsEvents == ["a", "b", "c"].map(event))
    #expect(backend.counts.analyticsEvents == 3)
  }

  @Test func stateIsRestoredAndReset() async throws {
    _ = try await record([event("a")])
    let snapshot = backend.snapshot()
    _ = try await record([event("b")])
    backend.restore(snapshot)
    #expect(try await record([event("a"), event("b")]).acceptedCount == 1)
    backend.reset()
    #expect(backend.analyticsEvents.isEmpty && backend.counts.analyticsEvents == 0)
    #expect(try await record([event("a")]).acceptedCount == 1)
  }

  /// What is wrong with an event, and the reason for its rejection.
  struct Violation: Sendable, CustomTestStringConvertible {
    let reason: String
    let apply: @Sendable (inout AnalyticsEvent) -> Void
    var testDescription: String { reason }

    init(_ reason: String, _ apply: @escaping @Sendable (inout AnalyticsEvent) -> Void) {
      (self.reason, self.apply) = (reason, apply)
    }
  }

  private static func badName(_ name: String) -> Violation {
    Violation("name is \(name.quoted); expected 1 to 64 lower-case letters, digits, and underscores, a letter first") {
      $0.name = name
    }
  }

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test(
    arguments: ["", "Post", "post-opened", "post opened", "1post", "_post", "postö", text(65)].map(badName) + [
      Violation("id must not be empty") { $0.id = "" },
      Violation("id must have at most 1024 bytes, but has 1025") { $0.id = text(1025) },
      Violation("session_id must not be empty") { $0.sessionId = "" },
      Violation("session_id must have at most 1024 bytes, but has 1025") { $0.sessionId = text(1025) },
      Violation("user_id or anonymous_id must not be empty") { $0.userId = "" },
      Violation("user_id or anonymous_id must not be empty") { $0.userId = nil },
      Violation("user_id must have at most 1024 bytes, but has 1025") { $0.userId = text(1025) },
      Violation("anonymous_id must have at most 1024 bytes, but has 1025") { $0.anonymousId = text(1025) },
      Violation("occurred_at_ms must be more than 0, but is 0") { $0.occurredAtMs = 0 },
      Violation("properties must have at most 50 entries, but has 51") { event in
        event.properties = Dictionary(uniqueKeysWithValues: (0..<51).map { ("\($0)", "") })
      },
      Violation("the key \"\" of properties must have 1 to 64 characters") { $0.properties = ["": ""] },
      Violation("the key \(text(65).quoted) of properties must have 1 to 64 characters") {
        $0.properties = [text(65): "", text(66): ""]
      },
      Violation("the value of the property \"key\" must have at most 1,000 characters") {
        $0.properties = ["key": text(1001)]
      },
    ])
  func aBadEventIsRejectedAlone(_ violation: Violation) async throws {
    var bad = event("bad")
    violation.apply(&bad)
    let response = try await record([event("a"), bad, event("b")])
    #expect(response.acceptedCount == 2)
    #expect(response.rejected == [RejectedEvent(id: bad.id, reason: violation.reason)])
    #expect(backend.analyticsEvents.map(\.id) == ["a", "b"])
    #expect(try await record([event("bad")]).acceptedCount == 1, "its id is not used up")
  }

  @Test func theLargestEventIsRecorded() async throws {
    var largest = event(Self.text(1024))
    largest.name = Self.text(64)
    (largest.userId, largest.anonymousId) = (nil, "anonymous-1")
    let (key, value) = (String(repeating: "é", count: 62), String(repeating: "👩‍👩‍👧‍👦", count: 1000))
    largest.properties = Dictionary(uniqueKeysWithValues: (10..<60).map { ("\($0)\(key)", value) })
    #expect(try await record([largest]) == RecordEventsResponse(acceptedCount: 1))
    #expect(backend.analyticsEvents == [largest])
  }

  @Test func moreThan500AreRefused() async throws {
    let events = (0...500).map { event("\($0)") }
    for checksArguments in [true, false] {
      let error = await apiError {
        try await service.with { $0.checksArguments = checksArguments }.recordEvents(.init(events: events))
      }
      #expect(error?.code == .invalidArgument && error?.httpStatus == (checksArguments ? nil : 400), "\(error as Any)")
    }
    #expect(backend.counts.analyticsEvents == 0)
    #expect(try await record(events.dropLast()).acceptedCount == 500)
  }

  @Test func theNewestEventsAreStored() {
    var store = AnalyticsStore()
    let count = AnalyticsStore.maximumCount + 6_000
    let recorded = (0..<count).filter { store.record(event("\($0)")) }
    #expect(recorded.count == count)
    #expect(store.count == count && store.events.count == AnalyticsStore.maximumCount)
    #expect(store.events.first?.id == "6000" && store.events.last?.id == "\(count - 1)")
    let isNew = store.record(event("0"))
    #expect(!isNew, "ids of dropped events still count")
  }

  @Test func largeEventsAreDroppedSooner() {
    var store = AnalyticsStore()
    var large = event("")
    large.properties = ["key": Self.text(AnalyticsStore.maximumBytes / 3)]
    for number in 0..<5 {
      large.id = "\(number)"
      _ = store.record(large)
    }
    #expect(store.count == 5 && store.events.map(\.id) == ["3", "4"])
    large.id = "larger than all"
    large.properties["more"] = Self.text(AnalyticsStore.maximumBytes)
    _ = store.record(large)
    #expect(store.count == 6 && store.events.isEmpty)
    _ = store.record(event("after"))
    #expect(store.events.map(\.id) == ["after"])
  }
}
