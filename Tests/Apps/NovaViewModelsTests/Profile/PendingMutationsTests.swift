import NovaCore
import NovaTestSupport
import Testing

@testable import NovaViewModels

@Suite struct PendingMutationsTests {
  private let target = PendingMutations.Target(kind: .like, id: "post-1")

  @Test func noRequestForAKnownState() {
    var mutations = PendingMutations()
    let isNeeded = mutations.request(target, true, known: true)
    #expect(!isNeeded && mutations.inFlight.isEmpty)
    let isNeededToKnow = mutations.request(target, true, known: nil)
    #expect(isNeededToKnow)
    let isNeededAgain = mutations.request(target, true, known: nil)
    #expect(!isNeededAgain, "a request is in flight")
  }

  /// Random taps and responses for one target, against a simple server.
  @Test(arguments: 0..<200) func theLastChangeWins(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var mutations = PendingMutations()
    var server = Bool.random(using: &random)
    var known = server
    var sent: Bool?
    var story: [String] = ["server \(server)"]
    for _ in 0..<40 {
      if Bool.random(using: &random) {
        let tap = Bool.random(using: &random)
        story.append("tap \(tap)")
        if mutations.request(target, tap, known: known) {
          #expect(sent == nil, "two requests: \(story)")
          sent = tap
        }
        #expect((mutations[.like, "post-1"] ?? known) == tap, "what is tapped shows: \(story)")
      } else if let value = sent {
        let succeeded = Bool.random(using: &random)
        story.append("\(value) \(succeeded ? "is done" : "fails")")
        if succeeded { (server, known) = (value, value) }
        switch mutations.finish(target, sent: value, succeeded: succeeded) {
        case .send(let next):
          #expect(next != value, "\(story)")
          sent = next
        case .settled:
          #expect(succeeded, "\(story)")
          sent = nil
        case .rolledBack:
          #expect(!succeeded, "\(story)")
          sent = nil
        }
      }
      if sent == nil {
        #expect(mutations.inFlight.isEmpty, "\(story)")
        #expect(known == server, "\(story)")
      }
    }
  }

  @Test(arguments: [(true, false, 1), (true, true, 0), (false, true, -1), (false, false, 0)])
  func countsIncludeUnconfirmedChanges(isWanted: Bool, confirmed: Bool, change: Int) {
    #expect(PendingMutations.Mutation(isWanted: isWanted, confirmed: confirmed).countChange == change)
  }
}

@Suite struct LoadsTests {
  @Test func onlyTheLastLoadMayChangeAPart() {
    var loads = Loads()
    let all = loads.begin(ProfilePart.allCases)
    let posts = loads.begin([.posts])
    #expect(loads.isLoading(.posts) && loads.isLoading(.profile))
    let first = loads.end(all)
    #expect(!first.contains(.posts) && first.contains(.profile))
    #expect(loads.areRunning)
    let second = loads.end(posts)
    #expect(second == [.posts])
    #expect(!loads.areRunning)
  }

  @Test func supersededLoadsAreCancelled() {
    var loads = Loads()
    let first = loads.begin([.posts])
    let task = Task<Void, Never> {}
    loads.setTask(task, of: first)
    _ = loads.begin([.posts, .saved])
    #expect(task.isCancelled)
    #expect(!loads.isRunning(first))
    let rest = loads.end(first)
    #expect(rest.isEmpty)
    loads.supersede(ProfilePart.allCases)
    #expect(!loads.areRunning)
  }
}
