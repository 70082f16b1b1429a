import NovaContent
import NovaCore
import NovaFeed

extension MockHandlers {
  mutating func addFeed() {
    on(FeedRPC.getFeed) { request, state in
      let algorithm: FeedAlgorithm = try requireOne(request.algorithm, "algorithm", default: .hybrid)
      var cursor: FeedCursor?
      if !request.cursor.isEmpty {
        cursor = FeedCursor(request.cursor, user: request.userId, algorithm)
        if cursor == nil { throw MockFailure.invalid("cursor is not one of this feed") }
      }
      let limit = feedLimit(request.limit)
      // One extra item shows whether there are more.
      let places = state.feed(of: request.userId, algorithm, after: cursor?.place, limit: limit + 1)
      let page = places.prefix(limit)
      let hasMore = places.count > page.count
      let next = hasMore ? page.last.map { FeedCursor(after: $0).text(user: request.userId, algorithm) } : nil
      return .init(posts: page.compactMap(state.feedPost), nextCursor: next ?? "", hasMore: hasMore)
    }
    on(FeedRPC.rankPosts) { request, state in
      for post in request.posts { try require(post.id, "id of a post") }
      return .init(rankedPosts: PostRanking(request, state).ranked(request.posts))
    }
    on(FeedRPC.getRecommendedCreators) { request, state in
      return .init(
        creators: state.recommendedCreators(for: request.userId, limit: feedLimit(request.limit)))
    }
    on(FeedRPC.invalidateFeedCache, actingAs: \.userId) { _, _ in
      // Feeds are computed for each request, so there is no cache.
      return .init(success: true)
    }
  }
}

/// The page size of a feed: the contract leaves default and maximum to the server.
private func feedLimit(_ limit: Int) -> Int { min(limit == 0 ? 20 : limit, 100) }

extension MockState {
  /// Returns the first positions of a user's feed: published posts by the user and those the user follows that both the
  /// user and the caller may see. O(n) in their posts.
  fileprivate func feed(
    of user: String, _ algorithm: FeedAlgorithm, after place: FeedPlace?, limit: Int
  ) -> [FeedPlace] {
    var first = FirstPlaces(limit: limit)
    let (reader, caller) = (Viewer(user: user), viewer)
    func consider(_ author: String) {
      // The user follows the other authors.
      let readers = closestCircle(of: author, to: reader, isFollower: true)
      guard let circle = commonCircle(of: author, readers, caller == reader ? .internalCall : caller) else { return }
      content.postIDs(by: author).newestFirst { entry in
        guard let post = content.visibility(entry.value), post.status == .published,
          circle >= Circle(post.privacy, post.status)
        else { return true }
        let counts = algorithm == .chronological ? PostCounts() : social.counts(ofPost: entry.value)
        let candidate = FeedPlace(
          score: algorithm.score(createdAt: post.createdAt, counts), post: entry.value)
        if place?.isBefore(candidate) ?? true { first.consider(candidate) }
        return true
      }
    }
    consider(user)
    visibleFollowing(of: user).newestFirst { followee in
      let author = graph.id(followee.value)
      if !graph.isMuted(user, author) { consider(author) }
      return true
    }
    return first.places
  }

  /// Returns the smallest circle of an author that contains a viewer and everyone in another circle.
  private func commonCircle(of author: String, _ circle: Circle?, _ viewer: Viewer) -> Circle? {
    guard let circle, let other = closestCircle(of: author, to: viewer) else { return nil }
    return min(circle, other)
  }

  fileprivate func feedPost(_ place: FeedPlace) -> FeedPost? {
    guard let post = content.post(place.post) else { return nil }
    let counts = social.counts(ofPost: place.post)
    return FeedPost(
      id: post.id, userId: post.creatorId, content: post.content, createdAt: post.createdAt,
      rankingScore: place.score, likeCount: counts.likes, commentCount: counts.comments, shareCount: counts.shares)
  }
}
