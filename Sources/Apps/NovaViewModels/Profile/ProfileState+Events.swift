import NovaContent
import NovaCore
import NovaEvents

extension ProfileState {
  /// The topics of the shown content: the user, and as many posts as fit.
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
  /// - Returns: the parts that must be loaded to show the change.
  func apply(_ event: Event) -> Set<ProfilePart> {
    switch event.kind {
    case .followCreated: applyFollow(event, isSo: true)
    case .followDeleted: applyFollow(event, isSo: false)
    case .likeCreated: applyLike(event, isSo: true)
    case .likeDeleted: applyLike(event, isSo: false)
    case .profileUpdated where userId.hasSameBytes(as: event.subjectId): return [.profile]
    case .postCreated, .postUpdated:
      setCounts(of: event)
      return userId.hasSameBytes(as: event.actorId) || userId.hasSameBytes(as: event.subjectId) ? [.posts] : []
    case .postDeleted:
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
    setLike(of: id, by: event.actorId, isSo, count: event.likeCount.map(Int.init(clamping:)))
  }

  /// Sets the event's counts for the shown user.
  private func setCounts(of event: Event) {
    let (isSubject, isActor) = (userId.hasSameBytes(as: event.subjectId), userId.hasSameBytes(as: event.actorId))
    setCounts(
      followers: isSubject ? event.followerCount.map(Int.init(clamping:)) : nil,
      following: isActor ? event.followingCount.map(Int.init(clamping:)) : nil,
      posts: isActor ? event.postCount.map(Int.init(clamping:)) : nil)
  }
}
