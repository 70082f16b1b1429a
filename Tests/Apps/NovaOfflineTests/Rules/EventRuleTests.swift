import NovaCore
import NovaEvents
import NovaOffline
import Testing

/// The generated rules of events.
@Suite struct EventRuleTests {
  private static let event = Event(
    actorId: "a", subjectId: "s", postId: "p", counts: ["like_count": 3, "post_count": 2, "follower_count": 1])

  @Test(arguments: [
    ("follow.created", "follows(a, s)", true), ("follow.deleted", "follows(a, s)", false),
    ("like.created", "likes(a, p)", true), ("like.deleted", "likes(a, p)", false),
    ("bookmark.created", "bookmarks(a, p)", true), ("bookmark.deleted", "bookmarks(a, p)", false),
    ("share.created", "shared(a, p)", true),
  ])
  func relations(_ type: String, _ relation: String, isRelated: Bool) throws {
    let rule = try #require(OfflineRules.event(type))
    #expect(rule.relation?(Self.event).text == relation)
    #expect(rule.isRelated == isRelated)
  }

  @Test(arguments: [
    ("follow.created", ["following_count following[a]", "follower_count followers[s]"]),
    ("like.deleted", ["like_count likers[p]"]), ("share.created", ["share_count shares[p]"]),
    ("comment.updated", ["comment_count comments[p]"]), ("post.deleted", ["post_count posts[a, published]"]),
  ])
  func counts(_ type: String, _ counts: [String]) throws {
    let rule = try #require(OfflineRules.event(type))
    #expect(rule.counts.map { "\($0.field) \($0.name(Self.event).text)" } == counts)
  }

  @Test(arguments: [
    ("comment.created", "comments", "p"), ("post.created", "posts", "a"), ("something.created", "somethings", nil),
  ])
  func doubts(_ type: String, list: String, subject: String?) throws {
    let doubts = try #require(OfflineRules.event(type)?.doubts)
    #expect(doubts.list == list && doubts.subject?(Self.event) == subject)
  }

  /// An event that sets a relation makes the same answers too old as the write.
  @Test func expiryIsThatOfTheWrites() throws {
    let change = RecordingChange()
    let write = try #require(OfflineRules.write("graph.CreateFollow"))
    try write.effect(write.rpc.requestType.init(), nil, change)
    let expired = try #require(OfflineRules.event("follow.created")).expires
    #expect(change.names.filter { $0.hasPrefix("expire ") } == expired.map { "expire \($0)" })
  }

  @Test func othersHaveNoRule() { #expect(OfflineRules.event("upload.progress")?.type == nil) }
}
