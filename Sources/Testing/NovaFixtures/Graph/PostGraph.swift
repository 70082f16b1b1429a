/// The authors, likes, and shares of the posts in a world, computed without storage. Users and posts are numbers.
struct PostGraph: Sendable {
  /// Rank → user, by activity.
  private let activity: Permutation
  /// Rank → post, by popularity.
  private let popularity: Permutation
  private let authors: RankDistribution
  let likes: EdgeLayer
  let shares: EdgeLayer

  init(_ entropy: Entropy, size: World.Size) {
    let posts = size.users * size.postsPerUser
    let activity = entropy.permutation(.activityOrder, count: size.users)
    let popularity = entropy.permutation(.postPopularity, count: posts)
    (self.activity, self.popularity) = (activity, popularity)
    authors = RankDistribution(owners: size.users, items: posts, .mild)
    func edges(_ count: Int, meeting: Field) -> EdgeLayer {
      EdgeLayer(
        sources: RankDistribution(owners: size.users, items: count, .mild), sourceOrder: activity,
        targets: RankDistribution(owners: posts, items: count, .strong), targetOrder: popularity,
        meeting: entropy.permutation(meeting, count: count))
    }
    likes = edges(posts * size.likesPerPost, meeting: .likeMeeting)
    shares = edges(posts * size.likesPerPost / 10, meeting: .shareMeeting)
  }

  var postCount: Int { authors.items }

  func author(of post: Int) -> Int { activity(authors.owner(of: post)) }

  /// Returns a user's posts, oldest first.
  func posts(by user: Int) -> Range<Int> { authors.items(of: activity.inverse(user)) }

  /// Returns a post; popular ones are more frequent.
  func popularPost(_ draw: Draw) -> Int { popularity(draw.lowBelow(postCount)) }
}

extension Field {
  fileprivate static let postPopularity = Field("order.post_popularity")
  fileprivate static let likeMeeting = Field("like.meeting")
  fileprivate static let shareMeeting = Field("share.meeting")
}
