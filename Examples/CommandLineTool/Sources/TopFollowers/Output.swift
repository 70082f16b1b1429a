import NovaSDK

/// What is printed to standard output, and only the result is.
enum Output {
  /// JSON for programs: one list, with the contract's names.
  static func json(_ followers: [Follower]) -> String {
    let list = JSONValue.array(
      followers.map {
        ["id": .string($0.id), "username": .string($0.username), "follower_count": .number("\($0.followerCount)")]
      })
    return String(decoding: list.jsonUTF8, as: UTF8.self)
  }

  /// Lines for people: the number, then the name.
  static func table(_ followers: [Follower]) -> String {
    guard let most = followers.map(\.followerCount).max() else { return "no followers" }
    let width = "\(most)".count
    return followers.map { follower in
      let count = "\(follower.followerCount)"
      return String(repeating: " ", count: width - count.count) + "\(count)  \(printable(follower.username))"
    }.joined(separator: "\n")
  }

  /// A text of a server, without control characters, which a terminal would obey.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
