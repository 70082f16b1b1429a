import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension EdgeCase {
  static let sizes = [deepThreads, celebrity, userWithNothing]

  private static let deepThreads = EdgeCase(
    "deep-threads", summary: "A hundred comments, each a reply to the previous one."
  ) { cast in
    [
      EdgeCaseAnswer(
        SocialRPC.getComments, .init(postId: cast.post.id, limit: 100, order: "asc"),
        response: .init(comments: (1...100).map { reply($0, cast.comment) }, totalCount: 100))
    ]
  }

  private static func reply(_ number: Int, _ comment: Comment) -> Comment {
    var reply = comment
    reply.id += "-\(number)"
    reply.content = "Reply \(number)"
    reply.parentCommentId = number == 1 ? "" : "\(comment.id)-\(number - 1)"
    reply.createdAt += Int64(number)
    reply.updatedAt = reply.createdAt
    return reply
  }

  /// The number of the celebrity's followers.
  private static let crowd = 1_000_000

  private static let celebrity = EdgeCase(
    "celebrity", summary: "A million followers: the profile, and the first, a middle, and the last page of the list."
  ) { cast in
    [.profile(cast.user) { ($0.followerCount, $0.isVerified) = (crowd, true) }]
      + [0, 499_000, 999_000].map { offset in
        let end = offset + 1_000
        return EdgeCaseAnswer(
          GraphRPC.getFollowers, .init(userId: cast.user.id, limit: 1_000, offset: offset),
          response: .init(
            userIds: (offset..<end).map { "user-\(crowd + 1 - $0)" }, totalCount: crowd, hasMore: end < crowd))
      }
  }

  private static let userWithNothing = EdgeCase(
    "user-with-nothing", summary: "A new user: every list is empty and every count is 0."
  ) { cast in
    let nobody = cast.user.id
    return [
      .profile(UserProfile(id: nobody, username: "nobody", createdAt: 1_735_689_600, updatedAt: 1_735_689_600)),
      EdgeCaseAnswer(GraphRPC.getFollowers, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(GraphRPC.getFollowing, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(SocialRPC.getUserLikedPosts, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(ContentRPC.getPostsByAuthor, .init(authorId: nobody), response: .init()),
      EdgeCaseAnswer(ContentRPC.getUserBookmarks, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(MediaRPC.getUserVideos, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(FeedRPC.getFeed, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(FeedRPC.getRecommendedCreators, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(CaptureRPC.listSomethings, .init(skip: 1_000, limit: 100), response: .init()),
    ]
  }
}
