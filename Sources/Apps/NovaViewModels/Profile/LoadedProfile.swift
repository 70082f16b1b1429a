public import NovaContent
public import NovaCore
public import NovaUsers

/// The result of ``ProfileLoader/load(userId:viewerId:)``. Each part is a value or an error, so that one failure does
/// not hide the other parts.
public struct LoadedProfile: Sendable {
  /// The user's ID.
  public var userId: String
  /// The profile.
  public var profile: Result<UserProfile, any Error>
  /// The first page of the IDs of the user's followers.
  public var followers: Result<Page<String>, any Error>
  /// The first page of the IDs of the users that the user follows.
  public var following: Result<Page<String>, any Error>
  /// The first page of the user's published posts.
  public var posts: Result<Page<Post>, any Error>
  /// The first page of the posts that the user bookmarked.
  public var saved: Result<Page<Post>, any Error>
  /// Whether the viewer follows the user; nil without a viewer, and if the viewer is the user.
  public var isFollowed: Result<Bool?, any Error>

  typealias Failure = (part: ProfilePart, error: any Error)

  /// The parts that could not be loaded and their errors, in the order of ``ProfilePart``.
  public var failures: [(part: ProfilePart, error: any Error)] {
    let errors: [(ProfilePart, (any Error)?)] = [
      (.profile, profile.error), (.followers, followers.error), (.following, following.error), (.posts, posts.error),
      (.saved, saved.error), (.relationship, isFollowed.error),
    ]
    return errors.compactMap { part, error in error.map { (part, $0) } }
  }

  /// Returns the failure to show, and the names of all parts that failed; nil if there is no failure to show.
  static func mostImportant(
    _ failures: [Failure], isOwnProfile: Bool
  ) -> (part: ProfilePart, error: any Error, names: String)? {
    let shown = failures.filter { part, error in
      // Bookmarks and likes of other users may be private.
      if !isOwnProfile, part == .saved || part == .liked, case APIError.permissionDenied = error { return false }
      return UserMessage.text(of: error) != nil
    }
    guard let first = shown.first else { return nil }
    // A new login may fix the other parts, too.
    let unauthorized = shown.first { if case APIError.unauthorized = $0.error { true } else { false } }
    return (first.part, (unauthorized ?? first).error, UserMessage.list(shown.map(\.part)))
  }
}

/// A part of a profile that is loaded by its own call.
public enum ProfilePart: String, CaseIterable, Sendable, Hashable {
  /// The name, picture, and counts.
  case profile
  /// The user's followers.
  case followers
  /// The users that the user follows.
  case following
  /// The user's published posts.
  case posts
  /// The posts that the user bookmarked.
  case saved
  /// The posts that the user likes.
  case liked
  /// Whether the viewer follows the user.
  case relationship
}

/// A tab of a profile.
public enum ContentTab: String, CaseIterable, Sendable, Hashable {
  /// The user's published posts, newest first.
  case posts
  /// The posts that the user bookmarked, newest bookmark first.
  case saved
  /// The posts that the user likes, newest like first.
  case liked

  /// The part of the profile that the tab shows.
  public var part: ProfilePart {
    switch self {
    case .posts: .posts
    case .saved: .saved
    case .liked: .liked
    }
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
