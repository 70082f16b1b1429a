import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

@Suite struct SamplingTests {
  private static let ids = (0..<10_000).map { "id-\($0)" }

  @Test(arguments: [0, 0.01, 0.5, 0.9, 1, -1, 2]) func thePartIsThatOfTheRate(_ rate: Double) {
    let expected = min(max(rate, 0), 1) * 10_000
    for sampling in [Sampling.sessions(rate), .users(rate)] {
      let count = Self.ids.count { sampling.includes(session: $0, user: $0, anonymousID: "") }
      #expect(abs(Double(count) - expected) < 200, "\(sampling): \(count)")
    }
  }

  @Test func theChoiceIsStable() {
    for id in Self.ids.prefix(500) {
      let session = Sampling.sessions(0.5)
      let choice = session.includes(session: id, user: nil, anonymousID: "a")
      #expect(session.includes(session: id, user: "ada", anonymousID: "b") == choice)
      let user = Sampling.users(0.5)
      let chosen = user.includes(session: "s", user: id, anonymousID: "a")
      #expect(user.includes(session: "t", user: id, anonymousID: "b") == chosen)
      #expect(user.includes(session: "t", user: nil, anonymousID: id) == chosen)
      // A larger part contains the smaller one.
      if chosen { #expect(Sampling.users(0.7).includes(session: "s", user: id, anonymousID: "a")) }
    }
  }

  @Test func aSessionIsRecordedWholeOrNotAtAll() async throws {
    let scene = try TrackerScene()
    let tracker = scene.tracker { $0.sampling = .sessions(0.5) }
    for _ in 0..<100 {
      tracker.track(0..<3)
      scene.clock.advance(by: .seconds(3600))
    }
    let events = await tracker.waitingEvents(limit: 1000)
    let sessions = Dictionary(grouping: events, by: \.sessionId)
    #expect(sessions.values.allSatisfy { $0.count == 3 })
    #expect((20...80).contains(sessions.count))
    // Events outside the sample do not count as lost.
    #expect(await tracker.status.lostCount == 0)
  }
}
