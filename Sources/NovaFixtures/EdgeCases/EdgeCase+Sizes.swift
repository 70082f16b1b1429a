import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension EdgeCase {
  static let deepThreads = EdgeCase(
    name: "deep-threads",
    summary: "A hundred comments, each a reply to the previous one.",
    answers: { cast in
      [
        EdgeCaseAnswer(
          SocialRPC.getComments, GetCommentsRequest(postId: cast.post.id, limit: 100, order: "asc"),
          response: GetCommentsResponse(comments: (1...100).map { reply($0, cast.comment) }, totalCount: 100))
      ]
    })

  private static func reply(_ number: Int, _ comment: Comment) -> Comment {
    EdgeCaseSubjects.with(comment) {
      let id = $0.id
      $0.id = "\(id)-\(number)"
      $0.content = "Reply \(number)"
      $0.parentCommentId = number == 1 ? "" : "\(id)-\(number - 1)"
      $0.createdAt += Int64(number)
      $0.updatedAt = $0.createdAt
    }
  }

  /// The number of the celebrity's followers.
  private static let crowd = 1_000_000

  static let celebrity = EdgeCase(
    name: "celebrity",
    summary: "A million followers: the profile, and the first, a middle, and the last page of the list.",
    answers: { cast in
      let profile = EdgeCaseSubjects.with(cast.user) {
        $0.followerCount = crowd
        $0.isVerified = true
      }
      return [.profile(profile)] + [0, 499_000, 999_000].map { crowdPage($0, profile.id) }
    })

  private static func crowdPage(_ offset: Int, _ user: String) -> EdgeCaseAnswer {
    let limit = 1_000
    return EdgeCaseAnswer(
      GraphRPC.getFollowers, GetFollowersRequest(userId: user, limit: limit, offset: offset),
      response: GetFollowersResponse(
        userIds: (offset..<offset + limit).map { "user-\(crowd + 1 - $0)" }, totalCount: crowd,
        hasMore: offset + limit < crowd))
  }

  static let userWithNothing = EdgeCase(
    name: "user-with-nothing",
    summary: "A new user: every list is empty and every count is 0.",
    answers: { cast in
      let nobody = cast.user.id
      return [
        .profile(UserProfile(id: nobody, username: "nobody", createdAt: 1_735_689_600, updatedAt: 1_735_689_600)),
        EdgeCaseAnswer(GraphRPC.getFollowers, GetFollowersRequest(userId: nobody), response: GetFollowersResponse()),
        EdgeCaseAnswer(GraphRPC.getFollowing, GetFollowingRequest(userId: nobody), response: GetFollowingResponse()),
        EdgeCaseAnswer(
          SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: nobody), response: GetUserLikedPostsResponse()),
        EdgeCaseAnswer(
          ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: nobody), response: GetPostsByAuthorResponse()),
        EdgeCaseAnswer(
          ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: nobody), response: GetUserBookmarksResponse()),
        EdgeCaseAnswer(MediaRPC.getUserVideos, GetUserVideosRequest(userId: nobody), response: GetUserVideosResponse()),
        EdgeCaseAnswer(FeedRPC.getFeed, GetFeedRequest(userId: nobody), response: GetFeedResponse()),
        EdgeCaseAnswer(
          FeedRPC.getRecommendedCreators, GetRecommendedCreatorsRequest(userId: nobody),
          response: GetRecommendedCreatorsResponse()),
        EdgeCaseAnswer(
          CaptureRPC.listSomethings, ListSomethingsRequest(skip: 1_000, limit: 100), response: ListSomethingsResponse()),
      ]
    })
}
