import ArgumentParser
import NovaSDK

/// The IDs of a pair's command line: who acts, and on what.
struct PairArguments {
  /// The user that the command line names in any case; nil for the signed-in user, and while the first ID may be a user.
  let actor: UserID?
  let targets: IDArguments
  /// The first of several posts, which can also be the acting user.
  let first: EntityID?

  /// - Parameters:
  ///   - texts: the arguments.
  ///   - actor: the user of `--as`.
  ///   - labels: the placeholders of a user and of a target.
  /// - Throws: ValidationError for arguments that cannot be IDs.
  init(_ texts: [String], actor: UserID?, labels: (user: String, target: String), target: Pair.Target) throws {
    var (actor, rest, mayBeUser) = (actor, texts[...], false)
    if texts.count > 1, !IDArguments.isInput(texts[0]) {
      let first = try IDArguments.id(texts[0], named: labels.user)
      if actor == nil, target == .user || UserReference(first.text).isExplicit {
        (actor, rest) = (first, rest.dropFirst())
      } else if actor == first {
        rest = rest.dropFirst()
      } else {
        mayBeUser = actor == nil
      }
    }
    targets = try IDArguments(Array(rest), named: labels.target)
    if target == .post, let user = rest.first(where: { UserReference($0).isExplicit }) {
      throw ValidationError("invalid <\(labels.target)>: \(user.printable(to: 100)) names a user")
    }
    self.actor = actor
    first = mayBeUser ? EntityID(argument: texts[0]) : nil
  }
}

extension CommandContext {
  /// Who acts, and on what: asks the gateway if the first ID can be a user or a post, so that no post is taken for a user.
  ///
  /// - Throws: ``Failure`` if it is neither, or both.
  func choice(_ arguments: PairArguments, _ targets: [EntityID]) async throws -> (actor: UserID?, targets: [EntityID]) {
    guard let first = arguments.first else { return (arguments.actor, targets) }
    guard try await isUser(first) else {
      try await requirePosts(targets)
      return (nil, targets)
    }
    return (first, targets.filter { $0 != first })
  }

  private func isUser(_ first: EntityID) async throws -> Bool {
    // Reads no more than the session file.
    if try await (try? nova.sessions)?.currentUser().hasSameBytes(as: first.text) == true { return true }
    let shown = "\"\(first.text.printable(to: 100))\""
    guard canAsk else {
      throw Failure(
        "cannot find out offline whether \(shown) is a user or a post",
        hint: "Name the user with --as, and only posts as arguments.", .usage)
    }
    switch (try await isMissing(post: first.text), try await missingUsers(among: [first.text]).isEmpty) {
    case (true?, false):
      throw Failure("not found: \(shown) is neither a user nor a post", hint: "Nothing was sent.", .notFound)
    case (false?, true) where try await isUserForCertain(first.text):
      throw Failure(
        "unclear argument: \(shown) is the ID of a user and of a post",
        hint: "Name the user with --as, and only posts as arguments.", .usage)
    case (false?, _): return false
    default: return true
    }
  }

  private func isUserForCertain(_ id: String) async throws -> Bool {
    (try? await users.with { $0.retry = .never }.getUserProfile(GetUserProfileRequest(userId: id)).profile) ?? nil
      != nil
  }

  /// Makes sure that all posts are there before the first is changed: what was meant as a text is not one of them.
  private func requirePosts(_ ids: [EntityID]) async throws {
    let found = try await content.getPostsByIds(postIds: ids.map(\.text))
    for id in ids where !found.contains(where: { $0.id.hasSameBytes(as: id.text) }) {
      throw Failure(
        "not found: post \"\(id.text.printable(to: 100))\"",
        hint: "All arguments must be IDs of posts. Nothing was changed.", .notFound)
    }
  }
}
