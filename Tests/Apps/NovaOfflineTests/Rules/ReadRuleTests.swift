import NovaCore
import Testing

@testable import NovaOffline

/// Which facts answers are made of. In requests, texts are the names of their fields, and numbers 7.
@Suite struct ReadRuleTests {
  @Test(arguments: [
    ("graph.GetFollowers", ["ids followers[user_id] from 7 limit 7 of followers[user_id] with total with hasMore"]),
    ("graph.GetFollowing", ["ids following[user_id] from 7 limit 7 of following[user_id] with total with hasMore"]),
    ("graph.IsFollowing", ["relation follows(follower_id, followee_id)"]),
    ("graph.BatchCheckFollowing", ["relations follows(follower_id, 1 2)"]),
    ("graph.IsMuted", ["relation mutes(muter_id, mutee_id)"]),
    ("graph.IsBlocked", ["relation blocks(blocker_id, blocked_id)"]),
    ("social.GetPostLikes", ["ids likers[post_id] from 7 limit 7 of likers[post_id] with total with hasMore"]),
    ("social.GetLikeCount", ["count likers[post_id]"]),
    ("social.CheckUserLiked", ["relation likes(user_id, post_id)"]),
    ("social.BatchCheckUserLiked", ["relations likes(user_id, 1 2)"]),
    (
      "social.GetUserLikedPosts",
      ["ids liked_posts[user_id] from 7 limit 7 of liked_posts[user_id] with total with hasMore"]
    ),
    ("social.GetComment", ["record Comment/comment_id"]),
    (
      "social.GetComments",
      ["Comments comments[post_id, sort_by, order] from 7 limit 7 of comments[post_id] with total with hasMore"]
    ),
    ("social.GetCommentCount", ["count comments[post_id]"]),
    ("social.GetShareCount", ["count shares[post_id]"]),
    ("social.CheckUserShared", ["relation shared(user_id, post_id)"]),
    (
      "social.BatchGetPostStats",
      [
        "count likers[1]", "count comments[1]", "count shares[1]", "count likers[2]", "count comments[2]",
        "count shares[2]",
      ]
    ),
    ("content.GetPost", ["record Post/post_id"]),
    ("content.GetPostsByIds", ["records Post/1 2"]),
    (
      "content.GetPostsByAuthor",
      ["Posts posts[author_id, status] from 7 limit 7 of posts[author_id, status] with total with hasMore"]
    ),
    (
      "content.GetUserBookmarks",
      ["Posts bookmarks[user_id] from 7 limit 7 of bookmarks[user_id] with total with hasMore"]
    ),
    ("content.CheckPostExists", ["exists Post/post_id"]),
    ("media.GetVideo", ["record Video/video_id"]),
    ("media.GetUserVideos", ["Videos videos[user_id] from 0 limit 7"]),
    ("media.GetReel", ["record Reel/reel_id"]),
    ("media.ListReels", ["Reels reels[] from 0 limit 7"]),
    ("user.GetUserProfile", ["record UserProfile/user_id"]),
    ("user.GetUserProfilesByIds", ["records UserProfile/1 2"]),
    ("user.GetUserSettings", ["record UserSettings/user_id"]),
    ("user.SearchUsers", ["UserProfiles search[query] from 7 limit 7 of search[query] with total with hasMore"]),
    ("user.CheckUserRelationship", []),
    ("feed.GetFeed", ["share parts of Posts"]),
    ("feed.RankPosts", []),
    ("feed.GetRecommendedCreators", ["share parts of UserProfiles"]),
    ("capture.ListSomethings", ["Somethings somethings[] from 7 limit 7"]),
    ("capture.GetSomething", ["record Something/7"]),
    ("announcements.ListAnnouncements", ["share Announcements"]),
    ("announcements.GetAnnouncement", ["record Announcement/id"]),
  ])
  func facts(_ id: String, _ names: [String]) throws {
    let rule = try #require(OfflineRules.read(id))
    let facts = RecordingFacts()
    _ = try rule.visit(try filled(rule.rpc.requestType), rule.newResponse(), facts)
    #expect(facts.names == names)
  }

  @Test func theTableIsComplete() { #expect(OfflineRules.reads.count == 38) }

  @Test(arguments: [(0, 50), (7, 7), (1000, 1000), (5000, 1000), (-1, 50)])
  func limitsHaveTheDefaultAndTheMaximumOfTheRPC(_ limit: Int, _ effective: Int) throws {
    let rule = try #require(OfflineRules.read("graph.GetFollowers"))
    let facts = RecordingFacts()
    let json = #"{"user_id": "u", "limit": \#(limit)}"#
    _ = try rule.visit(try rule.rpc.requestType.init(jsonUTF8: Array(json.utf8)), rule.newResponse(), facts)
    #expect(facts.names.first?.contains("limit \(effective) ") == true, "\(facts.names)")
  }

  @Test func serversChooseLimitsThatTheContractLeavesToThem() throws {
    for id in ["media.GetUserVideos", "media.ListReels", "capture.ListSomethings"] {
      let rule = try #require(OfflineRules.read(id))
      let facts = RecordingFacts()
      _ = try rule.visit(rule.rpc.requestType.init(), rule.newResponse(), facts)
      #expect(facts.names.first?.hasSuffix("limit server's") == true, "\(facts.names)")
    }
  }

  @Test func absentSortingIsNewestFirst() throws {
    let rule = try #require(OfflineRules.read("social.GetComments"))
    let facts = RecordingFacts()
    let request = try rule.rpc.requestType.init(jsonUTF8: Array(#"{"post_id": "p"}"#.utf8))
    _ = try rule.visit(request, rule.newResponse(), facts)
    #expect(facts.names.first?.hasPrefix("Comments comments[p, created_at, desc] ") == true)
  }

  /// Some servers leave out `has_more`, or send likes without `user_ids`.
  @Test func whatServersLeaveOutIsComputed() throws {
    let rule = try #require(OfflineRules.read("social.GetPostLikes"))
    let facts = PageFacts()
    let json = #"{"likes": [{"user_id": "a"}, {"user_id": "b"}], "total_count": 5}"#
    _ = try rule.visit(rule.rpc.requestType.init(), try rule.rpc.responseType.init(jsonUTF8: Array(json.utf8)), facts)
    #expect(facts.ids == ["a", "b"])
    #expect(facts.end == PageEnd(total: 5, hasMore: true))
  }
}

/// Keeps the items and the end of a page.
private final class PageFacts: Facts {
  private(set) var ids: [String] = []
  private(set) var end = PageEnd()

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) { (self.ids, self.end) = (ids, end) }
}
