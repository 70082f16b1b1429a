import NovaCore
import NovaOffline
import NovaTestSupport
import Testing

/// What writes change while they wait, and what they are about. In requests, texts are the names of their fields, and
/// numbers 7.
@Suite struct WriteRuleTests {
  private static let effects: [(id: String, names: [String], entities: [String])] = [
    (
      "graph.CreateFollow",
      [
        "relate follows(follower_id, followee_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators",
        "expire user.CheckUserRelationship",
      ], ["follows/follower_id/followee_id", "UserProfile/followee_id", "following/follower_id"]
    ),
    (
      "graph.DeleteFollow",
      [
        "unrelate follows(follower_id, followee_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators",
        "expire user.CheckUserRelationship",
      ], ["follows/follower_id/followee_id", "UserProfile/followee_id", "following/follower_id"]
    ),
    (
      "graph.CreateMute",
      ["relate mutes(muter_id, mutee_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators"],
      ["mutes/muter_id/mutee_id", "UserProfile/mutee_id"]
    ),
    (
      "graph.DeleteMute",
      ["unrelate mutes(muter_id, mutee_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators"],
      ["mutes/muter_id/mutee_id", "UserProfile/mutee_id"]
    ),
    (
      "graph.CreateBlock",
      [
        "relate blocks(blocker_id, blocked_id)", "unrelate follows(blocker_id, blocked_id)",
        "unrelate follows(blocked_id, blocker_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators",
        "expire user.CheckUserRelationship",
      ],
      [
        "blocks/blocker_id/blocked_id", "UserProfile/blocked_id", "follows/blocker_id/blocked_id",
        "following/blocker_id", "follows/blocked_id/blocker_id", "UserProfile/blocker_id", "following/blocked_id",
      ]
    ),
    (
      "graph.DeleteBlock",
      [
        "unrelate blocks(blocker_id, blocked_id)", "expire feed.GetFeed", "expire feed.GetRecommendedCreators",
        "expire user.CheckUserRelationship",
      ], ["blocks/blocker_id/blocked_id", "UserProfile/blocked_id"]
    ),
    (
      "social.CreateLike", ["relate likes(user_id, post_id)"],
      ["likes/user_id/post_id", "Post/post_id", "liked_posts/user_id"]
    ),
    (
      "social.DeleteLike", ["unrelate likes(user_id, post_id)"],
      ["likes/user_id/post_id", "Post/post_id", "liked_posts/user_id"]
    ),
    (
      "social.CreateComment", ["create Comment/-1"],
      ["comments/post_id", "Post/post_id", "Comment/parent_comment_id"]
    ),
    ("social.UpdateComment", ["update Comment/comment_id"], ["Comment/comment_id"]),
    ("social.DeleteComment", ["remove Comment/comment_id"], ["Comment/comment_id"]),
    (
      "social.CreateShare", ["relate shared(user_id, post_id)", "raise shares[post_id]"],
      ["shared/user_id/post_id", "Post/post_id"]
    ),
    ("content.CreatePost", ["create Post/-1", "expire feed.GetFeed"], ["posts/creator_id"]),
    ("content.UpdatePost", ["update Post/post_id", "expire feed.GetFeed"], ["Post/post_id"]),
    ("content.DeletePost", ["remove Post/post_id", "expire feed.GetFeed"], ["Post/post_id"]),
    (
      "content.CreateBookmark", ["relate bookmarks(user_id, post_id)"],
      ["bookmarks/user_id/post_id", "Post/post_id", "bookmarks/user_id"]
    ),
    (
      "content.DeleteBookmark", ["unrelate bookmarks(user_id, post_id)"],
      ["bookmarks/user_id/post_id", "Post/post_id", "bookmarks/user_id"]
    ),
    ("media.CreateVideo", ["create Video/-1"], ["videos/creator_id"]),
    ("media.CreateReel", ["create Reel/-1"], ["reels"]),
    ("user.UpdateUserProfile", ["update UserProfile/user_id"], ["UserProfile/user_id"]),
    ("user.UpdateUserSettings", ["update UserSettings/user_id"], ["UserSettings/user_id"]),
    ("capture.CreateSomething", ["create Something/-1"], ["somethings"]),
    ("capture.UpdateMeaning", ["update Something/7"], ["Something/7"]),
    ("capture.DeleteSomething", ["remove Something/7"], ["Something/7"]),
    ("feed.InvalidateFeedCache", ["expire feed.GetFeed"], []),
  ]

  @Test(arguments: effects)
  func effectAndEntities(id: String, names: [String], entities: [String]) throws {
    let rule = try #require(OfflineRules.write(id))
    let request = try filled(rule.rpc.requestType)
    let change = RecordingChange()
    try rule.effect(request, nil, change)
    #expect(change.names == names)
    #expect(rule.entities(request) == entities)
  }

  @Test func theTableIsComplete() {
    let difference = ListDifference(of: Self.effects.map(\.id), from: OfflineRules.writes.map(\.rpc.id))
    #expect(difference.isEmpty, "\(difference): change `effects` above")
  }

  @Test func whatHasNoIDIsNoEntity() throws {
    let rule = try #require(OfflineRules.write("social.CreateComment"))
    let request = try rule.rpc.requestType.init(jsonUTF8: Array(#"{"post_id": "p", "user_id": "u"}"#.utf8))
    #expect(rule.entities(request) == ["comments/p", "Post/p"])
  }

  /// The gateway's counts and records take precedence over what was expected.
  @Test(arguments: [
    ("social.CreateLike", #"{"like_count": 3}"#, ["relate likes(user_id, post_id)", "set likers[post_id]"]),
    ("social.CreateShare", #"{"share_count": 3}"#, ["relate shared(user_id, post_id)", "set shares[post_id]"]),
    ("social.CreateComment", #"{"comment": {"id": "c"}}"#, ["create Comment/c"]),
    ("social.UpdateComment", #"{"comment": {"id": "c"}}"#, ["replace Comment/c"]),
    ("capture.CreateSomething", #"{"id": 3}"#, ["create Something/3"]),
    ("capture.UpdateMeaning", #"{"id": 3}"#, ["replace Something/3"]),
    // Without the record, nothing is known of a new one; of an update, what was asked for.
    ("social.CreateComment", "{}", []),
    ("social.CreateComment", #"{"comment": {}}"#, []),
    ("capture.CreateSomething", "{}", []),
    ("social.UpdateComment", "{}", ["update Comment/comment_id"]),
    ("capture.UpdateMeaning", "{}", ["update Something/7"]),
  ])
  func confirmedWrites(id: String, response: String, names: [String]) throws {
    let rule = try #require(OfflineRules.write(id))
    let change = RecordingChange()
    try rule.effect(
      try filled(rule.rpc.requestType), try rule.rpc.responseType.init(jsonUTF8: Array(response.utf8)), change)
    #expect(change.names == names)
  }

  @Test(arguments: [
    ("graph.CreateFollow", #"{"success":true}"#, []),
    ("social.CreateLike", #"{"success":true,"like_count":42}"#, ["count likers[post_id]"]),
    ("social.CreateShare", #"{"success":true,"share_count":42}"#, ["count shares[post_id]"]),
    ("social.CreateComment", #"{"success":true,"comment":{}}"#, ["record Comment/-1"]),
    ("social.UpdateComment", #"{"success":true,"comment":{}}"#, ["record Comment/comment_id"]),
    ("content.CreatePost", #"{"post":{}}"#, ["record Post/-1"]),
    ("content.DeletePost", #"{"post_id":"post_id"}"#, []),
    ("user.UpdateUserSettings", #"{"settings":{}}"#, ["record UserSettings/user_id"]),
    ("capture.DeleteSomething", "{}", []),
  ])
  func answersOfWaitingWrites(id: String, answer: String, names: [String]) throws {
    let rule = try #require(OfflineRules.write(id))
    let facts = RecordingFacts()
    let message = try #require(try rule.answer(try filled(rule.rpc.requestType), "-1", facts))
    let expected: any ProtoMessage = try rule.rpc.responseType.init(jsonUTF8: Array(answer.utf8))
    #expect(try message.jsonUTF8() == expected.jsonUTF8())
    #expect(facts.names == names)
  }

  @Test func aRecordThatIsTheWholeAnswerIsShown() throws {
    let facts = RecordingFacts()
    for (id, name) in [
      ("capture.CreateSomething", "record Something/-1"), ("capture.UpdateMeaning", "record Something/7"),
    ] {
      let rule = try #require(OfflineRules.write(id))
      _ = try rule.answer(try filled(rule.rpc.requestType), "-1", facts)
      #expect(facts.names.last == name)
    }
  }

  @Test func createdRecordsAreKnown() {
    let created = OfflineRules.writes.compactMap { rule in rule.created.map { "\(rule.rpc.method) \($0.kind)" } }
    #expect(
      created.sorted() == [
        "CreateComment Comment", "CreatePost Post", "CreateReel Reel", "CreateSomething Something", "CreateVideo Video",
      ])
  }

  @Test func otherMessagesHaveNoEffect() throws {
    let rule = try #require(OfflineRules.write("social.CreateLike"))
    let other = try #require(OfflineRules.write("graph.CreateFollow")).rpc.requestType.init()
    let change = RecordingChange()
    try rule.effect(other, nil, change)
    #expect(change.names.isEmpty && rule.entities(other).isEmpty && rule.check?(other) == nil)
    #expect(try rule.undoing?.relation(other) == nil && rule.answer(other, "", RecordingFacts()) == nil)
  }
}
