import NovaCore

/// The callers of the latest events, except the client's own user: their sessions, and the credentials that their
/// events are sent with. In memory only. Beyond the limit, the callers that have been inactive longest are forgotten.
struct RecentCallers: Sendable {
  /// The maximum number of callers.
  static let limit = 10_000

  private struct Entry {
    var session = TrackingSession()
    let anonymousID = RequestID.random()
    var credentials: CallOptions?
    /// Increases with each change of the credentials, so that a refusal of earlier ones does not remove them.
    var revision = 0
    var use = 0
  }

  private let limit: Int
  private var entries: [AnalyticsCaller: Entry] = [:]
  /// The callers that represent providers without a signed-in user. The caller's entry keeps the provider alive, so
  /// that no other object gets its ID.
  private var providers: [ObjectIdentifier: AnalyticsCaller] = [:]
  private var uses = 0
  private var revisions = 0

  init(limit: Int = Self.limit) { self.limit = limit }

  var count: Int { entries.count }

  /// The session and anonymous ID of a caller's event.
  mutating func use(
    _ caller: AnalyticsCaller, credentials: CallOptions, at now: ContinuousClock.Instant, inactivity: Duration
  ) -> (sessionID: String, anonymousID: String) {
    setCredentials(credentials, of: caller)
    guard var entry = entries[caller] else { return ("", "") }
    let session = entry.session.use(at: now, inactivity: inactivity)
    entries[caller] = entry
    return (session, entry.anonymousID)
  }

  /// Keeps the credentials that a caller's events can be sent with.
  mutating func setCredentials(_ credentials: CallOptions, of caller: AnalyticsCaller) {
    uses += 1
    revisions += 1
    var entry = entries[caller] ?? Entry()
    (entry.credentials, entry.use, entry.revision) = (credentials, uses, revisions)
    entries[caller] = entry
    if entries.count > limit { removeOldest() }
  }

  /// The caller of a provider's events while no user is known to be signed in there.
  mutating func caller(at provider: any TokenProvider) -> AnalyticsCaller {
    guard type(of: provider) is AnyObject.Type else { return .provider(RequestID.random()) }
    let id = ObjectIdentifier(provider as AnyObject)
    if let known = providers[id], entries[known] != nil { return known }
    let caller = AnalyticsCaller.provider(RequestID.random())
    providers[id] = caller
    return caller
  }

  /// The credentials that a caller's events can be sent with; nil if they are not in memory.
  func credentials(of caller: AnalyticsCaller) -> (options: CallOptions, revision: Int)? {
    entries[caller].flatMap { entry in entry.credentials.map { ($0, entry.revision) } }
  }

  /// Forgets credentials that were refused, unless they have been replaced since.
  mutating func removeCredentials(of caller: AnalyticsCaller, revision: Int) {
    if entries[caller]?.revision == revision { entries[caller]?.credentials = nil }
  }

  mutating func removeAll() {
    entries = [:]
    providers = [:]
  }

  /// Removes a tenth of the callers, so that a full table does not cost a sort for each event.
  private mutating func removeOldest() {
    let oldest = entries.sorted { $0.value.use < $1.value.use }.prefix(max(limit / 10, 1))
    for (caller, _) in oldest { entries[caller] = nil }
    providers = providers.filter { entries[$0.value] != nil }
  }
}
