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

  /// The message for a failed change.
  static func failed(_ kind: PendingMutations.Target.Kind, wanted isWanted: Bool) -> Self {
    switch (kind, isWanted) {
    case (.follow, true): Self("change.followFailed", "Following did not work.")
    case (.follow, false): Self("change.unfollowFailed", "Unfollowing did not work.")
    case (.like, true): Self("change.likeFailed", "The like was not saved.")
    case (.like, false): Self("change.unlikeFailed", "The like could not be removed.")
    case (.bookmark, true): Self("change.bookmarkFailed", "The bookmark was not saved.")
    case (.bookmark, false): Self("change.unbookmarkFailed", "The bookmark could not be removed.")
    }
  }

  private static let changes = PendingMutations.Target.Kind.allCases.flatMap { kind in
    [true, false].map { failed(kind, wanted: $0) }
  }

  private static let pets = [unableToLoadData, unableToLoadPet]

  static let listComma = Self("list.comma", ", ")
  static let listAnd = Self("list.and", " and ")

  /// The name of a part of a profile.
  static func name(of part: ProfilePart) -> Self {
    switch part {
    case .profile: Self("part.profile", "the profile")
    case .followers: Self("part.followers", "the followers")
    case .following: Self("part.following", "the followed people")
    case .posts: Self("part.posts", "the posts")
    case .saved: Self("part.saved", "the saved posts")
    case .liked: Self("part.liked", "the liked posts")
    case .relationship: Self("part.relationship", "whether you follow this person")
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
