import NovaCore
import NovaSQLite

// What happens to an entry on its way, and what users do with it.
extension OutboxDatabase {
  /// Writes down that an entry is about to be sent.
  ///
  /// - Returns: the entry as it is now; nil if it is gone or has another key.
  func noteAttempt(_ entry: OutboxEntry, now: Double) throws -> OutboxEntry? {
    try update(
      entry, setting: "attempts = attempts + 1, first_attempt_at = ifnull(first_attempt_at, ?), last_attempt_at = ?",
      now, now)
  }

  /// Writes down that an attempt failed, and when the next one is due.
  ///
  /// - Parameter firstAttemptAt: nil if the gateway cannot have seen the entry.
  func noteFailure(
    _ entry: OutboxEntry, _ failure: OutboxFailure, firstAttemptAt: Double?, nextAttemptAt: Double?
  ) throws {
    _ = try update(
      entry, setting: "failure_code = ?, failure_message = ?, first_attempt_at = ?, next_attempt_at = ?",
      failure.code.rawValue,
      failure.message, firstAttemptAt, nextAttemptAt)
  }

  /// Gives an entry that never took effect a new key.
  func replaceKey(of entry: OutboxEntry, by key: String) throws -> OutboxEntry? {
    try change {
      try runUpdate(entry, setting: "key = ?, first_attempt_at = NULL, last_attempt_at = NULL", [key])
    }
    guard let current = queue.entry(entry.id), current.key == key else { return nil }
    return current
  }

  /// Makes an entry a dead letter.
  func bury(_ entry: OutboxEntry, _ failure: OutboxFailure) throws {
    _ = try update(
      entry, setting: "is_dead = 1, next_attempt_at = NULL, failure_code = ?, failure_message = ?",
      failure.code.rawValue,
      failure.message)
  }

  /// Removes an entry that took effect, and gives the entries that are about what it creates the id that the gateway
  /// chose.
  ///
  /// - Parameters:
  ///   - realID: nil if that id is not known; those entries are refused then.
  ///   - beforeCommit: called when everything is written, and not yet on the disk.
  func finish(_ entry: OutboxEntry, realID: String?, now: Double, beforeCommit: () -> Void = {}) throws {
    try change {
      try delete(entry)
      try forgetRealIDs(now: now)
      if let newID = entry.newID {
        if let realID { try setRealID(realID, of: newID, entry.identity, now: now) }
        for later in queue.dependents(of: entry) where later.values.contains(newID) {
          try realID.map { try rewrite(later, [newID: $0]) } ?? orphan(later, entry)
        }
      }
      beforeCommit()
    }
  }

  private func rewrite(_ entry: OutboxEntry, _ ids: [String: String]) throws {
    let request = RequestIDs.replacing(ids, in: entry.request) ?? entry.request
    try runUpdate(
      entry, setting: "request = ?, entities = ?",
      [try OutboxRow.text(request), OutboxRow.text(RequestIDs.replacing(ids, in: entry.entities))])
  }

  private func orphan(_ entry: OutboxEntry, _ creation: OutboxEntry) throws {
    try runUpdate(
      entry, setting: "is_dead = 1, failure_code = ?, failure_message = ?",
      [
        APIError.Code.notFound.rawValue,
        "\(creation.rpc.id) took effect, but the id of what it created is not known; edit the write to name it, or "
          + "discard it",
      ])
  }

  // MARK: Dead letters

  /// Lets entries be sent again as soon as possible.
  ///
  /// - Parameter newKey: the key for an entry whose own key the gateway no longer remembers; nil to keep its key.
  func revive(_ entries: [OutboxEntry], newKey: (OutboxEntry) -> String?) throws {
    try change {
      for entry in entries {
        try runUpdate(entry, setting: "is_dead = 0, next_attempt_at = NULL, attempts = 0", [])
        if let key = newKey(entry) {
          try runUpdate(entry, setting: "key = ?, first_attempt_at = NULL, last_attempt_at = NULL", [key])
        }
      }
    }
  }

  /// Replaces the request of an entry, which waits from then on.
  func replace(_ entry: OutboxEntry, by request: any ProtoMessage, _ entities: [String], key: String) throws {
    try change {
      // It may have been sent meanwhile.
      guard let current = queue.entry(entry.id), current.state == .dead || !current.mayHaveLeft else { return }
      try runUpdate(
        entry,
        setting: """
          request = ?, entities = ?, key = ?, is_dead = 0, attempts = 0, first_attempt_at = NULL, \
          last_attempt_at = NULL, next_attempt_at = NULL, failure_code = NULL, failure_message = NULL
          """, [try OutboxRow.text(request), OutboxRow.text(entities), key])
    }
  }

  func discard(_ ids: [Int64]) throws {
    try change { for id in ids { try delete(id) } }
  }
}
