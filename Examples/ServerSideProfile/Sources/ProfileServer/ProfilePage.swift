import Hummingbird
import NovaSDK

/// A profile with what stands around it, as `GET /profiles/:id` answers it.
public struct ProfilePage: ResponseEncodable, Sendable {
  /// The start of a list, and how long it is, unless that is not for the caller.
  public struct List<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    public var totalCount: Int?

    enum CodingKeys: String, CodingKey {
      case items
      case totalCount = "total_count"
    }
  }

  public var profile: UserProfile
  /// The ids of the newest followers.
  public var followers: List<String>
  /// The ids of those whom the user followed last.
  public var following: List<String>
  /// The newest posts.
  public var posts: List<Post>
}

extension ProfilePage {
  init(
    _ profile: UserProfile, followers: GetFollowersResponse, following: GetFollowingResponse,
    posts: GetPostsByAuthorResponse
  ) {
    self.profile = profile
    self.followers = List(items: followers.userIds, totalCount: followers.totalCount)
    self.following = List(items: following.userIds, totalCount: following.totalCount)
    self.posts = List(items: posts.posts, totalCount: posts.totalCount)
  }

  /// What anyone may see, of a page that this server read as itself: the gateway shows it more.
  var forStrangers: ProfilePage {
    var page = self
    page.profile.email = nil
    // No privacy is the contract's default, everyone. The total counts posts for few, too.
    page.posts.items.removeAll { !["", PostPrivacy.everyone.rawValue].contains($0.privacy) }
    page.posts.totalCount = nil
    guard profile.isPrivate else { return page }
    page.profile = UserProfile(
      id: profile.id, username: profile.username, displayName: profile.displayName, avatarUrl: profile.avatarUrl,
      isPrivate: true, followerCount: profile.followerCount, followingCount: profile.followingCount,
      postCount: profile.postCount)
    (page.followers.items, page.following.items, page.posts.items) = ([], [], [])
    return page
  }
}
