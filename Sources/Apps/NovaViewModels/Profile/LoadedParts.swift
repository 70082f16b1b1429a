import NovaContent
import NovaCore
import NovaUsers

/// The content of a part of a profile.
enum PartContent: Sendable {
  case profile(UserProfile)
  case users(Page<String>)
  case posts(Page<Post>)
  /// Whether the viewer follows the user; nil without a viewer, and if the viewer is the user.
  case relationship(Bool?)
}

/// A part of a profile as it was loaded.
struct LoadedPart: Sendable {
  var content: Result<PartContent, any Error>
  var source = ResponseSource.network
  /// Whether the content is stored content because the gateway could not be reached.
  var isOutdated = false
  /// Whether the content came from the gateway and could not be stored.
  var isNewerThanStored = false

  var error: (any Error)? { if case .failure(let error) = content { error } else { nil } }
}

/// Parts of a profile that were loaded at the same time.
///
/// With a store, a load has three steps (``ProfileLoader/loadLatest(_:of:viewerId:after:)``): the stored parts are read
/// and shown; the gateway's parts are loaded, which also stores them; and the stored parts are read again, because they
/// include the viewer's changes that are still waiting or were sent during the load. ``complete(from:)`` fills in
/// stored parts if the gateway could not be reached, and ``align(with:after:)`` takes the parts of the third step,
/// unless they are older than those of the gateway.
struct LoadedParts: Sendable {
  var parts: [ProfilePart: LoadedPart] = [:]
  /// The likes of stored posts.
  var marks: [ExactText: PostMark] = [:]

  /// The parts that could not be loaded and their errors, in the order of ``ProfilePart``.
  var failures: [LoadedProfile.Failure] {
    ProfilePart.allCases.compactMap { part in parts[part]?.error.map { (part, $0) } }
  }

  /// Fills in the stored content of parts for which the gateway could not be reached.
  mutating func complete(from stored: LoadedParts) {
    for (part, loaded) in parts {
      if let error = loaded.error as? APIError, error.meansNoAnswer, let old = stored.parts[part], old.error == nil {
        parts[part] = old
        marks = stored.marks
      }
      // A part is also outdated if the store responded in place of the gateway.
      if let source = parts[part]?.source { parts[part]?.isOutdated = source.isStored }
    }
  }

  /// Replaces the gateway's parts by the stored ones, which include the viewer's changes that are waiting or were sent
  /// during the load. The gateway's responses arrive one after another, so a single one does not show which changes its
  /// counts include; the store has all of them.
  ///
  /// - Parameters:
  ///   - stored: the parts that are stored now.
  ///   - before: the parts that were stored before the load.
  /// - Returns: the parts during whose load a change was sent. Their counts may or may not include it.
  mutating func align(with stored: LoadedParts?, after before: LoadedParts) -> [ProfilePart] {
    guard let stored else { return [] }
    var unsure: [ProfilePart] = []
    for (part, loaded) in parts where loaded.error == nil && !loaded.isOutdated {
      guard let new = stored.parts[part], new.error == nil else { continue }
      if new.source.isNoOlder(than: before.parts[part]) {
        parts[part]?.content = new.content
      } else {
        parts[part]?.isNewerThanStored = true
      }
      if new.source == .cache(age: nil) { unsure.append(part) }
    }
    return unsure
  }

  /// Replaces parts by those that were loaded later.
  mutating func update(from later: LoadedParts) {
    for (part, loaded) in later.parts where loaded.error == nil { parts[part] = loaded }
  }

  /// The failures to show. Leaves out two failures: an unreachable gateway if the profile is stored, and a part that is
  /// not stored if another part is.
  var reportedFailures: [LoadedProfile.Failure] {
    let isProfileStored = parts[.profile]?.isOutdated == true
    let isAnyStored = parts.values.contains { $0.error == nil && $0.source.isStored }
    return failures.filter { _, error in
      guard let error = error as? APIError else { return true }
      return !(isProfileStored && error.meansUnreachable || isAnyStored && error.saysNotStored)
    }
  }
}

extension APIError {
  /// Whether the gateway did not respond, so that stored content is better than no content.
  var meansNoAnswer: Bool { meansUnreachable || saysNotStored }

  /// Whether the content does not exist, or no longer exists.
  var meansGone: Bool { code == .notFound && !saysNotStored }

  /// Whether the viewer may no longer see the content.
  var meansRefused: Bool { !saysNotStored && [.notFound, .permissionDenied, .unauthorized].contains(code) }
}

extension ProfileLoader {
  /// Loads parts concurrently.
  func load(_ parts: [ProfilePart], of userId: String, viewerId: String?) async -> LoadedParts {
    await withTaskGroup(of: (ProfilePart, LoadedPart).self) { group in
      for part in parts { group.addTask { (part, await load(part, of: userId, viewerId: viewerId)) } }
      return await group.reduce(into: LoadedParts()) { $0.parts[$1.0] = $1.1 }
    }
  }

  private func load(_ part: ProfilePart, of userId: String, viewerId: String?) async -> LoadedPart {
    let source = ServiceSource()
    let loader = withOptions { $0.note(source) }
    let content = await result { () async throws -> PartContent in
      switch part {
      case .profile: .profile(try await loader.users.getUserProfile(userId: userId))
      case .followers: .users(try await loader.followers(of: userId))
      case .following: .users(try await loader.following(of: userId))
      case .posts: .posts(try await loader.page(of: .posts, userId: userId))
      case .saved: .posts(try await loader.page(of: .saved, userId: userId))
      case .liked: .posts(try await loader.page(of: .liked, userId: userId))
      case .relationship: .relationship(try await loader.isFollowed(userId, by: viewerId))
      }
    }
    return LoadedPart(content: content, source: source.value)
  }

  /// Loads parts from the stores of the services' clients, with the likes of the posts; nil without stores.
  func loadStored(_ parts: [ProfilePart], of userId: String, viewerId: String?) async -> LoadedParts? {
    guard readsStores else { return nil }
    let stored = withOptions { $0.cache = .cacheOnly }
    var loaded = await stored.load(parts, of: userId, viewerId: viewerId)
    loaded.marks = await storedMarks(on: loaded.postIds, viewerId: viewerId).marks
    return loaded
  }

  /// The maximum number of times that parts are loaded again.
  private static let repetitions = 3

  /// Loads parts from the gateway, or from the stores if the gateway cannot be reached. If a change of the viewer was
  /// sent during the load, for example by the outbox when the program starts, the affected parts are loaded again.
  func loadLatest(
    _ parts: [ProfilePart], of userId: String, viewerId: String?, after stored: LoadedParts?
  ) async -> LoadedParts {
    let gateway = fromGateway
    var loaded = await gateway.load(parts, of: userId, viewerId: viewerId)
    guard let stored else { return loaded }
    loaded.complete(from: stored)
    var unsure = loaded.align(with: await loadStored(parts, of: userId, viewerId: viewerId), after: stored)
    // While the outbox sends several changes, that may be the case several times.
    for _ in 0..<Self.repetitions where !unsure.isEmpty && !Task.isCancelled {
      loaded.update(from: await gateway.load(unsure, of: userId, viewerId: viewerId))
      unsure = loaded.align(with: await loadStored(parts, of: userId, viewerId: viewerId), after: stored)
    }
    return loaded
  }

  private func storedMarks(
    on postIds: [String], viewerId: String?
  ) async -> (marks: [ExactText: PostMark], source: ResponseSource) {
    let source = ServiceSource()
    let stored = withOptions { options in
      options.cache = .cacheOnly
      options.note(source)
    }
    return (await stored.marks(on: postIds, viewerId: viewerId), source.value)
  }

  /// Loads the likes of posts from the gateway, and takes them as they are stored after that. See
  /// ``LoadedParts/align(with:after:)``.
  func latestMarks(on postIds: [String], viewerId: String?) async -> [ExactText: PostMark] {
    guard readsStores else { return await marks(on: postIds, viewerId: viewerId) }
    let before = await storedMarks(on: postIds, viewerId: viewerId)
    var loaded = await fromGateway.marks(on: postIds, viewerId: viewerId)
    var after = await storedMarks(on: postIds, viewerId: viewerId)
    if after.source == .cache(age: nil), !Task.isCancelled {
      loaded = await fromGateway.marks(on: postIds, viewerId: viewerId)
      after = await storedMarks(on: postIds, viewerId: viewerId)
    }
    guard after.source.isNoOlder(than: before.source) else { return loaded }
    return after.marks.merging(loaded) { $0.completed(by: $1) }
  }

  /// The loader without stored responses, if the services' clients have stores; otherwise, the loader itself.
  var fromGateway: ProfileLoader { readsStores ? withOptions { $0.cache = .networkOnly } : self }

  /// The loader with stored responses only if the gateway cannot be reached.
  var fromGatewayFirst: ProfileLoader { readsStores ? withOptions { $0.cache = .networkFirst() } : self }
}

extension ResponseSource {
  /// Whether the load has replaced the response that was stored before. If the store cannot be written, the old
  /// response is still there. If both ages are unknown, that cannot be excluded.
  fileprivate func isNoOlder(than before: ResponseSource) -> Bool {
    switch (self, before) {
    case (.cache(let age?), .cache(let ageBefore?)): age <= ageBefore
    case (.cache(nil), .cache(nil)): false
    default: true
    }
  }

  fileprivate func isNoOlder(than before: LoadedPart?) -> Bool {
    guard let before, before.error == nil else { return true }
    return isNoOlder(than: before.source)
  }
}

extension LoadedParts {
  fileprivate var postIds: [String] {
    let ids = parts.values.flatMap { part -> [String] in
      if case .success(.posts(let page)) = part.content { page.items.map(\.id) } else { [] }
    }
    return ids.withoutRepeats().sorted()
  }
}
