import NovaCore

/// What an identity's waiting writes change, in order. Shown on top of the stored facts and never stored with them:
/// when a write is refused, its entry is removed, and the overlay is made again without it.
struct Overlay {
  typealias Patch = (any StoredRecord) -> any StoredRecord

  /// The latest state of each relation, with the number of the write that set it.
  private(set) var relations: [RelationName: (isRelated: Bool, order: Int)] = [:]
  private(set) var created: [RecordKey: (record: any StoredRecord, order: Int)] = [:]
  private(set) var patches: [RecordKey: [Patch]] = [:]
  private(set) var removed: [RecordKey: any StoredRecord.Type] = [:]
  private(set) var raises: [CountName: Int64] = [:]
  private(set) var expired: Set<String> = []

  /// The new records that answers of the gateway already contain, under its own ids, although their writes are not
  /// confirmed. Lists and counts leave them out: they would appear twice.
  var arrived: Set<RecordKey> = []

  private var relationsByCount: [CountName: [RelationName]] = [:]
  private var relationsByList: [ListName: [RelationName]] = [:]
  private var createdByPlace: [RecordPlace: [RecordKey]] = [:]
  private var types: [RecordKey: any StoredRecord.Type] = [:]
  private var order = 0

  var isEmpty: Bool { order == 0 }

  init() {}

  /// Applies all of these writes, in order.
  init(_ waiting: some Sequence<OutboxEntry>) { for entry in waiting { add(entry) } }

  /// Adds the effect of a write, after those of the writes before it.
  mutating func add(_ entry: OutboxEntry) {
    guard let rule = OfflineRules.write(entry.rpc.id) else { return }
    order += 1
    let change = OverlayChange(newID: entry.newID ?? "", time: Int64(entry.createdAt))
    // Collecting an effect cannot fail.
    try? rule.effect(entry.request, nil, change)
    for apply in change.effects { apply(&self) }
  }

  fileprivate mutating func relate(_ name: RelationName, _ isRelated: Bool) {
    if relations[name] == nil { index(name) }
    relations[name] = (isRelated, order)
  }

  fileprivate mutating func raise(_ name: CountName) { raises[name, default: 0] += 1 }

  fileprivate mutating func create(_ record: any StoredRecord) { add(record, order) }

  fileprivate mutating func update(_ key: RecordKey, _ type: any StoredRecord.Type, by patch: @escaping Patch) {
    if let (record, order) = takeCreated(key) { return add(patch(record), order) }
    types[key] = type
    patches[key, default: []].append(patch)
  }

  fileprivate mutating func expire(_ rpc: String) { expired.insert(rpc) }

  private mutating func add(_ record: any StoredRecord, _ order: Int) {
    let key = RecordKey(type(of: record).kind, record.recordID)
    created[key] = (record, order)
    for place in record.places { createdByPlace[place.anywhere, default: []].append(key) }
  }

  private mutating func takeCreated(_ key: RecordKey) -> (record: any StoredRecord, order: Int)? {
    guard let new = created.removeValue(forKey: key) else { return nil }
    for place in new.record.places { createdByPlace[place.anywhere]?.removeAll { $0 == key } }
    return new
  }

  /// Removes a record, and the new records that are removed with it.
  fileprivate mutating func remove(_ key: RecordKey, _ type: any StoredRecord.Type) {
    removed[key] = type
    _ = takeCreated(key)
    guard type.haveChildren else { return }
    for (child, new) in created where child.kind == key.kind && new.record.parentID.hasSameBytes(as: key.id) {
      remove(child, type)
    }
  }

  private mutating func index(_ name: RelationName) {
    guard let rule = OfflineRules.relation(name.kind) else { return }
    for list in rule.lists { relationsByList[ListName(list.kind, [name[list.key]]), default: []].append(name) }
    for count in rule.counts { relationsByCount[CountName(count.kind, [name[count.key]]), default: []].append(name) }
  }

  // MARK: Reading

  /// The relations that move a count.
  func relations(movingCount name: CountName) -> [RelationName] { relationsByCount[name] ?? [] }

  /// The relations that are items of a list.
  func relations(in list: ListName) -> [RelationName] { relationsByList[list] ?? [] }

  /// The new records in a place, in the order of their creation.
  func created(in place: RecordPlace) -> [RecordKey] {
    let keys = createdByPlace[place.anywhere] ?? []
    return arrived.isEmpty ? keys : keys.filter { !arrived.contains($0) }
  }

  /// The stored records that are changed, with their types.
  var changed: [(key: RecordKey, type: any StoredRecord.Type)] {
    types.filter { removed[$0.key] == nil }.map { ($0.key, $0.value) }
  }

  /// A record that is not stored, with the fields that waiting writes set; nil if none of them changes it.
  func guess<Record: StoredRecord>(_ id: String, _ type: Record.Type) -> Record? {
    let key = RecordKey(Record.kind, id)
    guard removed[key] == nil else { return nil }
    if let record = created[key]?.record as? Record { return record }
    let field = Record.descriptor.fields.contains { $0.name == "id" } ? "id" : "user_id"
    let json = JSONValue.members((field, .string(id)))
    guard patches[key] != nil, let record = try? Record(jsonUTF8: json.jsonUTF8) else { return nil }
    return patched(record, key)
  }

  /// A record with its changes.
  func patched<Record: StoredRecord>(_ record: Record, _ key: RecordKey) -> Record {
    guard let patches = patches[key] else { return record }
    var changed: any StoredRecord = record
    for patch in patches { changed = patch(changed) }
    return changed as? Record ?? record
  }
}

extension RecordPlace {
  /// The same place without the end.
  fileprivate var anywhere: RecordPlace {
    if case .list(let name, _) = self { .list(name, at: nil) } else { self }
  }
}

/// Collects the effect of one waiting write.
final class OverlayChange: Change {
  let newID: String
  let time: Int64
  private(set) var effects: [(inout Overlay) -> Void] = []

  init(newID: String, time: Int64) {
    self.newID = newID
    self.time = time
  }

  func relate(_ name: RelationName, _ isRelated: Bool) { effects.append { $0.relate(name, isRelated) } }
  /// Does nothing: a waiting write has no count from the gateway. Its relations and new records move the count.
  func set(_ name: CountName, to value: Int64) {}
  func raise(_ name: CountName) { effects.append { $0.raise(name) } }
  func create<Record: StoredRecord>(_ record: Record) { effects.append { $0.create(record) } }

  func update<Record: StoredRecord>(to record: Record) { update(Record.self, record.recordID) { $0 = record } }

  func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by change: @escaping @Sendable (inout Record) -> Void
  ) {
    let patch: Overlay.Patch = { record in
      guard var record = record as? Record else { return record }
      change(&record)
      return record
    }
    effects.append { $0.update(RecordKey(Record.kind, id), type, by: patch) }
  }

  func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String) {
    effects.append { $0.remove(RecordKey(Record.kind, id), type) }
  }

  func expire(_ rpc: String) { effects.append { $0.expire(rpc) } }
}

/// The facts that waiting writes themselves state, for their answers when nothing stored can be read.
final class WaitingFacts: Facts {
  private let overlay: Overlay

  init(_ overlay: Overlay) { self.overlay = overlay }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {
    record = overlay.guess(id, Record.self)
    found = record != nil
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) {
    if let guess = overlay.guess(id, Record.self) { record = guess }
  }

  func relation(_ name: RelationName, _ value: inout Bool) {
    if let waiting = overlay.relations[name] { value = waiting.isRelated }
  }
}
