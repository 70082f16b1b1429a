import NovaCore
import NovaOffline
import NovaRegistry

/// The entries of a subject as they can be sent: with the IDs that the gateway has given, and in order.
struct SubjectEntries: Sendable {
  var queue = OutboxQueue()
  /// Entries that can never be sent as they are, and why.
  var invalid: [(entry: StoredEntry, failure: OutboxFailure)] = []
  /// Whether there are more waiting entries.
  var hasMore = false

  /// Reads the entries in a window.
  ///
  /// - Parameter realIDs: returns the known IDs, by temporary ID; nil for one that is unknown.
  init(
    _ window: OutboxTable.Window, realIDs: (Set<String>) async throws -> [String: String?]
  ) async throws {
    hasMore = window.isFull
    var read: [(stored: StoredEntry, entry: OutboxEntry)] = []
    for stored in window.entries {
      if let entry = stored.entry() {
        if !stored.isDead, let failure = Self.refusal(of: entry) { invalid.append((stored, failure)) }
        read.append((stored, entry))
      } else if !stored.isDead, let failure = Self.problem(of: stored) {
        invalid.append((stored, failure))
      }
    }
    let refused = Set(invalid.map(\.entry.id))
    read.removeAll { refused.contains($0.stored.id) }
    var entries = read.map(\.entry)
    if window.hasIDs {
      let ids = try await realIDs(entries.reduce(into: []) { $0.formUnion($1.values) })
      if !ids.isEmpty { entries = read.compactMap { translated($0.stored, $0.entry, with: ids) } }
    }
    queue = OutboxQueue(entries)
  }

  /// The entry with real IDs; nil if one of them is unknown, so that the entry cannot be sent.
  private mutating func translated(
    _ stored: StoredEntry, _ entry: OutboxEntry, with ids: [String: String?]
  ) -> OutboxEntry? {
    let named = ids.filter { entry.values.contains($0.key) }
    if named.isEmpty { return entry }
    let known = named.compactMapValues(\.self)
    if known.count < named.count, !stored.isDead {
      invalid.append(
        (
          stored,
          OutboxFailure(
            .notFound,
            "an earlier write took effect, but the id of what it created is not known; edit the write to name it, or "
              + "discard it")
        ))
      return nil
    }
    var stored = stored
    guard let request = RequestIDs.replacing(known, in: entry.request), let text = try? StoredEntry.text(request) else {
      return entry
    }
    stored.request = Array(text.utf8)
    return stored.entry() ?? entry
  }

  /// Why an entry that this version reads can never be sent; nil if it can.
  private static func refusal(of entry: OutboxEntry) -> OutboxFailure? {
    do {
      try Outbox.check(entry.request, of: entry.rpc)
      return nil
    } catch {
      return (error as? APIError).map { OutboxFailure($0) } ?? OutboxFailure(.invalidArgument, "\(error)")
    }
  }

  /// Why an entry cannot be read; nil if another version of the SDK may be able to.
  private static func problem(of stored: StoredEntry) -> OutboxFailure? {
    guard let rpc = RPCRegistry.nova.rpc(named: stored.rpc) else { return nil }
    do {
      _ = try rpc.requestType.init(jsonUTF8: stored.request)
      return OutboxFailure(.invalidArgument, "the subject is not user:<ID> at <base URL of the gateway>")
    } catch {
      return OutboxFailure(.invalidArgument, "the request does not match the contract: \(error)")
    }
  }
}
