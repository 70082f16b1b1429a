import Foundation

/// A user of a walk. The words of each are in no other text, so that they show whose a text is.
enum WalkUser: String, CaseIterable, Sendable {
  case amberly, birchen

  var id: String { rawValue }
  var email: String { "\(rawValue)@example.com" }
  var password: String { "password-of-\(rawValue)" }
  /// In every answer to a token of this user, and in every text that the user writes.
  var mark: String { "mark-of-\(rawValue)" }
  var other: WalkUser { self == .amberly ? .birchen : .amberly }

  /// The users whose content is in a text.
  static func marked(in text: String) -> Set<WalkUser> { Set(allCases.filter { text.contains($0.mark) }) }

  /// The users whose content or ID is in a text.
  static func named(in text: String) -> Set<WalkUser> { Set(allCases.filter { text.contains($0.rawValue) }) }
}

/// Media of a walk, by their paths on the gateway.
enum WalkMedia: String, CaseIterable, Sendable {
  /// Private, and another file for each user: a redirect that must not be stored leads to a public one elsewhere.
  case redirected = "/media/redirected.bin"
  /// The same, and the redirect may be kept by the user.
  case keptRedirect = "/media/kept.bin"
  /// Private, and another file for each user, from the gateway itself.
  case direct = "/media/direct.bin"
  /// Only for one of the users, by a redirect.
  case ofAmberly = "/media/of-amberly.bin"

  /// What a user gets; nil if the user is not allowed to have it.
  func bytes(for user: WalkUser) -> [UInt8]? {
    if self == .ofAmberly, user != .amberly { return nil }
    // Different lines, so that bytes at the wrong place are noticed.
    return (0..<1200).flatMap { Array("\($0) \(rawValue) \(user.mark)\n".utf8) }
  }
}
