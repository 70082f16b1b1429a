/// A store of responses that many machines share. An ``HTTPCache`` uses it when its memory has no response.
/// `FleetResponses` in NovaFleet is one.
///
/// It only keeps bytes: the cache decides what is stored, for whom, and whether it may be used. Its methods never
/// throw, and never delay a call for long: if the store cannot be used, there is nothing in it.
public protocol SharedResponses: Sendable {
  /// The stored variants of a place.
  ///
  /// - Returns: nil if the store cannot be used.
  func find(_ place: SharedPlace) async -> SharedVariants?

  /// Stores a variant, unless its URL was removed since `epoch` was found.
  ///
  /// - Parameters:
  ///   - variant: distinguishes it from the others of its place.
  ///   - lifetime: after which it is not needed.
  func publish(
    _ bytes: [UInt8], variant: String, at place: SharedPlace, since epoch: String, for lifetime: Duration) async

  /// Removes a URL for all callers. Responses that are on their way to any machine will not be published.
  func remove(url: String) async

  /// Removes everything.
  func removeAll() async

  /// How early fresh responses are refreshed in the background: with 1 as XFetch does, with more earlier, with 0 never.
  /// The time that the last request took decides. Default: 0.
  var eagerness: Double { get }

  /// How long a machine may load a response until another one may, too, and how long others wait for it. Default: 5 s.
  var loadTime: Duration { get }

  /// Asks whether to load a response now, or to wait for another machine that does.
  ///
  /// - Parameters:
  ///   - place: where the response is expected.
  ///   - epoch: what ``find(_:)`` returned.
  /// - Returns: by default ``SharedLoad/alone``: each machine loads for itself.
  func beginLoad(at place: SharedPlace, since epoch: String) async -> SharedLoad

  /// Ends a load that has begun, after its response was published.
  ///
  /// - Parameter token: that of ``SharedLoad/begun(token:)``.
  func endLoad(_ token: String, at place: SharedPlace, since epoch: String, _ result: SharedLoadResult) async

  /// Whether ``watchRemovals(_:)`` reports removals. The cache then keeps responses in memory only while it does.
  /// Default: false.
  var reportsRemovals: Bool { get }

  /// Reports what other processes remove, until the task is cancelled.
  func watchRemovals(_ receive: @escaping @Sendable (SharedRemoval) -> Void) async
}

extension SharedResponses {
  public var eagerness: Double { 0 }
  public var loadTime: Duration { .seconds(5) }
  public var reportsRemovals: Bool { false }
  public func beginLoad(at place: SharedPlace, since epoch: String) async -> SharedLoad { .alone }
  public func endLoad(_ token: String, at place: SharedPlace, since epoch: String, _ result: SharedLoadResult) async {}
  public func watchRemovals(_ receive: @escaping @Sendable (SharedRemoval) -> Void) async {}
}

/// Who loads a response that many machines need.
public enum SharedLoad: Sendable, Hashable {
  /// This machine does, and ends it with the token.
  case begun(token: String)
  /// Another machine does: ask again soon.
  case running
  /// Another machine did, or the URL was removed: look it up again.
  case stored
  /// Each machine does for itself, because the response cannot be shared, or the store cannot be used.
  case alone
}

/// How a load ended.
public enum SharedLoadResult: String, Sendable, Hashable {
  /// The response was published, and answers others without a request.
  case stored
  /// The response is only for its caller.
  case unshared
  /// The server failed.
  case failed
  /// The caller stopped. Another machine should load.
  case abandoned
}

/// What other processes removed.
public enum SharedRemoval: Sendable, Hashable {
  /// Removals are reported from now on. What was removed before is unknown.
  case begun
  /// A URL, for all callers.
  case url(String)
  /// Everything.
  case all
  /// Removals are no longer reported.
  case lost
}

/// Where responses are in a shared store. Both texts may be secret.
public struct SharedPlace: Sendable, Hashable {
  /// The URL, with its query.
  public let url: String
  /// Whose responses they are, as a digest; nil for those that the server allows to share.
  public let owner: String?

  /// Creates a place.
  public init(url: String, owner: String?) { (self.url, self.owner) = (url, owner) }
}

/// What a shared store has at a place.
public struct SharedVariants: Sendable {
  /// The stored bytes.
  public var variants: [[UInt8]]
  /// Changes when the URL is removed.
  public var epoch: String

  /// Creates variants.
  public init(_ variants: [[UInt8]], epoch: String) { (self.variants, self.epoch) = (variants, epoch) }
}
