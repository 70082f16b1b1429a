import NovaContent
import NovaCore
import NovaEvents
import NovaFeed
import NovaSocial

// The rows for posts that not everyone may see, and for what happens to them.

extension LeakSurface {
  private static let hiddenPosts = PrivateThing.posts

  /// One post at a time.
  static let posts: [LeakSurface] = [
    LeakSurface(ContentRPC.getPost, hiddenPosts, answer: .absent("found:false")) {
      [LeakQuestion(GetPostRequest(postId: $0.post.id), about: $0.thing, .field("found"), .field("post"))]
    },
    LeakSurface(ContentRPC.checkPostExists, hiddenPosts, answer: .absent("exists:false")) {
      [LeakQuestion(CheckPostExistsRequest(postId: $0.post.id), about: $0.thing, .field("exists"), verb: "confirms")]
    },
  ]

  /// Lists and batches, with one request for all posts.
  static let postLists: [LeakSurface] = [
    LeakSurface(ContentRPC.getPostsByIds, hiddenPosts, scope: .together, answer: .leftOut) { context in
      [LeakQuestion(GetPostsByIdsRequest(postIds: context.postIDs), signs: context.signs { .value(context.id($0)) })]
    },
    LeakSurface(ContentRPC.getPostsByAuthor, hiddenPosts, scope: .together, answer: .withheld) { context in
      [("", PrivateThing.posts), ("draft", [.draft]), ("archived", [.archivedPost])].compactMap { status, listed in
        let signs = context.signs(of: listed) { .value(context.id($0)) }
        return signs.isEmpty
          ? nil
          : LeakQuestion(
            GetPostsByAuthorRequest(authorId: context.owner, status: status, limit: 100),
            detail: status.isEmpty ? "" : ", status \(status)", signs: signs, total: "total_count")
      }
    },
    // The reader has bookmarked and liked the posts while they were public.
    LeakSurface(ContentRPC.getUserBookmarks, hiddenPosts, scope: .together, answer: .leftOut, needsUser: true) {
      context in
      guard context.reader != .follower else { return [] }
      return [
        LeakQuestion(
          GetUserBookmarksRequest(userId: context.readerID, limit: 100), detail: " that the reader had bookmarked",
          signs: context.signs { .value(context.id($0)) }, total: "total")
      ]
    },
    LeakSurface(SocialRPC.getUserLikedPosts, hiddenPosts, scope: .together, answer: .withheld, needsUser: true) {
      context in
      let users = context.reader == .follower ? [context.owner] : [context.owner, context.readerID]
      return users.map { user in
        LeakQuestion(
          GetUserLikedPostsRequest(userId: user, limit: 100),
          detail: user == context.owner ? " that the author likes" : " that the reader likes",
          signs: context.signs { .value(context.id($0)) }, total: "total")
      }
    },
    LeakSurface(SocialRPC.batchCheckUserLiked, hiddenPosts, scope: .together, answer: .leftOut) { context in
      [
        LeakQuestion(
          BatchCheckUserLikedRequest(userId: context.owner, postIds: context.postIDs),
          signs: context.signs { .entry("results", key: context.id($0)) }, verb: "shows alice's like of")
      ]
    },
    LeakSurface(SocialRPC.batchGetPostStats, hiddenPosts, scope: .together, answer: .leftOut) { context in
      [
        LeakQuestion(
          BatchGetPostStatsRequest(postIds: context.postIDs),
          signs: context.signs { .entry("stats", key: context.id($0)) }, verb: "shows the counts of")
      ]
    },
    LeakSurface(FeedRPC.getFeed, hiddenPosts, scope: .together, answer: .withheld) { context in
      let feeds = ["ch", "v2", "hybrid"].map { (context.readerID, $0, ", in the reader's feed, algorithm \($0)") }
      return (feeds + [(context.owner, "ch", ", in the author's feed")]).map { user, algorithm, detail in
        LeakQuestion(
          GetFeedRequest(userId: user, limit: 100, algorithm: algorithm), detail: detail,
          signs: context.signs { .value(context.id($0)) })
      }
    },
  ]

  /// What users do with a post.
  static let activity: [LeakSurface] = [
    LeakSurface(SocialRPC.getPostLikes, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          GetPostLikesRequest(postId: $0.post.id), about: $0.thing, .field("likes"), .field("user_ids"),
          .field("total_count"),
          verb: "shows the likes of")
      ]
    },
    LeakSurface(SocialRPC.getLikeCount, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          GetLikeCountRequest(postId: $0.post.id), about: $0.thing, .field("count"), verb: "counts the likes of")
      ]
    },
    LeakSurface(SocialRPC.checkUserLiked, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          CheckUserLikedRequest(userId: $0.owner, postId: $0.post.id), about: $0.thing, .field("liked"),
          verb: "shows alice's like of")
      ]
    },
    LeakSurface(SocialRPC.getComment, hiddenPosts, answer: .notFound) {
      guard !$0.post.comment.isEmpty else { return [] }
      return [
        LeakQuestion(
          GetCommentRequest(commentId: $0.post.comment), about: $0.thing, .field("comment"), verb: "shows a comment on")
      ]
    },
    LeakSurface(SocialRPC.getComments, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          GetCommentsRequest(postId: $0.post.id), about: $0.thing, .field("comments"), .field("total_count"),
          verb: "shows the comments on")
      ]
    },
    LeakSurface(SocialRPC.getCommentCount, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          GetCommentCountRequest(postId: $0.post.id), about: $0.thing, .field("count"), verb: "counts the comments on")
      ]
    },
    LeakSurface(SocialRPC.getShareCount, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          GetShareCountRequest(postId: $0.post.id), about: $0.thing, .field("count"), verb: "counts the shares of")
      ]
    },
    LeakSurface(SocialRPC.checkUserShared, hiddenPosts, answer: .notFound) {
      [
        LeakQuestion(
          CheckUserSharedRequest(userId: $0.owner, postId: $0.post.id), about: $0.thing, .field("shared"),
          verb: "shows alice's share of")
      ]
    },
  ]

  /// Writes to a post that the user may not see.
  static let writes: [LeakSurface] = [
    // Before the next row, which likes the post again if the gateway accepts it.
    LeakSurface(SocialRPC.deleteLike, hiddenPosts, answer: .notFound, needsUser: true) {
      [
        LeakQuestion(
          DeleteLikeRequest(userId: $0.readerID, postId: $0.post.id), about: $0.thing, .field("like_count"),
          verb: "counts the likes of")
      ]
    },
    LeakSurface(SocialRPC.createLike, hiddenPosts, answer: .notFound, needsUser: true) {
      [
        LeakQuestion(
          CreateLikeRequest(userId: $0.readerID, postId: $0.post.id), about: $0.thing, .field("success"),
          .field("like_count"),
          verb: "accepts a like of")
      ]
    },
    LeakSurface(SocialRPC.createComment, hiddenPosts, answer: .notFound, needsUser: true) {
      [
        LeakQuestion(
          CreateCommentRequest(postId: $0.post.id, userId: $0.readerID, content: "A check of the contract."),
          about: $0.thing,
          .field("success"), .field("comment"), verb: "accepts a comment on")
      ]
    },
    LeakSurface(SocialRPC.createShare, hiddenPosts, answer: .notFound, needsUser: true) {
      [
        LeakQuestion(
          CreateShareRequest(userId: $0.readerID, postId: $0.post.id, shareType: "repost"), about: $0.thing,
          .field("success"), .field("share_count"), verb: "accepts a share of")
      ]
    },
    LeakSurface(ContentRPC.createBookmark, hiddenPosts, answer: .notFound, needsUser: true) {
      [
        LeakQuestion(
          CreateBookmarkRequest(userId: $0.readerID, postId: $0.post.id), about: $0.thing, .field("success"),
          verb: "accepts a bookmark of")
      ]
    },
    // Even without a change, the answer would contain the whole post.
    LeakSurface(ContentRPC.updatePost, hiddenPosts, answer: .refused, needsUser: true) {
      [LeakQuestion(UpdatePostRequest(postId: $0.post.id), about: $0.thing, .field("post"))]
    },
  ]

  /// What happens to a post and to its author.
  static let events: [LeakSurface] = [
    LeakSurface(EventRPC.listEvents, hiddenPosts, answer: .denied) {
      [
        LeakQuestion(
          ListEventsRequest(topics: ["post:\($0.post.id)"], after: $0.world.position), about: $0.thing,
          .field("events"),
          verb: "shows the events of")
      ]
    },
    LeakSurface(EventRPC.streamEvents, hiddenPosts, scope: .first, answer: .denied, needsUser: true) { context in
      // The reader's own topic has an event that ends the wait for one.
      [
        LeakQuestion(
          StreamEventsRequest(
            topics: ["post:\(context.post.id)", "user:\(context.readerID)"], after: context.world.position),
          about: context.thing, .event(post: context.post.id), verb: "shows the events of")
      ]
    },
    // No reader is refused here: the topics also have events that the reader may see.
    LeakSurface(EventRPC.listEvents, hiddenPosts, scope: .together, answer: .withheld) { context in
      ["user:\(context.owner)", "feed:\(context.readerID)"].map { topic in
        LeakQuestion(
          ListEventsRequest(topics: [topic], after: context.world.position),
          detail: topic.hasPrefix("user:") ? ", among the author's events" : ", in the reader's feed",
          signs: context.signs { .event(post: context.id($0)) }, verb: "shows the events of")
      }
    },
    LeakSurface(EventRPC.listEvents, [.events], answer: .denied) { context in
      ["user", "feed"].map { topic in
        LeakQuestion(
          ListEventsRequest(topics: ["\(topic):\(context.owner)"], after: context.world.position),
          detail: ", topic \(topic)", signs: [.events: [.field("events")]])
      }
    },
    LeakSurface(EventRPC.streamEvents, [.events], answer: .denied, needsUser: true) { context in
      [
        LeakQuestion(
          StreamEventsRequest(
            topics: ["user:\(context.owner)", "user:\(context.readerID)"], after: context.world.position),
          about: .events, .value(context.owner))
      ]
    },
  ]
}
