import NovaCore

/// The writes that an overlay shows, to bring it up to date without beginning anew where writes have only been added.
struct ShownWrites {
  private struct Write: Hashable {
    let id: Int64
    let requestHash: Int
  }

  private var writes: [Write] = []

  /// Lets an overlay show these writes, in order.
  ///
  /// - Returns: whether that changes anything.
  @discardableResult mutating func show(_ entries: [OutboxEntry], in overlay: inout Overlay) -> Bool {
    let latest = entries.map { Write(id: $0.id, requestHash: $0.requestHash) }
    if latest == writes { return false }
    let isLonger = latest.count > writes.count && latest.starts(with: writes)
    if isLonger {
      for entry in entries[writes.count...] { overlay.add(entry) }
    } else {
      overlay = Overlay(entries)
    }
    writes = latest
    return true
  }
}
