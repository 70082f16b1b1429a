import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaSocial
import NovaUsers

extension SurveyRun {
  /// Requests data of users that were found, without writing. These may be real people, so reports do not show the
  /// answers.
  mutating func checkPrivacyOfOthers(_ me: String) async throws {
    guard let caller = discovered.caller else {
      return skipProbes("everything", because: "the check has no token, and calls without one may see everything")
    }
    if let other = discovered.users.first(where: { $0 != caller }) {
      try await ask(
        UserRPC.getUserSettings, .init(userId: other), as: "settings", fields: ["settings"],
        showing: "the settings of another user")
      try await ask(
        ContentRPC.getUserBookmarks, .init(userId: other), as: "bookmarks", fields: ["posts", "total"],
        showing: "the bookmarks of another user")
    } else {
      skipProbes("settings, bookmarks", because: "no other user was found")
    }
    guard let other = try await strangerWithPrivateAccount(caller) else {
      return skipProbes(
        "private accounts", because: "no private account was found that the token's user does not follow")
    }
    try await checkPrivateAccount(other)
  }

  private mutating func strangerWithPrivateAccount(_ caller: String) async throws -> String? {
    for user in discovered.privateUsers.prefix(3) {
      let request = IsFollowingRequest(followerId: caller, followeeId: user)
      if try await prepare(GraphRPC.isFollowing, request, as: "a private account")?.isFollowing == false { return user }
    }
    return nil
  }

  /// The texts of a profile that only followers of a private account see.
  static let privateFields = ["bio", "cover_url", "website", "location"]

  private mutating func checkPrivateAccount(_ user: String) async throws {
    let fields = Self.privateFields.map { "profile.\($0)" }
    try await ask(
      UserRPC.getUserProfile, .init(userId: user), as: "a private profile", fields: fields,
      showing: "private fields of a private profile")
    try await ask(
      GraphRPC.getFollowers, .init(userId: user), as: "a private account's followers", fields: ["user_ids"],
      showing: "the followers of a private account")
    try await ask(
      GraphRPC.getFollowing, .init(userId: user), as: "whom a private account follows", fields: ["user_ids"],
      showing: "whom a private account follows")
    try await ask(
      SocialRPC.getUserLikedPosts, .init(userId: user), as: "a private account's liked posts", fields: ["post_ids"],
      showing: "the liked posts of a private account")
    try await ask(
      ContentRPC.getPostsByAuthor, .init(authorId: user), as: "a private account's posts", fields: ["posts"],
      showing: "the posts of a private account")
    try await ask(
      EventRPC.listEvents, .init(topics: ["user:\(user)"]), as: "a private account's events", fields: ["events"],
      showing: "the events of a private account")
  }

  private mutating func ask<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String, fields: [String], showing what: String
  ) async throws {
    let rpc = rpc.descriptor
    guard isSelected(rpc), works(rpc) else { return }
    _ = try await probe(rpc, message, as: "\(name), as another user", showsAnswer: false) {
      RecordLeaks.findings($0, of: rpc, fields: fields, showing: what)
    }
  }
}
