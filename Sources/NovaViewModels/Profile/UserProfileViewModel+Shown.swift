public import NovaContent
import NovaCore
public import NovaUsers

// What views show: what the server has, and on top of it what is wanted.
extension UserProfileViewModel {
  /// The profile; nil until it is loaded. Its counts follow what the viewer does.
  public var userProfile: UserProfile? {
    guard var shown = profile else { return nil }
    shown.followerCount = max(0, shown.followerCount + followerChange)
    shown.followingCount = max(0, shown.followingCount + followingChange)
    return shown
  }

  /// Who follows the user, newest follow first, as far as it is loaded.
  public var followerIds: [String] {
    let ids = followers?.items ?? []
    guard let userId, let currentUserId, let isWanted = wishes[.follow, userId] else { return ids }
    return ids.with(currentUserId, isWanted)
  }

  /// Whom the user follows, newest follow first, as far as it is loaded.
  public var followingIds: [String] {
    let ids = following?.items ?? []
    guard isOwnProfile else { return ids }
    return wishes.underWay.filter { $0.key.kind == .follow }.sorted { $0.key.id < $1.key.id }
      .reduce(ids) { $0.with($1.key.id, $1.value.isWanted) }
  }

  /// What the user published, newest first, as far as it is loaded.
  public var posts: [Post] { pages[.posts]?.posts ?? [] }
  /// What the user bookmarked, newest bookmark first, as far as it is loaded.
  public var savedPosts: [Post] { shown(.saved, .bookmark) }
  /// What the user likes, newest like first, as far as it is loaded.
  public var likedPosts: [Post] { shown(.liked, .like) }

  /// The posts of the tab in front.
  public var currentTabPosts: [Post] { posts(of: selectedTab) }
  /// Whether the tab in front has posts.
  public var hasContent: Bool { !currentTabPosts.isEmpty }
  /// Whether the tab in front has more posts that ``loadMore()`` would load.
  public var hasMore: Bool { pages[selectedTab]?.hasMore ?? false }

  /// The posts of a tab.
  public func posts(of tab: ContentTab) -> [Post] {
    switch tab {
    case .posts: posts
    case .saved: savedPosts
    case .liked: likedPosts
    }
  }

  /// Whether the viewer follows the user whose profile this is; false where that is not known.
  public var isFollowing: Bool { userId.map { isFollowing($0) } ?? false }

  /// Whether the viewer follows a user: known for the user whose profile this is, from the viewer's own profile, and for
  /// what they do here, else false.
  public func isFollowing(_ userId: String) -> Bool { isShown(.follow, userId) }

  /// Whether the viewer likes a post; false where that is not known.
  public func isLiked(_ postId: String) -> Bool { isShown(.like, postId) }

  /// Whether the viewer bookmarked a post: known from the viewer's own profile and for what they do here, else false.
  public func isBookmarked(_ postId: String) -> Bool { isShown(.bookmark, postId) }

  /// How many likes a post has; nil where that is not known (yet: it comes after the posts).
  public func likeCount(_ postId: String) -> Int? {
    let change = wishes.underWay[Wishes.Target(kind: .like, id: postId)]?.change ?? 0
    return marks[postId]?.likeCount.map { max(0, $0 + change) }
  }

  // MARK: What is known

  /// What the server has, as far as it is known.
  func known(_ target: Wishes.Target) -> Bool? {
    let told: Bool? =
      switch target.kind {
      case .like: marks[target.id]?.isLiked ?? (isOwnProfile ? contains(.liked, target.id) : nil)
      case .bookmark: isOwnProfile ? contains(.saved, target.id) : nil
      case .follow where target.id == userId: isFollowed
      case .follow: isOwnProfile ? following?.knows(target.id) : nil
      }
    return told ?? done[target]
  }

  private func isShown(_ kind: Wishes.Target.Kind, _ id: String) -> Bool {
    wishes[kind, id] ?? known(Wishes.Target(kind: kind, id: id)) ?? false
  }

  private func contains(_ tab: ContentTab, _ id: String) -> Bool? {
    guard let pages = pages[tab] else { return nil }
    if pages.contains(id) { return true }
    return pages.hasMore ? nil : false
  }

  private var followerChange: Int {
    userId.flatMap { wishes.underWay[Wishes.Target(kind: .follow, id: $0)]?.change } ?? 0
  }

  private var followingChange: Int {
    guard isOwnProfile else { return 0 }
    return wishes.underWay.reduce(0) { $0 + ($1.key.kind == .follow ? $1.value.change : 0) }
  }

  /// A tab of the viewer's own profile changes with what the viewer does; those of others do not.
  private func shown(_ tab: ContentTab, _ kind: Wishes.Target.Kind) -> [Post] {
    guard var shown = pages[tab] else { return [] }
    guard isOwnProfile else { return shown.posts }
    for (target, wish) in wishes.underWay.sorted(by: { $0.key.id < $1.key.id }) where target.kind == kind {
      if !wish.isWanted { shown.remove(target.id) } else if let post = post(target.id) { shown.insert(post) }
    }
    return shown.posts
  }

  /// A post that is loaded, or was.
  func post(_ id: String) -> Post? {
    for tab in ContentTab.allCases where pages[tab]?.contains(id) == true {
      if let post = pages[tab]?.posts.first(where: { $0.id == id }) { return post }
    }
    return takenOut[id]
  }
}

extension Page<String> {
  /// Whether an id is in the list; nil where it may be on a later page.
  func knows(_ id: String) -> Bool? { items.contains(id) ? true : hasMore ? nil : false }
}

extension [String] {
  /// The ids with one in front, or without it.
  func with(_ id: String, _ isIn: Bool) -> [String] {
    guard isIn else { return filter { $0 != id } }
    return contains(id) ? self : [id] + self
  }
}
