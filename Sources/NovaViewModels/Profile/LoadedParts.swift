import NovaContent
import NovaCore
import NovaUsers

/// The content of a part of a profile.
enum PartContent: Sendable {
  case profile(UserProfile)
  case users(Page<String>)
  case posts(Page<Post>)
  /// Whether the viewer follows the user; nil if there is nobody to follow.
  case relationship(Bool?)
}

/// A part of a profile as it was loaded.
struct LoadedPart: Sendable {
  var content: Result<PartContent, any Error>
  var source = ResponseSource.network
  /// Whether the gateway was asked for something newer in vain.
  var isOutdated = false
  /// Whether the gateway sent it and the store could not take it.
  var isNewerThanStored = false

  var error: (any Error)? { if case .failure(let error) = content { error } else { nil } }
}

/// Parts of a profile that were loaded at the same time.
struct LoadedParts: Sendable {
  var parts: [ProfilePart: LoadedPart] = [:]
  /// The likes of stored posts.
  var marks: [ExactText: PostMark] = [:]

  /// The parts that could not be loaded and their errors, in the order of ``ProfilePart``.
  var failures: [LoadedProfile.Failure] {
    ProfilePart.allCases.compactMap { part in parts[part]?.error.map { (part, $0) } }
  }

  /// Takes the stored content of parts for which the gateway could not be reached.
  mutating func complete(from stored: LoadedParts) {
    for (part, loaded) in parts {
      if let error = loaded.error as? APIError, error.meansNoAnswer, let old = stored.parts[part], old.error == nil {
        parts[part] = old
        marks = stored.marks
      }
      // Also what the store itself returned in place of the gateway's answer.
      if let source = parts[part]?.source { parts[part]?.isOutdated = source.isStored }
    }
  }

  /// Takes the gateway's answers as they are stored now, together with the viewer's changes that wait or were sent
  /// meanwhile. The answers came one after another, so that only together they show what to count.
  ///
  /// - Parameters:
  ///   - stored: what is stored now.
  ///   - before: what was stored before the load.
  /// - Returns: the parts that a change was sent during, so that it may be counted or not.
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

  /// Takes parts that were loaded later.
  mutating func update(from later: LoadedParts) {
    for (part, loaded) in later.parts where loaded.error == nil { parts[part] = loaded }
  }

  /// The failures to show. That the gateway cannot be reached is none if the profile is stored, and that a part is not
  /// stored is none if another one is.
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
  /// Whether the gateway has said nothing, so that stored content is better than none.
  var meansNoAnswer: Bool { meansUnreachable || saysNotStored }

  /// Whether the gateway has no such content, or no longer.
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

  /// How often parts are loaded once more.
  private static let repetitions = 3

  /// Loads parts from the gateway, and takes what is stored if it cannot be reached. Parts that a change of the viewer
  /// was sent during, for example by the outbox when the program starts, are loaded once more.
  func loadLatest(
    _ parts: [ProfilePart], of userId: String, viewerId: String?, after stored: LoadedParts?
  ) async -> LoadedParts {
    let gateway = fromGateway
    var loaded = await gateway.load(parts, of: userId, viewerId: viewerId)
    guard let stored else { return loaded }
    loaded.complete(from: stored)
    var unsure = loaded.align(with: await loadStored(parts, of: userId, viewerId: viewerId), after: stored)
    // While the outbox sends what waited, each time can be such a moment.
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

  /// The likes of posts as the gateway returns them, and as they are stored then: see
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

  /// The same, asking the gateway if the services' clients have stores; without, as it is.
  var fromGateway: ProfileLoader { readsStores ? withOptions { $0.cache = .networkOnly } : self }

  /// The same, but taking stored answers while the gateway cannot be reached.
  var fromGatewayFirst: ProfileLoader { readsStores ? withOptions { $0.cache = .networkFirst() } : self }
}

extension ResponseSource {
  /// Whether an answer that was stored during a load took the place of the one that was stored before. If the store
  /// cannot be written, it is still the old one; without ages, it may be.
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
    var ids: [String] = []
    for part in parts.values {
      if case .success(.posts(let page)) = part.content { ids += page.items.map(\.id) }
    }
    return ids.withoutRepeats().sorted()
  }
}
