/// The entries in order, and what follows from the order. Pure: everything about time is given.
struct OutboxQueue: Sendable {
  /// All entries, also of other accounts, by ascending id. Those that wait for a refused one are `blocked`.
  let entries: [OutboxEntry]

  init(_ entries: [OutboxEntry] = []) { self.entries = Self.resolved(entries) }

  /// Finds the entries that are about what a refused or blocked one creates.
  private static func resolved(_ entries: [OutboxEntry]) -> [OutboxEntry] {
    var entries = entries
    // The refused entry that an id waits for; by account, so that equal ids of two accounts never meet.
    var stuck: [String: [String: Int64]] = [:]
    for index in entries.indices {
      let entry = entries[index]
      if entry.state != .dead {
        let roots = stuck[entry.account].map { roots in entry.values.compactMap { roots[$0] } }
        let root = roots?.min()
        entries[index].state = root.map { .blocked(by: $0) } ?? .waiting
      }
      guard let newID = entry.newID else { continue }
      switch entries[index].state {
      case .waiting: break
      case .dead: stuck[entry.account, default: [:]][newID] = entry.id
      case .blocked(let root): stuck[entry.account, default: [:]][newID] = root
      }
    }
    return entries
  }

  /// The entries of an account that are not refused, in order.
  func undelivered(_ account: String) -> [OutboxEntry] { entries.filter { $0.account == account && $0.state != .dead } }

  func entry(_ id: Int64) -> OutboxEntry? { entries.first { $0.id == id } }

  /// The entries of an account that wait for no earlier one, in order.
  func ready(_ account: String) -> [OutboxEntry] {
    var busy: Set<String> = []
    var created: Set<String> = []
    var ready: [OutboxEntry] = []
    for entry in entries where entry.account == account && entry.state == .waiting {
      if busy.isDisjoint(with: entry.entities), created.isDisjoint(with: entry.values) { ready.append(entry) }
      busy.formUnion(entry.entities)
      if let newID = entry.newID { created.insert(newID) }
    }
    return ready
  }

  /// The entries that are about what an entry creates, or about what those create, in order.
  func dependents(of entry: OutboxEntry) -> [OutboxEntry] {
    guard let newID = entry.newID else { return [] }
    var ids: Set = [newID]
    var dependents: [OutboxEntry] = []
    for later in entries where later.id > entry.id && later.account == entry.account {
      guard !ids.isDisjoint(with: later.values) else { continue }
      dependents.append(later)
      if let newID = later.newID { ids.insert(newID) }
    }
    return dependents
  }

  /// The waiting writes that set a relation, in order.
  func setting(_ relation: RelationName, _ account: String) -> [OutboxEntry] {
    entries.filter { $0.account == account && $0.state == .waiting && $0.relation == relation }
  }
}
