import NovaSDK

// Which users and posts there are, as far as the gateway reports it.

extension CommandContext {
  /// Returns the ID of a user that the command line names. Only names and `@me` need a call or a session.
  ///
  /// - Throws: ``Failure`` if no user has the name, or nobody is signed in.
  func id(ofUser text: String) async throws -> String {
    switch UserReference(text) {
    case .id(let id): return id
    case .name(let name): return try await id(ofUserNamed: name)
    case .signedIn:
      guard let user = try await signedInUser() else { throw notSignedIn }
      return user.id
    }
  }

  private func id(ofUserNamed name: String) async throws -> String {
    let found = try await profiles(named: name, by: users)
    if let exact = Self.exactMatch(name, in: found) { return exact.id }
    throw Failure("not found: user \"@\(name.printable(to: 100))\"", hint: Self.advice(found), .notFound)
  }

  private func profiles(named name: String, by users: UserService) async throws -> [UserProfile] {
    try await users.searchUsers(query: name).profiles
  }

  /// The user with exactly this name, or else the only one whose name differs in case alone.
  private static func exactMatch(_ name: String, in profiles: [UserProfile]) -> UserProfile? {
    if let same = profiles.first(where: { $0.username.hasSameBytes(as: name) }) { return same }
    let alike = profiles.filter { $0.username.lowercased() == name.lowercased() }
    return alike.count == 1 ? alike[0] : nil
  }

  private static func advice(_ profiles: [UserProfile]) -> String {
    let names = profiles.map(\.username).filter { !$0.isEmpty }.prefix(3).map { "@\($0.printable(to: 40))" }
    let search = "Find users by name with `nova search <query>`."
    guard let last = names.last else { return search }
    return
      "Did you mean \(names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)")? \(search)"
  }

  // MARK: What does not exist

  /// The failure for a user that does not exist. Tables show names beside IDs, so the text may be one: then the hint has
  /// the ID.
  func noUser(_ id: String) async -> Failure {
    Failure("not found: user \"\(id.printable(to: 100))\"", hint: await hint(forUserNamed: id), .notFound)
  }

  private func hint(forUserNamed name: String) async -> String {
    if name == "me" { return "Did you mean @me, the signed-in user?" }
    let quiet = users.with { $0.retry = .never }
    guard let found = try? await profiles(named: name, by: quiet), let user = Self.exactMatch(name, in: found) else {
      return Self.advice([])
    }
    return "Did you mean @\(user.username.printable(to: 40))? Its ID is \(user.id.printable(to: 80))."
  }

  /// The failure of a call about a user, whose hint has the ID if the text is a name.
  func failure(for error: APIError, aboutUser id: String) async -> any Error {
    let failure = failure(for: error)
    guard error.code == .notFound, let failure = failure as? Failure else { return failure }
    return Failure(failure.message, hint: await hint(forUserNamed: id), failure.status)
  }

  /// - Throws: ``Failure`` if the gateway reports that the user does not exist.
  func requireUser(_ id: String) async throws {
    guard try await missingUsers(among: [id]).isEmpty else { throw await noUser(id) }
  }

  /// - Throws: ``Failure`` if the gateway reports that the post does not exist.
  func requirePost(_ id: String) async throws {
    guard try await isMissing(post: id) == true else { return }
    throw Failure("not found: post \"\(id.printable(to: 100))\"", .notFound)
  }

  /// The users that the gateway reports not to exist; none if this cannot be found out.
  func missingUsers(among ids: [String]) async throws -> [String] {
    guard canAsk else { return [] }
    let service = users.with { $0.retry = .never }
    var candidates = ids
    if ids.count > 1 {
      guard let found = try? await service.getUserProfilesByIds(userIds: ids) else { return [] }
      candidates = ids.filter { id in !found.contains { $0.id.hasSameBytes(as: id) } }
    }
    var missing: [String] = []
    for id in candidates {
      do {
        _ = try await service.getUserProfile(GetUserProfileRequest(userId: id))
      } catch let error as APIError {
        if Interruption.happened { throw error }
        if error.isReportOfAbsence { missing.append(id) }
      }
    }
    return missing
  }

  /// Whether the gateway reports that a post does not exist; nil if this cannot be found out.
  func isMissing(post id: String) async throws -> Bool? {
    guard canAsk else { return nil }
    do {
      let answer = try await content.with { $0.retry = .never }.getPost(GetPostRequest(postId: id))
      return !answer.found && answer.post == nil
    } catch let error as APIError {
      if Interruption.happened { throw error }
      return error.isReportOfAbsence ? true : nil
    }
  }

  /// Whether a call would be answered by the gateway. Stored answers prove nothing about what does not exist.
  var canAsk: Bool { !configuration.isOffline && options.cache != .cacheOnly }
}

extension APIError {
  /// Whether the gateway itself has reported that there is no such record. A bare 404 can mean that it lacks the RPC.
  fileprivate var isReportOfAbsence: Bool { code == .notFound && (isRefusalOfService || grpcStatus != nil) }
}
