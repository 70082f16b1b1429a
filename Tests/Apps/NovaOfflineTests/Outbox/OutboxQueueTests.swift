import NovaCapture
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// What follows from the order of entries.
@Suite struct OutboxQueueTests {
  private static func entry(
    _ id: Int64, _ entities: [String] = [], newID: String? = nil, values: Set<String> = [],
    state: OutboxEntry.State = .waiting, identity: Identity = .me
  ) -> OutboxEntry {
    .sample(
      SocialRPC.createComment.descriptor, id: id, identity: identity, state: state, entities: entities, newID: newID,
      values: values)
  }

  private static func ready(_ entries: [OutboxEntry]) -> [Int64] { OutboxQueue(entries).ready(.me).map(\.id) }

  @Test func writesAboutTheSameTakeTurnsAndOthersGoOn() {
    #expect(
      Self.ready([Self.entry(1, ["a"]), Self.entry(2, ["a", "b"]), Self.entry(3, ["b"]), Self.entry(4, ["c"])]) == [
        1, 4,
      ])
  }

  @Test func whatIsCreatedComesFirst() {
    let entries = [
      Self.entry(1, newID: "t1"), Self.entry(2, values: ["t1"]),
      Self.entry(3, ["Comment/t1"], values: ["Comment", "t1"]),
    ]
    #expect(Self.ready(entries) == [1])
  }

  @Test func refusedWritesBlockOnlyWhatNeedsThem() {
    let queue = OutboxQueue([
      Self.entry(1, ["a"], newID: "t1", state: .dead), Self.entry(2, ["a"]),
      Self.entry(3, ["likes/me/t1"], newID: "t3", values: ["t1"]), Self.entry(4, values: ["t3"]),
      Self.entry(5, ["b", "likes/me/t1"], values: ["t1"]),
      Self.entry(6, ["b"]),
    ])
    #expect(
      queue.entries.map(\.state) == [.dead, .waiting, .blocked(by: 1), .blocked(by: 1), .blocked(by: 1), .waiting])
    #expect(queue.ready(.me).map(\.id) == [2, 6])
    #expect(queue.dependents(of: queue.entries[0]).map(\.id) == [3, 4, 5])
  }

  @Test func identitiesNeverMeet() {
    let entries = [
      Self.entry(1, ["a"], newID: "t1", state: .dead, identity: .other), Self.entry(2, ["a"], values: ["t1"]),
    ]
    #expect(OutboxQueue(entries).entries.map(\.state) == [.dead, .waiting])
    #expect(Self.ready([Self.entry(1, ["a"], identity: .other), Self.entry(2, ["a"])]) == [2])
  }

  @Test func idsAreReplacedWhereTheyAreWhole() throws {
    let request = CreateCommentRequest(postId: "t1", userId: "t1x", content: "about t1", parentCommentId: "t1")
    let replaced = RequestIDs.replacing(["t1": "9"], in: request) as? CreateCommentRequest
    #expect(
      replaced == CreateCommentRequest(postId: "9", userId: "t1x", content: "about t1", parentCommentId: "9"))
    #expect(RequestIDs.replacing(["t2": "9"], in: request) == nil)
    #expect(
      RequestIDs.replacing(["t1": "9"], in: ["Post/t1", "likes/me/t1", "t1x/1"]) == ["Post/9", "likes/me/9", "t1x/1"])
  }

  @Test func numbersAreIDs() {
    let request = UpdateMeaningRequest(id: -77, meaning: "-77 is cold")
    #expect(RequestIDs.values(of: request).contains("-77"))
    #expect(
      RequestIDs.replacing(["-77": "5"], in: request) as? UpdateMeaningRequest
        == UpdateMeaningRequest(id: 5, meaning: "-77 is cold"))
    // A number cannot become a text.
    #expect(RequestIDs.replacing(["-77": "a"], in: request) == nil)
  }

  /// Whatever changes, in whatever order.
  @Test(arguments: UInt64(1)...20) func changesLeaveWhatReadingAllAgainWouldFind(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var all: [Int64: OutboxEntry] = [:]
    var queue = OutboxQueue()
    for _ in 0..<60 {
      var (changed, removed): ([OutboxEntry], [Int64]) = ([], [])
      for _ in 0..<1 + random.next(below: 3) {
        let id = Int64(random.next(below: 12))
        if random.next(below: 3) == 0 {
          removed.append(id)
          all[id] = nil
        } else {
          let entry = Self.entry(
            id, ["e\(random.next(below: 3))"], newID: id % 3 == 0 ? "t\(id)" : nil,
            values: ["t\(random.next(below: 4) * 3)"], state: random.next(below: 4) == 0 ? .dead : .waiting,
            identity: id % 2 == 0 ? .me : .other)
          changed.append(entry)
          all[id] = entry
        }
      }
      queue.update(changed.filter { all[$0.id] != nil }, removing: removed.filter { all[$0] == nil })
      for id in all.keys { queue.update([all[id]].compactMap(\.self), removing: []) }
      let fresh = OutboxQueue(all.values.sorted { $0.id < $1.id })
      #expect(queue.entries.map(\.description) == fresh.entries.map(\.description))
      #expect(queue.counts == fresh.counts)
      for identity in [Identity.me, .other] {
        #expect(queue.undelivered(identity).map(\.id) == fresh.undelivered(identity).map(\.id))
        #expect(queue.ready(identity).first?.id == queue.firstReady(identity) { _ in true }?.id)
      }
      #expect(all.keys.allSatisfy { queue.entry($0)?.id == $0 } && queue.entry(99) == nil)
    }
  }
}
