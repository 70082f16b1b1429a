import Hummingbird
import NovaSDK

/// A profile with what stands around it, as `GET /profiles/:id` answers it.
public struct ProfilePage: ResponseEncodable, Sendable {
  /// The start of a list, and how long it is.
  public struct List<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    public var totalCount: Int

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
  /// Anybody may ask this server, which itself may see more: e-mail addresses, posts for few, and what stands around
  /// private profiles stay here.
  init(
    forEverybody profile: UserProfile, followers: GetFollowersResponse, following: GetFollowingResponse,
    posts: GetPostsByAuthorResponse
  ) {
    var profile = profile
    profile.email = ""
    self.profile = profile
    let isOpen = !profile.isPrivate
    // No privacy is the contract's default, everyone.
    let open = posts.posts.filter { ["", PostPrivacy.everyone.rawValue].contains($0.privacy) }
    self.followers = List(items: isOpen ? followers.userIds : [], totalCount: followers.totalCount)
    self.following = List(items: isOpen ? following.userIds : [], totalCount: following.totalCount)
    self.posts = List(items: isOpen ? open : [], totalCount: posts.totalCount)
  }
}
