import NovaCore

/// An identity's overlay, and the writes that it shows. Added writes are added to the overlay; after any other change,
/// the overlay is made again.
struct ShownWrites {
  private(set) var overlay = Overlay()
  private var writes: [Write] = []
  private var attempts: [Attempt] = []

  private struct Write: Hashable {
    let id: Int64
    let requestHash: Int
  }

  /// A write that creates a record, and that the gateway may have carried out.
  private struct Attempt {
    let record: RecordKey
    let check: WriteCheck
    let since: Int64

    init?(_ entry: OutboxEntry) {
      guard let since = entry.firstAttemptAt, let newID = entry.newID, let rule = OfflineRules.write(entry.rpc.id),
        let created = rule.created, let check = rule.check?(entry.request)
      else { return nil }
      (record, self.check, self.since) = (RecordKey(created.kind, newID), check, Int64(since))
    }
  }

  /// Shows these writes, in order, and no others.
  ///
  /// - Returns: whether that changes anything.
  @discardableResult mutating func show(_ entries: [OutboxEntry]) -> Bool {
    attempts = entries.compactMap { Attempt($0) }
    let latest = entries.map { Write(id: $0.id, requestHash: $0.requestHash) }
    if latest == writes { return false }
    let isLonger = latest.count > writes.count && latest.starts(with: writes)
    if isLonger {
      for entry in entries[writes.count...] { overlay.add(entry) }
    } else {
      let arrived = overlay.arrived
      overlay = Overlay(entries)
      overlay.arrived = arrived.filter { overlay.created[$0] != nil }
    }
    writes = latest
    return true
  }

  /// Looks in an answer of the gateway for the records of writes whose own answers were lost.
  mutating func noteArrivals(in response: any ProtoMessage, of rpc: RPCDescriptor) {
    for attempt in attempts where attempt.check.rpc.id == rpc.id {
      guard case .done(let found?) = attempt.check.find(response, attempt.since),
        let places = overlay.created[attempt.record]?.record.places
      else { continue }
      // An equal record elsewhere, for example under another post, is not the one.
      if places.compactMap(\.list).contains(where: { found.places.isIn($0) }) { overlay.arrived.insert(attempt.record) }
    }
  }
}
