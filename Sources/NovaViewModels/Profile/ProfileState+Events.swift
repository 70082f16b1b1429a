import NovaContent
import NovaEvents

extension ProfileState {
  /// What events are about that concern what is shown: the user, and the posts that fit beside.
  func liveTopics(upTo maximum: Int) -> Set<EventTopic> {
    guard let userId else { return [] }
    var topics: Set<EventTopic> = [.user(userId)]
    for tab in ContentTab.allCases {
      for post in pages(of: tab)?.posts ?? [] where topics.count < maximum { topics.insert(.post(post.id)) }
    }
    return topics
  }

  /// Applies an event.
  ///
  /// - Returns: the parts that must be loaded to show what has changed.
  func apply(_ event: Event) -> Set<ProfilePart> {
    switch event.type {
    case "follow.created": applyFollow(event, isSo: true)
    case "follow.deleted": applyFollow(event, isSo: false)
    case "like.created": applyLike(event, isSo: true)
    case "like.deleted": applyLike(event, isSo: false)
    case "profile.updated" where event.subjectId == userId: return [.profile]
    case "post.created", "post.updated":
      setCounts(of: event)
      return event.actorId == userId || event.subjectId == userId ? [.posts] : []
    case "post.deleted":
      setCounts(of: event)
      if let id = event.postId { removePost(id) }
    default: setCounts(of: event)
    }
    return []
  }

  private func applyFollow(_ event: Event, isSo: Bool) {
    setFollow(of: event.subjectId, by: event.actorId, isSo)
    setCounts(of: event)
  }

  private func applyLike(_ event: Event, isSo: Bool) {
    guard let id = event.postId else { return }
    setLike(of: id, by: event.actorId, isSo, count: event.counts["like_count"].map(Int.init(clamping:)))
  }

  /// Sets the counts that an event has for the shown user.
  private func setCounts(of event: Event) {
    let count = { (name: String) in event.counts[name].map { Int(clamping: $0) } }
    setCounts(
      followers: event.subjectId == userId ? count("follower_count") : nil,
      following: event.actorId == userId ? count("following_count") : nil,
      posts: event.actorId == userId ? count("post_count") : nil)
  }
}
