import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension Edge {
  static let deepThreads = Edge(
    name: "deep-threads",
    summary: "A hundred comments, each of which answers the one before.",
    answers: { cast in
      [
        EdgeAnswer(
          SocialRPC.getComments, GetCommentsRequest(postId: cast.post.id, limit: 100, order: "asc"),
          GetCommentsResponse(comments: (1...100).map { reply($0, cast.comment) }, totalCount: 100))
      ]
    })

  private static func reply(_ number: Int, _ comment: Comment) -> Comment {
    EdgeCast.with(comment) {
      let id = $0.id
      $0.id = "\(id)-\(number)"
      $0.content = "Reply \(number)"
      $0.parentCommentId = number == 1 ? "" : "\(id)-\(number - 1)"
      $0.createdAt += Int64(number)
      $0.updatedAt = $0.createdAt
    }
  }

  /// How many follow the celebrity.
  private static let crowd = 1_000_000

  static let celebrity = Edge(
    name: "celebrity",
    summary: "A million followers: the profile, and the first, a middle and the last page of the list.",
    answers: { cast in
      let profile = EdgeCast.with(cast.user) {
        $0.followerCount = crowd
        $0.isVerified = true
      }
      return [.profile(profile)] + [0, 499_000, 999_000].map { crowdPage($0, profile.id) }
    })

  private static func crowdPage(_ offset: Int, _ user: String) -> EdgeAnswer {
    let limit = 1_000
    return EdgeAnswer(
      GraphRPC.getFollowers, GetFollowersRequest(userId: user, limit: limit, offset: offset),
      GetFollowersResponse(
        userIds: (offset..<offset + limit).map { "user-\(crowd + 1 - $0)" }, totalCount: crowd,
        hasMore: offset + limit < crowd))
  }

  static let userWithNothing = Edge(
    name: "user-with-nothing",
    summary: "Somebody who has just come: every list is empty and every count is 0.",
    answers: { cast in
      let nobody = cast.user.id
      return [
        .profile(UserProfile(id: nobody, username: "nobody", createdAt: 1_735_689_600, updatedAt: 1_735_689_600)),
        EdgeAnswer(GraphRPC.getFollowers, GetFollowersRequest(userId: nobody), GetFollowersResponse()),
        EdgeAnswer(GraphRPC.getFollowing, GetFollowingRequest(userId: nobody), GetFollowingResponse()),
        EdgeAnswer(
          SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: nobody), GetUserLikedPostsResponse()),
        EdgeAnswer(
          ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: nobody), GetPostsByAuthorResponse()),
        EdgeAnswer(
          ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: nobody), GetUserBookmarksResponse()),
        EdgeAnswer(MediaRPC.getUserVideos, GetUserVideosRequest(userId: nobody), GetUserVideosResponse()),
        EdgeAnswer(FeedRPC.getFeed, GetFeedRequest(userId: nobody), GetFeedResponse()),
        EdgeAnswer(
          FeedRPC.getRecommendedCreators, GetRecommendedCreatorsRequest(userId: nobody),
          GetRecommendedCreatorsResponse()),
        EdgeAnswer(CaptureRPC.listSomethings, ListSomethingsRequest(skip: 1_000, limit: 100), ListSomethingsResponse()),
      ]
    })
}
