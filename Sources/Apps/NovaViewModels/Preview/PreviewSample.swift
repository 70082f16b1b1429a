import NovaContent
import NovaSocial
import NovaUsers

/// The content of previews.
struct PreviewSample: Sendable {
  let profile = UserProfile(
    id: "mock-user-id", username: "bruce_li", displayName: "Bruce Li", bio: "Walks, coffee, code.", location: "Lisbon",
    isVerified: true, followerCount: 3021, followingCount: 1500, postCount: 245, createdAt: 1_704_067_200,
    updatedAt: 1_704_067_200)
  let followerIds = ["user-1492", "user-0952", "user-2032"]
  let followingIds = ["user-0007", "user-0042"]
  /// The posts of all tabs.
  let posts: [Post]

  init() {
    let texts: [(author: String, text: String)] = [
      ("mock-user-id", "Morning walk along the river."), ("mock-user-id", "The new café is worth the detour."),
      ("mock-user-id", "Anyone up for a run tomorrow?"), ("user-0042", "Five books for a rainy week."),
      ("user-0007", "Sunset from the old bridge."),
    ]
    posts = texts.enumerated().map { number, post in
      let time = 1_725_315_591 - Int64(number) * 86_400
      return Post(
        id: "preview-post-\(number + 1)", creatorId: post.author, content: post.text, createdAt: time, updatedAt: time,
        privacy: "public", status: "published")
    }
  }

  func posts(of tab: ContentTab) -> [Post] {
    switch tab {
    case .posts: Array(posts.prefix(3))
    case .saved: [posts[3]]
    case .liked: [posts[4], posts[1]]
    }
  }

  var stats: [String: PostStats] {
    Dictionary(
      posts.enumerated().map { ($1.id, PostStats(likeCount: Int64(12 + 30 * $0), commentCount: 3, shareCount: 1)) }
    ) { first, _ in first }
  }
}
