import NovaCore
import NovaFeed

/// Ranks the posts in a request, using the request's context and the user's graph.
///
/// The score is the sum of the engagement (see ``Engagement``), 6 for a post of this moment (half as much after a day),
/// 3 for each of the user's interests in the text, and 2 for an author the user follows. It reads no stored post.
struct PostRanking {
  private let user: String
  private let state: MockState
  private let time: Double
  private let interests: [String]
  private let followed: Set<String>
  private let blocked: Set<String>

  init(_ request: RankPostsRequest, _ state: MockState) {
    let context = request.context ?? RankingContext()
    user = request.userId
    self.state = state
    time = Double(context.timestamp == 0 ? state.now : context.timestamp)
    interests = context.userInterests.filter { !$0.isEmpty }
    followed = Set(of: context.followedUsers.map(\.byteKey))
    blocked = Set(of: context.blockedUsers.map(\.byteKey))
  }

  /// Returns the visible posts, best first; equal scores keep the given order.
  func ranked(_ posts: [RankablePost]) -> [RankedPost] {
    let ranks = posts.filter {
      !blocked.contains($0.authorId.byteKey) && !state.graph.isHidden($0.authorId, from: user)
    }.map(
      rank)
    return ranks.enumerated()
      .sorted { $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score }
      .map(\.element)
  }

  private func rank(_ post: RankablePost) -> RankedPost {
    let engagement = Engagement.level(
      PostCounts(likes: post.likeCount, comments: post.commentCount, shares: post.shareCount))
    let age = max(0, time - Double(post.createdAt))
    let recency = 6 * 86_400 / (86_400 + age)
    let text = post.content.lowercased()
    let matches = interests.filter { text.contains($0.lowercased()) }
    let isFollowed = followed.contains(post.authorId.byteKey) || state.seesFollow(of: post.authorId, by: user)

    var reasons: [String] = []
    if isFollowed { reasons.append("from someone you follow") }
    if !matches.isEmpty { reasons.append("about \(matches.joined(separator: " and "))") }
    if engagement >= 4 { reasons.append("popular") }
    if age < 86_400 { reasons.append("new") }
    return RankedPost(
      id: post.id, score: engagement + recency + 3 * Double(matches.count) + (isFollowed ? 2 : 0),
      reason: reasons.joined(separator: ", "))
  }
}
