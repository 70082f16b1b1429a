import NovaCore
import NovaFeed
import NovaUsers

extension MockState {
  /// Returns friends of friends that `user` does not follow: those with the most ties first, then those with the most
  /// followers. The score is the share of users followed by `user` that follow them. Lists that the caller may not see
  /// count as empty.
  func recommendedCreators(for user: String, limit: Int) -> [RecommendedCreator] {
    let following = visibleFollowing(of: user)
    let suggestions = ties(from: following, isOwn: mayAct(as: user)).compactMap { number, ties -> Suggestion? in
      let id = graph.id(number)
      guard !id.hasSameBytes(as: user), !graph.isHidden(id, from: user) else { return nil }
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
  ///
  /// - Parameter isOwn: whether the caller is the user who follows them, or sees everything.
  private func ties(from following: StampedList, isOwn: Bool) -> [Int32: Int] {
    var ties: [Int32: Int] = [:]
    following.newestFirst { followee in
      // The user follows the followee, and so sees the list.
      guard isOwn || showsProfile(of: graph.id(followee.value), to: viewer) else { return true }
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
