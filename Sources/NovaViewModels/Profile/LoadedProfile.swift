public import NovaContent
public import NovaCore
public import NovaUsers

/// A user's profile as a ``ProfileLoader`` got it. Each part is there or says why not, so that one that fails does not
/// hide the others.
public struct LoadedProfile: Sendable {
  /// Whose profile it is.
  public var userId: String
  /// The profile itself.
  public var profile: Result<UserProfile, any Error>
  /// The first page of the ids of who follows the user.
  public var followers: Result<Page<String>, any Error>
  /// The first page of the ids of whom the user follows.
  public var following: Result<Page<String>, any Error>
  /// The first page of what the user published.
  public var posts: Result<Page<Post>, any Error>
  /// The first page of what the user bookmarked.
  public var saved: Result<Page<Post>, any Error>
  /// Whether the viewer follows the user; nil where nobody asked, or users would follow themselves.
  public var isFollowed: Result<Bool?, any Error>

  /// The parts that could not be loaded, in the order of ``ProfilePart``, and why.
  public var failures: [(part: ProfilePart, error: any Error)] {
    let errors: [(ProfilePart, (any Error)?)] = [
      (.profile, profile.error), (.followers, followers.error), (.following, following.error), (.posts, posts.error),
      (.saved, saved.error), (.relationship, isFollowed.error),
    ]
    return errors.compactMap { part, error in error.map { (part, $0) } }
  }
}

/// A part of a profile that is loaded by a call of its own.
public enum ProfilePart: String, CaseIterable, Sendable, Hashable {
  /// Name, picture, counts.
  case profile
  /// Who follows the user.
  case followers
  /// Whom the user follows.
  case following
  /// What the user published.
  case posts
  /// What the user bookmarked.
  case saved
  /// What the user likes.
  case liked
  /// Whether the viewer follows the user.
  case relationship
}

extension ContentTab {
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
