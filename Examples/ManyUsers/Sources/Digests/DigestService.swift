import NovaSDK

/// Digests for any number of users on one client. Each user's digest is kept for a minute.
public actor DigestService {
  private struct Entry {
    var digest: Digest
    var expiry: ContinuousClock.Instant
  }

  private let lifetime: Duration
  // The key is the gateway and the user. A key of only the user would mix up staging and production, and a key that
  // the request contains, such as a user ID in its path, would show one user what belongs to another.
  private var entries: [Identity: Entry] = [:]

  public init(lifetime: Duration = .seconds(60)) { self.lifetime = lifetime }

  public func digest(for caller: Caller) async throws -> Digest {
    let key = try await caller.nova.identity
    if let entry = entries[key], entry.expiry > .now { return entry.digest }
    let digest = try await Digest(of: caller)
    entries = entries.filter { $0.value.expiry > .now }
    entries[key] = Entry(digest: digest, expiry: .now + lifetime)
    return digest
  }

  /// Forgets what is kept for a user, for example after the user has signed out.
  public func forget(_ caller: Caller) async throws { entries[try await caller.nova.identity] = nil }
}
