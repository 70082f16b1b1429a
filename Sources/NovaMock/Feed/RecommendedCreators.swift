import NovaFeed
import NovaUsers

extension MockState {
  /// Returns friends of friends that `user` does not follow: those with the most ties first, then those with the most
  /// followers. The score is the share of users followed by `user` that follow them.
  func recommendedCreators(for user: String, limit: Int) -> [RecommendedCreator] {
    let following = graph.following(of: user)
    let suggestions = ties(from: following).compactMap { number, ties -> Suggestion? in
      let id = graph.id(number)
      guard id != user, !graph.isHidden(id, from: user) else { return nil }
      return Suggestion(id: id, ties: ties, followers: graph.followers(of: id).count)
    }
    return suggestions.sorted { $0.isBefore($1) }.prefix(limit).map { suggestion in
      let profile = profile(suggestion.id)
      return RecommendedCreator(
        id: suggestion.id, name: profile?.displayName ?? profile?.username ?? suggestion.id,
        avatar: profile?.avatarUrl ?? "", relevanceScore: Double(suggestion.ties) / Double(following.count),
        followerCount: suggestion.followers,
        reason: "followed by \(suggestion.ties) \(suggestion.ties == 1 ? "person" : "people") you follow")
    }
  }

  /// Counts how many of these users follow each other user, excluding these users themselves.
  private func ties(from following: StampedList) -> [Int32: Int] {
    var ties: [Int32: Int] = [:]
    following.newestFirst { followee in
      graph.following(of: followee.value).newestFirst { candidate in
        ties[candidate.value, default: 0] += 1
        return true
      }
      return true
    }
    following.newestFirst { followee in
      ties[followee.value] = nil
      return true
    }
    return ties
  }
}

private struct Suggestion {
  let id: String
  let ties: Int
  let followers: Int

  func isBefore(_ other: Suggestion) -> Bool {
    if ties != other.ties { return ties > other.ties }
    return followers == other.followers ? id < other.id : followers > other.followers
  }
}
