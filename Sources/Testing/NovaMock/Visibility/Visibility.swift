import NovaCore

/// Whose eyes a request has: the user of its access token.
struct Viewer: Hashable, Sendable {
  private let id: ExactText?
  /// Whether nothing is hidden.
  let seesAll: Bool

  /// The user; nil without an access token.
  var user: String? { id?.wrappedValue }

  /// A call without an access token on a backend that accepts such calls.
  static let internalCall = Viewer(user: nil, seesAll: true)
  /// Anyone, without an account.
  static let stranger = Viewer(user: nil, seesAll: false)

  private init(user: String?, seesAll: Bool) { (id, self.seesAll) = (user.map { ExactText($0) }, seesAll) }

  init(user: String) { self.init(user: user, seesAll: false) }

  /// Whether it is a user's. Unicode can write one id in two ways: these are two users.
  func isOf(_ user: String) -> Bool { self.user.hasSameBytes(as: user) }

  /// - Parameter caller: the user of the access token; nil for an internal call.
  init(caller: String?) { self = caller.map(Viewer.init(user:)) ?? .internalCall }
}

/// The users to whom a user shows something: everyone except blocked users, the followers, or only the user. Each circle
/// contains those after it.
enum Circle: Int, Comparable, Sendable {
  case all, followers, owner

  static func < (left: Circle, right: Circle) -> Bool { left.rawValue < right.rawValue }

  init(_ privacy: PostPrivacy) {
    self =
      switch privacy {
      case .public: .all
      case .followers: .followers
      case .private: .owner
      }
  }

  /// The circle of a post. A draft and an archived post are their author's only.
  init(_ privacy: PostPrivacy, _ status: PostStatus) { self = status == .published ? Circle(privacy) : .owner }
}

/// What a user shows to a circle.
struct Audience: Hashable, Sendable {
  @ExactText private(set) var owner: String
  let circle: Circle
}

/// Who may see what. Everything that the backend shows, lists, counts, and serves is decided here.
extension MockState {
  /// The eyes of the current request.
  var viewer: Viewer { Viewer(caller: caller) }

  /// Whether a viewer may see what a user shows to a circle.
  ///
  /// The user's account narrows the circle: a private account shows to its followers what others show to everyone. A
  /// block in either direction hides everything. It takes constant time, besides the lookup of a follow.
  ///
  /// - Parameter isFollower: whether the viewer follows the user. Default: looked up.
  func shows(_ circle: Circle, of owner: String, to viewer: Viewer, isFollower: Bool? = nil) -> Bool {
    if viewer.seesAll || viewer.isOf(owner) { return true }
    if circle == .owner { return false }
    let isForFollowers = circle == .followers || users.isPrivate(owner)
    guard let user = viewer.user else { return !isForFollowers }
    if graph.isBlockedEitherWay(user, owner) { return false }
    return !isForFollowers || isFollower ?? graph.isFollowing(user, owner)
  }

  func shows(_ audience: Audience, to viewer: Viewer) -> Bool {
    shows(audience.circle, of: audience.owner, to: viewer)
  }

  /// Returns the smallest circle of a user that contains the viewer; nil if the user shows the viewer nothing. For lists
  /// of what one user has.
  ///
  /// - Parameter isFollower: whether the viewer follows the user. Default: looked up.
  func closestCircle(of owner: String, to viewer: Viewer, isFollower: Bool? = nil) -> Circle? {
    for circle in [Circle.owner, .followers, .all]
    where shows(circle, of: owner, to: viewer, isFollower: isFollower) { return circle }
    return nil
  }

  /// Whether a viewer may see all of a profile, and its lists of users. Blocks hide neither.
  func showsProfile(of user: String, to viewer: Viewer) -> Bool {
    if viewer.seesAll || viewer.isOf(user) || !users.isPrivate(user) { return true }
    return viewer.user.map { graph.isFollowing($0, user) } ?? false
  }

  /// Whether a viewer may know that one user follows another: one of the two lists that have the follow is visible.
  func showsFollow(of followee: String, by follower: String, to viewer: Viewer) -> Bool {
    showsProfile(of: follower, to: viewer) || showsProfile(of: followee, to: viewer)
  }

  /// Whether a viewer may see the posts that a user likes.
  func showsLikes(of user: String, to viewer: Viewer) -> Bool {
    viewer.seesAll || viewer.isOf(user) || !users.isPrivate(user)
  }
}
