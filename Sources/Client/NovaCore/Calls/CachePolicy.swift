/// Where a read gets its answer from, on a client with a ``CallStore``. Writes ignore it, and so do reads that are never stored, except that `cacheOnly` fails.
///
/// ```swift
/// let page = try await nova.graph.with { $0.cache = .cacheFirst() }.getFollowers(userId: "mock-user-id")
/// ```
public enum CachePolicy: Sendable, Hashable {
  /// From the gateway. What it answers is stored.
  case networkOnly
  /// From the store if it is there and fresh; otherwise from the gateway, and if that cannot be reached, from the store
  /// whatever its age.
  ///
  /// - Parameter maxAge: how old an answer may be. Default: the RPC's time to live, from `gateway.yaml`.
  case cacheFirst(maxAge: Duration? = nil)
  /// From the gateway; from the store, whatever its age, if the gateway cannot be reached or is slow. The default of
  /// clients with a store.
  ///
  /// - Parameter timeout: how long to wait for the gateway if the store has an answer. Default: as long as the call may
  ///   take.
  case networkFirst(timeout: Duration? = nil)
  /// From the store, whatever its age. Throws ``APIError`` `notFound` without an answer there; nothing is sent.
  case cacheOnly
}

/// When a write is sent, on a client with a ``CallStore``.
public enum DeliveryPolicy: Sendable, Hashable {
  /// At once. If the gateway cannot be reached, the write waits in the outbox, and the call returns what it will probably
  /// change.
  case automatic
  /// From the outbox: the call returns as soon as the write is on the disk.
  case enqueue
  /// At once, or not at all: fails with `failedPrecondition` while an earlier write about the same waits.
  case immediate
}

/// Where an answer came from.
public enum ResponseSource: Sendable, Hashable {
  /// The gateway.
  case network
  /// The store of the client.
  ///
  /// - Parameter age: how long ago the gateway said so: of the parts of an answer, the oldest counts. Nil if the age is
  ///   not known, because a write has changed what it is made of.
  case cache(age: Duration?)
  /// The outbox: the write waits, and the answer is what it will probably change.
  case outbox
}
