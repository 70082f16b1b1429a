package import NovaCore

/// The entries in order, and what follows from the order. Pure: without time, files, or calls.
///
/// An entry waits for the earlier entries of its identity that are about the same entities, and for those that create
/// what it names by a temporary id. If one of the latter is refused, the entry is blocked, and so are those that wait for
/// what it creates. Other entries can be sent in any order.
package struct OutboxQueue: Sendable {
  /// How many entries an identity has.
  struct Counts: Sendable, Hashable {
    var waiting = 0
    var blocked = 0
    var dead = 0

    var undelivered: Int { waiting + blocked }

    fileprivate mutating func add(_ state: OutboxEntry.State, _ number: Int) {
      switch state {
      case .waiting: waiting += number
      case .blocked: blocked += number
      case .dead: dead += number
      }
    }
  }

  /// All entries of all identities, by ascending id. Entries that wait for a refused one are `blocked`.
  package private(set) var entries: [OutboxEntry]
  /// The identities that have entries.
  private(set) var counts: [Identity: Counts] = [:]

  package init(_ entries: [OutboxEntry] = []) {
    self.entries = Self.resolved(entries)
    for entry in self.entries { count(entry, 1) }
  }

  /// Marks the entries that are about what a refused or blocked entry creates.
  private static func resolved(_ entries: [OutboxEntry]) -> [OutboxEntry] {
    var entries = entries
    // The refused entry that an id waits for. By identity, so that equal ids of two identities stay apart.
    var stuck: [Identity: [String: Int64]] = [:]
    for index in entries.indices {
      let entry = entries[index]
      if entry.state != .dead {
        let roots = stuck[entry.identity].map { roots in entry.values.compactMap { roots[$0] } }
        let root = roots?.min()
        entries[index].state = root.map { .blocked(by: $0) } ?? .waiting
      }
      guard let newID = entry.newID else { continue }
      switch entries[index].state {
      case .waiting: break
      case .dead: stuck[entry.identity, default: [:]][newID] = entry.id
      case .blocked(let root): stuck[entry.identity, default: [:]][newID] = root
      }
    }
    return entries
  }

  // MARK: Changes

  /// Puts entries in the places of those with their ids, or after the others, and removes some.
  package mutating func update(_ changed: [OutboxEntry], removing removed: [Int64]) {
    let wasBlocking = counts.values.contains { $0.dead > 0 }
    for id in removed {
      guard let index = index(of: id) else { continue }
      count(entries.remove(at: index), -1)
    }
    for entry in changed {
      let place = place(of: entry.id)
      count(entry, 1)
      if place < entries.count, entries[place].id == entry.id {
        count(entries[place], -1)
        entries[place] = entry
      } else {
        entries.insert(entry, at: place)
      }
    }
    if wasBlocking || changed.contains(where: { $0.state == .dead }) { self = OutboxQueue(entries) }
  }

  private mutating func count(_ entry: OutboxEntry, _ number: Int) {
    counts[entry.identity, default: Counts()].add(entry.state, number)
    if counts[entry.identity] == Counts() { counts[entry.identity] = nil }
  }

  /// The number of entries with lower ids.
  private func place(of id: Int64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func index(of id: Int64) -> Int? {
    let place = place(of: id)
    return place < entries.count && entries[place].id == id ? place : nil
  }

  // MARK: Questions

  /// The entries of an identity, in order.
  func entries(of identity: Identity) -> [OutboxEntry] {
    counts[identity] == nil ? [] : entries.filter { $0.identity == identity }
  }

  /// The entries of an identity that are not refused, in order.
  func undelivered(_ identity: Identity) -> [OutboxEntry] {
    counts[identity, default: Counts()].undelivered == 0
      ? [] : entries.filter { $0.identity == identity && $0.state != .dead }
  }

  package func entry(_ id: Int64) -> OutboxEntry? { index(of: id).map { entries[$0] } }

  /// Whether an entry is about one of these entities, or creates it.
  func hasWaiting(_ entities: [String], identity: Identity) -> Bool {
    guard counts[identity] != nil else { return false }
    let all = Set(entities)
    let parts = Set(entities.flatMap { RequestIDs.parts($0) })
    return entries.contains { entry in
      guard entry.identity == identity else { return false }
      if entry.state != .dead, !all.isDisjoint(with: entry.entities) { return true }
      return entry.newID.map { parts.contains($0) } ?? false
    }
  }

  /// The first entry of an identity that waits for no earlier one and fits. Looks at no further entries.
  package func firstReady(_ identity: Identity, where fits: (OutboxEntry) -> Bool) -> OutboxEntry? {
    guard let count = counts[identity]?.waiting, count > 0 else { return nil }
    var busy: Set<String> = []
    var created: Set<String> = []
    for entry in entries where entry.identity == identity && entry.state == .waiting {
      if busy.isDisjoint(with: entry.entities), created.isDisjoint(with: entry.values), fits(entry) { return entry }
      busy.formUnion(entry.entities)
      if let newID = entry.newID { created.insert(newID) }
    }
    return nil
  }

  /// The entries that are about what an entry creates, directly or indirectly, in order.
  package func dependents(of entry: OutboxEntry) -> [OutboxEntry] {
    guard let newID = entry.newID else { return [] }
    var ids: Set = [newID]
    var dependents: [OutboxEntry] = []
    for later in entries[place(of: entry.id + 1)...] where later.identity == entry.identity {
      guard !ids.isDisjoint(with: later.values) else { continue }
      dependents.append(later)
      if let newID = later.newID { ids.insert(newID) }
    }
    return dependents
  }

  /// The waiting writes that set a relation, in order.
  func setting(_ relation: RelationName, _ identity: Identity) -> [OutboxEntry] {
    entries.filter { $0.identity == identity && $0.state == .waiting && $0.relation == relation }
  }
}
