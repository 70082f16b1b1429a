import NovaContent
import NovaCore
import NovaEvents
import NovaFeed
import NovaSocial

// The rows for posts that not everyone may see, and for what happens to them.

extension LeakSurface {
  static let ofPosts = posts + lists + activity + writes + events

  /// One post at a time.
  private static let posts: [LeakSurface] = [
    LeakSurface(ContentRPC.getPost, answer: .absent("found:false"), shownBy: ["found", "post"]) {
      .init(postId: $0.post.id)
    },
    LeakSurface(ContentRPC.checkPostExists, answer: .absent("exists:false"), shownBy: ["exists"], verb: "confirms") {
      .init(postId: $0.post.id)
    },
  ]

  /// Lists and batches, with one request for all posts.
  private static let lists: [LeakSurface] = [
    LeakSurface(ContentRPC.getPostsByIds, scope: .together, answer: .leftOut) { context in
      [LeakQuestion(GetPostsByIdsRequest(postIds: context.postIDs), signs: context.ids)]
    },
    LeakSurface(ContentRPC.getPostsByAuthor, scope: .together, answer: .withheld) { context in
      [("", PrivateThing.posts), ("draft", [.draft]), ("archived", [.archivedPost])].compactMap { status, listed in
        let signs = context.ids.filter { listed.contains($0.key) }
        return signs.isEmpty
          ? nil
          : LeakQuestion(
            GetPostsByAuthorRequest(authorId: context.owner, status: status, limit: 100),
            detail: status.isEmpty ? "" : ", status \(status)", signs: signs, total: "total_count")
      }
    },
    // The reader has bookmarked and liked the posts while they were public.
    LeakSurface(ContentRPC.getUserBookmarks, scope: .together, answer: .leftOut, needsUser: true) { context in
      guard context.reader != .follower else { return [] }
      return [
        LeakQuestion(
          GetUserBookmarksRequest(userId: context.readerID, limit: 100), detail: " that the reader had bookmarked",
          signs: context.ids, total: "total")
      ]
    },
    LeakSurface(SocialRPC.getUserLikedPosts, scope: .together, answer: .withheld, needsUser: true) { context in
      let users = context.reader == .follower ? [context.owner] : [context.owner, context.readerID]
      return users.map { user in
        LeakQuestion(
          GetUserLikedPostsRequest(userId: user, limit: 100),
          detail: user == context.owner ? " that the author likes" : " that the reader likes", signs: context.ids,
          total: "total")
      }
    },
    LeakSurface(SocialRPC.batchCheckUserLiked, scope: .together, answer: .leftOut, verb: "shows alice's like of") {
      .init(userId: $0.owner, postIds: $0.postIDs)
    } shownBy: { context, thing in
      [.entry("results", key: context.id(thing))]
    },
    LeakSurface(SocialRPC.batchGetPostStats, scope: .together, answer: .leftOut, verb: "shows the counts of") {
      .init(postIds: $0.postIDs)
    } shownBy: { context, thing in
      [.entry("stats", key: context.id(thing))]
    },
    LeakSurface(FeedRPC.getFeed, scope: .together, answer: .withheld) { context in
      let feeds = ["ch", "v2", "hybrid"].map { (context.readerID, $0, ", in the reader's feed, algorithm \($0)") }
      return (feeds + [(context.owner, "ch", ", in the author's feed")]).map { user, algorithm, detail in
        LeakQuestion(
          GetFeedRequest(userId: user, limit: 100, algorithm: algorithm), detail: detail, signs: context.ids)
      }
    },
  ]

  /// What users do with a post.
  private static let activity: [LeakSurface] = [
    LeakSurface(
      SocialRPC.getPostLikes, answer: .notFound, shownBy: ["likes", "user_ids", "total_count"],
      verb: "shows the likes of"
    ) { .init(postId: $0.post.id) },
    LeakSurface(SocialRPC.getLikeCount, answer: .notFound, shownBy: ["count"], verb: "counts the likes of") {
      .init(postId: $0.post.id)
    },
    LeakSurface(SocialRPC.checkUserLiked, answer: .notFound, shownBy: ["liked"], verb: "shows alice's like of") {
      .init(userId: $0.owner, postId: $0.post.id)
    },
    LeakSurface(SocialRPC.getComment, answer: .notFound) { context in
      guard !context.post.comment.isEmpty else { return [] }
      return [
        LeakQuestion(
          GetCommentRequest(commentId: context.post.comment), signs: [context.thing: [.field("comment")]],
          verb: "shows a comment on")
      ]
    },
    LeakSurface(
      SocialRPC.getComments, answer: .notFound, shownBy: ["comments", "total_count"], verb: "shows the comments on"
    ) { .init(postId: $0.post.id) },
    LeakSurface(SocialRPC.getCommentCount, answer: .notFound, shownBy: ["count"], verb: "counts the comments on") {
      .init(postId: $0.post.id)
    },
    LeakSurface(SocialRPC.getShareCount, answer: .notFound, shownBy: ["count"], verb: "counts the shares of") {
      .init(postId: $0.post.id)
    },
    LeakSurface(SocialRPC.checkUserShared, answer: .notFound, shownBy: ["shared"], verb: "shows alice's share of") {
      .init(userId: $0.owner, postId: $0.post.id)
    },
  ]

  /// Writes to a post that the user may not see.
  private static let writes: [LeakSurface] = [
    // Before the next row, which likes the post again if the gateway accepts it.
    LeakSurface(
      SocialRPC.deleteLike, answer: .notFound, needsUser: true, shownBy: ["like_count"], verb: "counts the likes of"
    ) { .init(userId: $0.readerID, postId: $0.post.id) },
    LeakSurface(
      SocialRPC.createLike, answer: .notFound, needsUser: true, shownBy: ["success", "like_count"],
      verb: "accepts a like of"
    ) { .init(userId: $0.readerID, postId: $0.post.id) },
    LeakSurface(
      SocialRPC.createComment, answer: .notFound, needsUser: true, shownBy: ["success", "comment"],
      verb: "accepts a comment on"
    ) { .init(postId: $0.post.id, userId: $0.readerID, content: "A check of the contract.") },
    LeakSurface(
      SocialRPC.createShare, answer: .notFound, needsUser: true, shownBy: ["success", "share_count"],
      verb: "accepts a share of"
    ) { .init(userId: $0.readerID, postId: $0.post.id, shareType: "repost") },
    LeakSurface(
      ContentRPC.createBookmark, answer: .notFound, needsUser: true, shownBy: ["success"], verb: "accepts a bookmark of"
    ) { .init(userId: $0.readerID, postId: $0.post.id) },
    // Even without a change, the answer would contain the whole post.
    LeakSurface(ContentRPC.updatePost, answer: .refused, needsUser: true, shownBy: ["post"]) {
      .init(postId: $0.post.id)
    },
  ]

  /// What happens to a post and to its author.
  private static let events: [LeakSurface] = [
    LeakSurface(EventRPC.listEvents, answer: .denied, shownBy: ["events"], verb: "shows the events of") {
      .init(topics: ["post:\($0.post.id)"], after: $0.world.position)
    },
    // The reader's own topic has an event that ends the wait for one.
    LeakSurface(
      EventRPC.streamEvents, scope: .first, answer: .denied, needsUser: true, verb: "shows the events of"
    ) {
      .init(topics: ["post:\($0.post.id)", "user:\($0.readerID)"], after: $0.world.position)
    } shownBy: { context, thing in
      [.event(post: context.id(thing))]
    },
    // No reader is refused here: the topics also have events that the reader may see.
    LeakSurface(EventRPC.listEvents, scope: .together, answer: .withheld) { context in
      ["user:\(context.owner)", "feed:\(context.readerID)"].map { topic in
        LeakQuestion(
          ListEventsRequest(topics: [topic], after: context.world.position),
          detail: topic.hasPrefix("user:") ? ", among the author's events" : ", in the reader's feed",
          signs: context.signs { [.event(post: context.id($0))] }, verb: "shows the events of")
      }
    },
    LeakSurface(EventRPC.listEvents, [.events], answer: .denied) { context in
      ["user", "feed"].map { topic in
        LeakQuestion(
          ListEventsRequest(topics: ["\(topic):\(context.owner)"], after: context.world.position),
          detail: ", topic \(topic)", signs: [.events: [.field("events")]])
      }
    },
    LeakSurface(EventRPC.streamEvents, [.events], answer: .denied, needsUser: true, shownBy: \.owner) {
      .init(topics: ["user:\($0.owner)", "user:\($0.readerID)"], after: $0.world.position)
    },
  ]
}
