import NovaCore
import NovaOffline

/// The store of a command, and what the command has used of it.
final class StoredAnswers: Sendable {
  let store: OfflineStore
  let directory: OfflineDirectory
  private let use: StoreUse
  private let sources = Locked(Sources())

  private struct Sources {
    var fetchedCount = 0
    var waitingCount = 0
    /// The age of each answer from the store; nil if it is not known.
    var ages: [Duration?] = []
  }

  init(_ directory: OfflineDirectory, _ use: StoreUse) {
    (self.directory, self.use) = (directory, use)
    var options = OfflineOptions()
    if let policy = use.policy { options.policy = policy }
    // The command would end before the background work does.
    options.sendsInBackground = false
    store = OfflineStore(directory: directory.path, options: options)
  }

  /// Notes where an answer came from.
  func note(_ source: ResponseSource) {
    sources.withLock { sources in
      switch source {
      case .network: sources.fetchedCount += 1
      case .cache(let age): sources.ages.append(age)
      case .outbox: sources.waitingCount += 1
      }
    }
  }

  /// What to tell the user about outboxes that were damaged.
  var damageNotices: [String] { directory.damageNotices }

  /// Whether a change was not sent.
  var hasWaiting: Bool { sources.withLock { $0.waitingCount > 0 } }

  /// Reports what was not sent, and on a terminal also what was not fetched.
  ///
  /// - Parameter outbox: the outbox of the command's caller.
  func report(_ outbox: Outbox?) {
    let sources = sources.withLock { $0 }
    if let line = waitingLine(sources.waitingCount, outbox) { Diagnostics.confirmation(line) }
    guard System.isTerminal(System.standardError) else { return }
    if let line = Self.line(ages: sources.ages, fetchedCount: sources.fetchedCount) { Diagnostics.note(line) }
    if sources.waitingCount == 0, sources.fetchedCount > 0, let line = reminder(outbox?.state) {
      Diagnostics.note(line)
    }
  }

  /// What to do about changes that an earlier command has queued; nil if the queue is empty.
  private func reminder(_ state: OutboxState?) -> String? {
    guard case .chosen = use, let count = state?.waiting, count > 0 else { return nil }
    let changes = CountText.phrase(count, one: "change waits", many: "changes wait")
    return "\(changes) in the outbox; send with `nova outbox flush`"
  }

  private func waitingLine(_ count: Int, _ outbox: Outbox?) -> String? {
    guard count > 0 else { return nil }
    let state = outbox?.state
    if let state, state.waiting + state.blocked == 0 {
      return "not sent: it undoes a change that waited; both are dropped"
    }
    // If the answer was lost, it is unknown whether the change took effect.
    let attemptedCount = outbox?.latest(count).count { $0.firstAttemptAt != nil } ?? 0
    if attemptedCount > 0 {
      return count == 1
        ? "not confirmed: it may have taken effect; it waits in the outbox, which sends it again under the same key (nova "
          + "outbox list)"
        : "not confirmed: \(CountText.full(count)) changes wait in the outbox (nova outbox list), of which "
          + "\(CountText.full(attemptedCount)) may have taken effect; they are sent again under the same key"
    }
    return count == 1
      ? "not sent yet: it waits in the outbox (nova outbox list)"
      : "not sent yet: \(CountText.full(count)) changes wait in the outbox (nova outbox list)"
  }

  /// `from the cache, 5 min old`; nil if all was fetched.
  static func line(ages: [Duration?], fetchedCount: Int) -> String? {
    guard !ages.isEmpty else { return nil }
    let known = ages.compactMap(\.self)
    let age = known.count == ages.count ? known.max().map { "\($0.asAge) old" } : nil
    return "\(fetchedCount > 0 ? "partly " : "")from the cache, \(age ?? "changed here since it was read")"
  }

  /// The failure of a call that the store has caused; nil for other errors.
  func failure(for error: APIError) -> Failure? {
    guard let rpc = error.rpc else { return nil }
    if error.transport?.kind == .offline, use.isOffline {
      return Failure(
        "cannot call \(rpc) offline: it is never stored and never waits",
        hint: "Run the command again without --offline.", .noConnection)
    }
    guard error.meansNotStored else { return nil }
    return Failure("not stored: the answer of \(rpc)", hint: adviceToStore, .noConnection)
  }

  private var adviceToStore: String {
    let advice = "Run the command once with --cache network-first, which stores what it reads."
    let isSetting = if case .chosen(let options) = use { !options.offline && options.cache == nil } else { false }
    return isSetting ? "Turn offline mode off with NOVA_OFFLINE=0 or in APIConfig.json. \(advice)" : advice
  }
}

extension Duration {
  /// The largest unit that fits: `12 s`, `5 min`, `3 h`, `4 days`.
  fileprivate var asAge: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<60: "\(max(0, seconds)) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<(48 * 3600): "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
