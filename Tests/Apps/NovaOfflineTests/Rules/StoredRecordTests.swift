import NovaCapture
import NovaContent
import NovaFeed
import NovaOffline
import NovaSocial
import NovaUsers
import Testing

/// What records are called, where they are, and what in them is a fact of its own.
@Suite struct StoredRecordTests {
  @Test func kindsAreTheKeysOfTheTable() {
    for (kind, type) in OfflineRules.records { #expect(type.kind == kind) }
    #expect(OfflineRules.records.count == 8)
  }

  @Test func onlySomethingsHaveNumbersAsIDs() {
    #expect(OfflineRules.records.filter { $0.value.hasNumericID }.map(\.key) == ["Something"])
    #expect(Something(id: 5).recordID == "5")
    #expect(UserSettings(userId: "u").recordID == "u")
  }

  @Test(arguments: [("", "published"), ("published", "published"), ("draft", "draft")])
  func placesOfPosts(_ status: String, _ effective: String) {
    #expect(
      Post(id: "p", creatorId: "u", status: status).places == [
        .list(ListName("posts", ["u", ""]), at: .first), .list(ListName("posts", ["u", effective]), at: .first),
        .count(CountName("posts", ["u", ""])), .count(CountName("posts", ["u", effective])),
      ])
  }

  @Test func placesOfComments() {
    #expect(
      Comment(id: "c", postId: "p").places == [
        .list(ListName("comments", ["p", "created_at", "desc"]), at: .first),
        .list(ListName("comments", ["p", "created_at", "asc"]), at: .last),
        .list(ListName("comments", ["p", "updated_at", "desc"]), at: .firstChanged),
        .list(ListName("comments", ["p", "updated_at", "asc"]), at: .lastChanged),
        .count(CountName("comments", ["p"])),
      ])
  }

  @Test func repliesGoAwayWithTheirComment() {
    #expect(Comment(id: "c", parentCommentId: "b").parentID == "b")
    #expect(Comment(id: "c").parentID == nil)
  }

  @Test func countsInProfilesAreFacts() throws {
    let facts = RecordingFacts()
    var profile = UserProfile(id: "u")
    try profile.visitFacts(facts)
    #expect(facts.names == ["count followers[u]", "count following[u]", "count posts[u, published]"])
    #expect(profile == UserProfile(id: "u", followerCount: 42, followingCount: 42, postCount: 42))
  }

  @Test func postsInTheFeedArePartsOfPosts() throws {
    let facts = RecordingFacts()
    var part = FeedPost(id: "p", userId: "u", content: "new", createdAt: 5, rankingScore: 0.5)
    try part.visitFacts(facts)
    #expect(facts.names == ["count likers[p]", "count comments[p]", "count shares[p]"])
    var post = Post(id: "p", creatorId: "u", content: "old", createdAt: 5, updatedAt: 6, title: "T")
    part.update(&post)
    #expect(post == Post(id: "p", creatorId: "u", content: "new", createdAt: 5, updatedAt: 6, title: "T"))
    part.take(from: Post(id: "p", creatorId: "v", content: "newer", createdAt: 7))
    #expect(
      part
        == FeedPost(
          id: "p", userId: "v", content: "newer", createdAt: 7, rankingScore: 0.5, likeCount: 42, commentCount: 42,
          shareCount: 42))
  }

  @Test func recommendationsSayHowManyFollow() throws {
    let facts = RecordingFacts()
    var creator = RecommendedCreator(id: "u", name: "U", avatar: "a")
    try creator.visitFacts(facts)
    creator.take(from: UserProfile(id: "u", username: "other", displayName: "Other"))
    #expect(facts.names == ["count followers[u]"])
    #expect(creator == RecommendedCreator(id: "u", name: "U", avatar: "a", followerCount: 42))
  }

  @Test func relationsMoveTheirListsAndCounts() {
    let rules = Dictionary(uniqueKeysWithValues: OfflineRules.relations.map { ($0.kind, $0) })
    #expect(rules.keys.sorted() == ["blocks", "bookmarks", "follows", "likes", "mutes", "shared"])
    #expect(
      rules["likes"]?.lists.map { "\($0.kind) \($0.item) \($0.key)" } == ["likers a b", "liked_posts b a"])
    #expect(rules["likes"]?.counts.map { "\($0.kind) \($0.key)" } == ["likers b", "liked_posts a"])
    #expect(rules["bookmarks"]?.lists.map { "\($0.kind) \($0.item) \($0.key)" } == ["bookmarks b a"])
    #expect(rules["shared"]?.lists.isEmpty == true)
    #expect(
      rules.mapValues(\.visibility).filter { !$0.value.isEmpty } == [
        "blocks": [.set, .cleared], "follows": [.cleared],
      ])
  }

  @Test func subjectsAreRecords() {
    for kind in OfflineRules.subjects.values { #expect(OfflineRules.records[kind] != nil) }
    #expect(OfflineRules.subjects["likers"] == "Post" && OfflineRules.subjects["likes"] == "Post")
    #expect(OfflineRules.subjects["comments"] == "Post" && OfflineRules.subjects["shares"] == "Post")
    #expect(OfflineRules.subjects["search"] == nil)
  }
}
