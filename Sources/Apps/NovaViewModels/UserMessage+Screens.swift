import NovaAnnouncements
import NovaAuth
public import NovaCore

extension UserMessage.Key {
  static let saved = Self("capture.saved", "Saved!")
  static let savedForLater = Self("capture.savedForLater", "Saved. It will be sent when you are online.")
  static let logInAgain = Self("capture.logInAgain", "Please log in again")

  static let sessionEnded = Self("session.ended", "Your session has ended. Please log in again.")

  static let outdated = Self("profile.outdated", "This was saved earlier and may be out of date.")
  static let notLoaded = Self("profile.notLoaded", "Could not load {parts}.")
  static let morePostsNotLoaded = Self("profile.morePostsNotLoaded", "More posts could not be loaded.")
  static let noSuchProfile = Self("profile.notFound", "There is no such profile.")
  static let logInFirst = Self("profile.logInFirst", "Please log in first.")
  static let ownFollow = Self("profile.ownFollow", "You cannot follow yourself.")
  static let pictureNotChanged = Self("profile.pictureNotChanged", "The picture was not changed.")
  private static let profile = [
    outdated, notLoaded, morePostsNotLoaded, noSuchProfile, logInFirst, ownFollow, pictureNotChanged,
  ]

  private static let followFailed = Self("change.followFailed", "Following did not work.")
  private static let unfollowFailed = Self("change.unfollowFailed", "Unfollowing did not work.")
  private static let likeFailed = Self("change.likeFailed", "The like was not saved.")
  private static let unlikeFailed = Self("change.unlikeFailed", "The like could not be removed.")
  private static let bookmarkFailed = Self("change.bookmarkFailed", "The bookmark was not saved.")
  private static let unbookmarkFailed = Self("change.unbookmarkFailed", "The bookmark could not be removed.")
  private static let changes = [
    followFailed, unfollowFailed, likeFailed, unlikeFailed, bookmarkFailed, unbookmarkFailed,
  ]

  /// The message for a failed change.
  static func failed(_ kind: PendingMutations.Target.Kind, wanted isWanted: Bool) -> Self {
    switch kind {
    case .follow: isWanted ? followFailed : unfollowFailed
    case .like: isWanted ? likeFailed : unlikeFailed
    case .bookmark: isWanted ? bookmarkFailed : unbookmarkFailed
    }
  }

  private static let pets = [unableToLoadData, unableToLoadPet]

  private static let profilePart = Self("part.profile", "the profile")
  private static let followers = Self("part.followers", "the followers")
  private static let following = Self("part.following", "the followed people")
  private static let posts = Self("part.posts", "the posts")
  private static let savedPosts = Self("part.saved", "the saved posts")
  private static let likedPosts = Self("part.liked", "the liked posts")
  private static let relationship = Self("part.relationship", "whether you follow this person")
  static let listComma = Self("list.comma", ", ")
  static let listAnd = Self("list.and", " and ")

  /// The name of a part of a profile.
  static func name(of part: ProfilePart) -> Self {
    switch part {
    case .profile: profilePart
    case .followers: followers
    case .following: following
    case .posts: posts
    case .saved: savedPosts
    case .liked: likedPosts
    case .relationship: relationship
    }
  }

  /// All sentences to translate: those of errors, of signing in, and of the screens of this module.
  ///
  /// ```swift
  /// for key in UserMessage.Key.all { print(key.name, key.english) }
  /// ```
  public static var all: [Self] {
    calls + signingIn + [saved, savedForLater, logInAgain, sessionEnded] + profile + changes + pets
      + ProfilePart.allCases.map(name) + [listComma, listAnd]
  }
}

extension UserMessage {
  /// What failed, followed by why; nil for a cancellation.
  static func text(_ what: String, _ error: any Error) -> String? { text(of: error).map { "\(what) \($0)" } }

  /// The names of parts of a profile, for example `the profile, the posts and the followers`.
  static func list(_ parts: [ProfilePart]) -> String {
    let names = parts.map { text(.name(of: $0)) }
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: text(.listComma)) + text(.listAnd) + last
  }
}
