import NovaCore
import NovaTestSupport
import Testing

@testable import NovaViewModels

@Suite struct WishesTests {
  private let target = Wishes.Target(kind: .like, id: "post-1")

  @Test func whatIsSoNeedsNoRequest() {
    var wishes = Wishes()
    let isNeeded = wishes.want(target, true, known: true)
    #expect(!isNeeded && wishes.underWay.isEmpty)
    let isNeededToKnow = wishes.want(target, true, known: nil)
    #expect(isNeededToKnow)
    let isNeededAgain = wishes.want(target, true, known: nil)
    #expect(!isNeededAgain, "it is under way")
  }

  /// Random taps and answers for one thing, against a server that is simple.
  @Test(arguments: 0..<200) func theLastWishWins(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wishes = Wishes()
    var server = Bool.random(using: &random)
    var known = server
    var sent: Bool?
    var story: [String] = ["server \(server)"]
    for _ in 0..<40 {
      if Bool.random(using: &random) {
        let tap = Bool.random(using: &random)
        story.append("tap \(tap)")
        if wishes.want(target, tap, known: known) {
          #expect(sent == nil, "two requests: \(story)")
          sent = tap
        }
        #expect((wishes[.like, "post-1"] ?? known) == tap, "what is tapped shows: \(story)")
      } else if let value = sent {
        let succeeded = Bool.random(using: &random)
        story.append("\(value) \(succeeded ? "is done" : "fails")")
        if succeeded { (server, known) = (value, value) }
        switch wishes.finish(target, sent: value, succeeded: succeeded) {
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
        #expect(wishes.underWay.isEmpty, "\(story)")
        #expect(known == server, "\(story)")
      }
    }
  }

  @Test(arguments: [(true, false, 1), (true, true, 0), (false, true, -1), (false, false, 0)])
  func countsChangeByWhatIsNotThereYet(_ isWanted: Bool, _ confirmed: Bool, _ change: Int) {
    #expect(Wishes.Wish(isWanted: isWanted, confirmed: confirmed).change == change)
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
    #expect(loads.areUnderWay)
    let second = loads.end(posts)
    #expect(second == [.posts])
    #expect(!loads.areUnderWay)
  }

  @Test func whoeverHasNothingLeftIsCancelled() {
    var loads = Loads()
    let first = loads.begin([.posts])
    let task = Task<Void, Never> {}
    loads.run(first, task)
    _ = loads.begin([.posts, .saved])
    #expect(task.isCancelled)
    #expect(!loads.isUnderWay(first))
    let rest = loads.end(first)
    #expect(rest.isEmpty)
    loads.supersede(ProfilePart.allCases)
    #expect(!loads.areUnderWay)
  }
}
