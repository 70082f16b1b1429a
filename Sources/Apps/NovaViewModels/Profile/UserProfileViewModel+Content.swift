public import NovaContent
import NovaCore
public import NovaUsers

// The content that views show, which includes the viewer's pending changes, and the changes that the viewer can make.
extension UserProfileViewModel {
  /// The profile; nil until it is loaded. Its counts include the viewer's pending changes.
  public var userProfile: UserProfile? { state.profile }
  /// The IDs of the loaded followers, newest follow first.
  public var followerIds: [String] { state.followerIds }
  /// The IDs of the loaded users that the user follows, newest follow first.
  public var followingIds: [String] { state.followingIds }

  /// The loaded posts of the user, newest first.
  public var posts: [Post] { posts(of: .posts) }
  /// The loaded posts that the user bookmarked, newest bookmark first.
  public var savedPosts: [Post] { posts(of: .saved) }
  /// The loaded posts that the user likes, newest like first.
  public var likedPosts: [Post] { posts(of: .liked) }
  /// The loaded posts of a tab.
  public func posts(of tab: ContentTab) -> [Post] { state.posts(of: tab) }

  /// The posts of the selected tab.
  public var currentTabPosts: [Post] { posts(of: selectedTab) }
  /// Whether the selected tab has posts.
  public var hasContent: Bool { !currentTabPosts.isEmpty }
  /// Whether ``loadMore()`` would load more posts of the selected tab.
  public var hasMore: Bool { state.pages(of: selectedTab)?.hasMore ?? false }

  /// Whether the profile is the viewer's own.
  public var isOwnProfile: Bool { state.isOwnProfile }
  /// The profile's address for sharing: `https://nova.social/user/<id>`; nil before a user is shown.
  public var shareURL: String? { state.userId.map { "https://nova.social/user/\(PercentEncoding.encode($0))" } }

  /// Whether the viewer follows the user of this profile; false if unknown.
  public var isFollowing: Bool { state.userId.map { isFollowing($0) } ?? false }

  /// Whether the viewer follows a user. Known for the user of this profile, for users in the viewer's own profile, and
  /// for users that the viewer followed or unfollowed here; otherwise false.
  public func isFollowing(_ userId: String) -> Bool { state.isSet(.follow, userId) }

  /// Whether the viewer likes a post; false if unknown.
  public func isLiked(_ postId: String) -> Bool { state.isSet(.like, postId) }

  /// Whether the viewer bookmarked a post. Known in the viewer's own profile and for posts that the viewer bookmarked
  /// or unbookmarked here; otherwise false.
  public func isBookmarked(_ postId: String) -> Bool { state.isSet(.bookmark, postId) }

  /// The number of likes of a post; nil if unknown. It is loaded after the post.
  public func likeCount(_ postId: String) -> Int? { state.likeCount(postId) }

  /// Returns the loaded posts that contain every word of a query in title or text: first those of the selected tab,
  /// then those of the other tabs, each post once.
  ///
  /// Ignores case and diacritics, and also finds parts of words: `cafe` finds "Cafés". An empty query finds nothing.
  /// Sends nothing.
  public func searchInProfile(query: String) -> [Post] {
    let words = query.foldedForSearch.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return [] }
    var seen: Set<String> = []
    let tabs = [selectedTab] + ContentTab.allCases.filter { $0 != selectedTab }
    return tabs.flatMap { posts(of: $0) }.filter { post in
      guard seen.add(post.id.byteKey) else { return false }
      let text = "\(post.title) \(post.content)".foldedForSearch
      return words.allSatisfy { text.contains($0) }
    }
  }

  // MARK: Stored content

  /// Whether any shown part came from the store of the services' client, and not from the gateway. Always false without
  /// a store.
  public var showsStoredContent: Bool { state.origins.areStored }

  /// The age of the oldest shown part when it was loaded; nil if all parts came from the gateway, and if the age is
  /// unknown because the viewer has changed the content since.
  public var contentAge: Duration? { state.origins.age }

  /// A sentence for the viewer if older content is shown because the gateway could not be reached. Nil otherwise, while
  /// a request to the gateway is in progress, and for services with a cache policy of their own.
  public var outdatedMessage: String? { state.origins.areOutdated ? UserMessage.text(.outdated) : nil }

  /// Whether changes of the viewer may be waiting in the outbox of the client's store. True from the first change that
  /// could not be sent until content is loaded from the gateway, even if a change and its opposite have cancelled each
  /// other out. Only the outbox itself has the exact list.
  public var hasUnsentChanges: Bool { !state.unsent.isEmpty }

  // MARK: The viewer's changes

  /// Follows a user as the viewer. Shows the change at once; returns when the server has responded.
  public func followUser(userId: String) async { await set(.follow, of: userId, to: true) }

  /// Unfollows a user as the viewer. Shows the change at once; returns when the server has responded.
  public func unfollowUser(userId: String) async { await set(.follow, of: userId, to: false) }

  /// Likes a post as the viewer. Shows the change at once; returns when the server has responded.
  public func likePost(postId: String) async { await set(.like, of: postId, to: true) }

  /// Removes the viewer's like from a post. Shows the change at once; returns when the server has responded.
  public func unlikePost(postId: String) async { await set(.like, of: postId, to: false) }

  /// Bookmarks a post as the viewer. Shows the change at once; returns when the server has responded.
  public func bookmarkPost(postId: String) async { await set(.bookmark, of: postId, to: true) }

  /// Removes the viewer's bookmark. Shows the change at once; returns when the server has responded.
  public func unbookmarkPost(postId: String) async { await set(.bookmark, of: postId, to: false) }
}
