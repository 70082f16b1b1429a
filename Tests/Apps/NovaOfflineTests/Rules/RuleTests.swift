import NovaCore
import NovaOffline
import NovaRegistry
import Testing

/// The generated rules as a whole, against the contract.
@Suite struct RuleTests {
  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id))
  func everyRPCHasOneRule(_ id: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let (read, write) = (OfflineRules.read(id), OfflineRules.write(id))
    if rpc.effect == .noSideEffects {
      #expect((read != nil) != OfflineRules.neverStored.contains(id))
      #expect(write == nil && !OfflineRules.neverQueued.contains(id))
    } else {
      #expect((write?.canWait == true) != OfflineRules.neverQueued.contains(id))
      #expect(read == nil && !OfflineRules.neverStored.contains(id))
    }
  }

  @Test func rulesAreAboutTheContract() {
    let ids = Set(RPCRegistry.nova.rpcs.map(\.id))
    #expect(OfflineRules.neverStored.union(OfflineRules.neverQueued).isSubset(of: ids))
    #expect(Set(OfflineRules.reads.map(\.rpc.id)).count == OfflineRules.reads.count)
    #expect(Set(OfflineRules.writes.map(\.rpc.id)).count == OfflineRules.writes.count)
  }

  @Test(arguments: OfflineRules.reads.map(\.rpc.id))
  func readsNameFactsAndShowThem(_ id: String) throws {
    let rule = try #require(OfflineRules.read(id))
    let facts = RecordingFacts()
    let shown = try #require(try rule.visit(try filled(rule.rpc.requestType), rule.newResponse(), facts))
    #expect(rule.isRecorded || !facts.names.isEmpty)
    // What is not recorded as a whole has nothing but facts.
    let (full, empty) = (try shown.jsonUTF8(), try rule.newResponse().jsonUTF8())
    #expect(rule.isRecorded || full != empty)
    #expect(rule.timeToLive > .zero)
  }

  @Test func otherMessagesAreNotVisited() throws {
    let rule = try #require(OfflineRules.read("graph.GetFollowers"))
    let other = try #require(OfflineRules.read("graph.GetFollowing"))
    #expect(try rule.visit(other.rpc.requestType.init(), rule.newResponse(), RecordingFacts()) == nil)
    #expect(try rule.visit(rule.rpc.requestType.init(), other.newResponse(), RecordingFacts()) == nil)
  }

  @Test(arguments: OfflineRules.writes.filter(\.canWait).map(\.rpc.id))
  func writesThatWaitHaveEffectAnswerAndEntities(_ id: String) throws {
    let rule = try #require(OfflineRules.write(id))
    let request = try filled(rule.rpc.requestType)
    let change = RecordingChange()
    try rule.effect(request, nil, change)
    #expect(!change.names.isEmpty)
    #expect(!rule.entities(request).isEmpty)
    let answer = try #require(try rule.answer(request, "-1", RecordingFacts()))
    #expect(type(of: answer) == rule.rpc.responseType)
  }

  @Test(arguments: OfflineRules.writes.map(\.rpc.id))
  func whatExpiresIsStoredAsAWhole(_ id: String) throws {
    let rule = try #require(OfflineRules.write(id))
    let change = RecordingChange()
    try rule.effect(rule.rpc.requestType.init(), rule.rpc.responseType.init(), change)
    for name in change.names where name.hasPrefix("expire ") {
      #expect(OfflineRules.read(String(name.dropFirst("expire ".count)))?.isRecorded == true)
    }
  }

  @Test(arguments: OfflineRules.writes.filter { $0.undoing != nil }.map(\.rpc.id))
  func oppositesSetTheSameRelation(_ id: String) throws {
    let rule = try #require(OfflineRules.write(id))
    let undoing = try #require(rule.undoing)
    let opposite = try #require(OfflineRules.write(undoing.rpc))
    #expect(opposite.undoing?.rpc == id)
    #expect(opposite.undoing?.isRelated == !undoing.isRelated)
    let (one, other) = (try filled(rule.rpc.requestType), try filled(opposite.rpc.requestType))
    #expect(undoing.relation(one) != nil && undoing.relation(one) == opposite.undoing?.relation(other))
    #expect(rule.entities(one) == opposite.entities(other))
  }

  @Test func undoneWritesAreRelations() {
    // An unblock does not bring the follows back that the block removed.
    #expect(
      OfflineRules.writes.filter { $0.undoing != nil }.map(\.rpc.id).sorted() == [
        "content.CreateBookmark", "content.DeleteBookmark", "graph.CreateFollow", "graph.CreateMute",
        "graph.DeleteFollow", "graph.DeleteMute", "social.CreateLike", "social.DeleteLike",
      ])
  }
}
