import NovaCore
import NovaSQLite

/// Ordered lists: who follows a user, the comments on a post, ….
///
/// Any places of a list can be known. A place is an index from 0 in the order of the server. The file has ranks: an
/// item's place is its rank minus the list's `first_rank`, so an insertion at the front moves no other item. A gap
/// between ranks is a place that is not known. Pages of the server fill places; confirmed writes insert and remove
/// items. When the order of the stored items is no longer sure, they are forgotten, and read again as pages.
struct ListTable {
  let database: SQLiteConnection
  let partition: Int64
  let now: Int64
  /// The sequence of the pages that are stored, and of changes.
  let sequence: Int64

  /// A stored list, without its items.
  struct List {
    let number: Int64
    var firstRank: Int64
    /// How many items it has; nil if that is unknown.
    var length: Int?
    /// The number of the last confirmed write that changed it.
    var sequence: Int64
    /// When a page was last stored.
    var storedAt: Int64
  }

  struct Item {
    let index: Int
    let id: String
    let storedAt: Int64
  }

  // MARK: Reading

  func list(_ name: ListName) throws -> List? {
    try database.statement(
      "SELECT number, first_rank, length, sequence, stored_at FROM lists WHERE partition = ? AND kind = ? AND key = ?"
    ).bind(partition, name.kind, JoinedKey.text(name.key)).firstRow(List.init)
  }

  /// The numbers of all lists of a kind, with their joined keys.
  func all(_ kind: String) throws -> [(list: List, key: String)] {
    var lists: [(list: List, key: String)] = []
    try database.statement(
      "SELECT number, first_rank, length, sequence, stored_at, key FROM lists WHERE partition = ? AND kind = ?"
    ).bind(partition, kind).forEachRow { lists.append((List($0), $0.text(5))) }
    return lists
  }

  /// The known places within a range, in order.
  func items(of list: List, in range: Range<Int>) throws -> [Item] {
    var items: [Item] = []
    try database.statement(
      "SELECT rank, id, stored_at FROM items WHERE list = ? AND rank >= ? AND rank < ? ORDER BY rank"
    )
    .bind(list.number, list.firstRank + Int64(range.lowerBound), list.firstRank + Int64(range.upperBound))
    .forEachRow { row in
      items.append(Item(index: Int(row.int64(0) - list.firstRank), id: row.text(1), storedAt: row.int64(2)))
    }
    return items
  }

  /// The place of an item; nil if it is unknown.
  func index(of id: String, in list: List) throws -> Int? {
    try database.statement("SELECT rank FROM items WHERE list = ? AND id = ?").bind(list.number, id)
      .firstRow { Int($0.int64(0) - list.firstRank) }
  }

  /// When the oldest place was stored, if all of them are known; nil if some are not.
  func knownWholeSince(_ list: List) throws -> Int64? {
    guard let length = list.length else { return nil }
    return try database.statement("SELECT count(*), min(stored_at) FROM items WHERE list = ?").bind(list.number)
      .firstRow { row in
        guard row.int(0) == length else { return nil }
        return row.isNull(1) ? list.storedAt : min(row.int64(1), list.storedAt)
      } ?? nil
  }

  func knownCount(of list: List) throws -> Int {
    try database.statement("SELECT count(*) FROM items WHERE list = ?").bind(list.number).firstRow { $0.int(0) } ?? 0
  }

  // MARK: Pages of the server

  /// Stores a page, unless a write has changed the list since it was requested. If the page shows that the list was
  /// changed elsewhere since its other pages were stored, they are discarded: a list never shows an item twice, or one
  /// that is gone.
  ///
  /// - Parameters:
  ///   - offset: the place of its first item.
  ///   - length: how many items the list has; nil if the page does not show it.
  ///   - isRest: whether the stored items after the page may be gone.
  func storePage(
    _ ids: [String], of name: ListName, at offset: Int, length: Int?, isRest: Bool = false, storedAt: Int64
  ) throws {
    var list = try list(name) ?? insert(name)
    guard sequence >= list.sequence else { return }
    // Ranks near the end of the integers would overflow; no server has so long a list.
    guard (0..<PageName.longestList).contains(offset) else { return }
    guard ids.withoutRepeats().count == ids.count else { return try removeItems(of: list) }
    let (first, end) = (list.firstRank + Int64(offset), list.firstRank + Int64(offset + ids.count))
    let isOtherLength = length != nil && list.length != nil && length != list.length
    if try isOtherLength || isElsewhere(ids, than: first..<end, in: list) {
      try removeItems(of: list)
    } else {
      let isLast = isRest || length.map { $0 <= offset + ids.count } ?? false
      try database.statement("DELETE FROM items WHERE list = ? AND rank >= ? AND (rank < ? OR ?)")
        .bind(list.number, first, end, isLast).run()
    }
    let insertion = try database.statement("INSERT INTO items (list, rank, id, stored_at) VALUES (?, ?, ?, ?)")
    for (index, id) in ids.enumerated() { try insertion.bind(list.number, first + Int64(index), id, storedAt).run() }
    if let length { list.length = length }
    list.storedAt = storedAt
    try update(list)
  }

  private func isElsewhere(_ ids: [String], than ranks: Range<Int64>, in list: List) throws -> Bool {
    let selection = try database.statement("SELECT rank FROM items WHERE list = ? AND id = ?")
    for id in ids {
      if let rank = try selection.bind(list.number, id).firstRow({ $0.int64(0) }), !ranks.contains(rank) { return true }
    }
    return false
  }

  private func insert(_ name: ListName) throws -> List {
    try database.statement("INSERT INTO lists (partition, kind, key, stored_at, used_at) VALUES (?, ?, ?, 0, ?)")
      .bind(partition, name.kind, JoinedKey.text(name.key), now).run()
    guard let list = try list(name) else { preconditionFailure("the list was just inserted") }
    return list
  }

  // MARK: Confirmed writes

  /// Puts an item first, unless it is in the list. In a list without an age, it has none.
  func insertFirst(_ id: String, into list: List, storedAt: Int64) throws {
    try change(list) { list in
      if try index(of: id, in: list) != nil { return }
      list.firstRank -= 1
      if let length = list.length { list.length = length + 1 }
      try database.statement("INSERT INTO items (list, rank, id, stored_at) VALUES (?, ?, ?, ?)")
        .bind(list.number, list.firstRank, id, list.storedAt == 0 ? 0 : storedAt).run()
    }
  }

  /// Puts an item last, unless it is in the list. In a list without an age, it has none.
  ///
  /// - Parameter length: how many items the list has without it.
  func insertLast(_ id: String, into list: List, length: Int, storedAt: Int64) throws {
    try change(list) { list in
      if try index(of: id, in: list) != nil { return }
      if list.length != nil { list.length = length + 1 }
      try database.statement("INSERT OR REPLACE INTO items (list, rank, id, stored_at) VALUES (?, ?, ?, ?)")
        .bind(list.number, list.firstRank + Int64(length), id, list.storedAt == 0 ? 0 : storedAt).run()
    }
  }

  /// Removes an item. If its place is unknown, so are the items that move up: only the places before the first unknown one
  /// stay.
  func remove(_ id: String, from list: List) throws {
    try change(list) { list in
      if let place = try index(of: id, in: list) {
        let rank = list.firstRank + Int64(place)
        try database.statement("DELETE FROM items WHERE list = ? AND rank = ?").bind(list.number, rank).run()
        try closeGap(after: rank, in: list)
        if let length = list.length { list.length = max(0, length - 1) }
      } else {
        let unknown = try firstUnknownIndex(of: list)
        try database.statement("DELETE FROM items WHERE list = ? AND rank >= ?")
          .bind(list.number, list.firstRank + Int64(unknown)).run()
        list.length = nil
      }
    }
  }

  /// Notes a write that the list already shows. Pages that were requested before the write may not show it.
  func keep(_ list: List) throws { try change(list) { _ in } }

  /// Forgets the items of a list whose order is no longer known.
  func forgetItems(of list: List) throws {
    try change(list) { list in
      try removeItems(of: list)
      list.length = nil
    }
  }

  /// Takes the age from the lists of a kind, so that they are read again.
  ///
  /// - Parameter subject: the first part of their key; nil for all.
  func doubt(_ kind: String, of subject: String? = nil) throws {
    for (list, key) in try all(kind) where subject.map({ JoinedKey.begins(key, with: $0) }) ?? true {
      try doubt(list)
    }
  }

  /// Takes the age from a list, so that it is read again.
  func doubt(_ list: List) throws {
    try change(list) { list in
      try database.statement("UPDATE items SET stored_at = 0 WHERE list = ?").bind(list.number).run()
      list.storedAt = 0
    }
  }

  /// Removes the lists of a kind with this first part of their key.
  func removeLists(_ kind: String, of subject: String) throws {
    for (list, key) in try all(kind) where JoinedKey.begins(key, with: subject) {
      try database.statement("DELETE FROM lists WHERE number = ?").bind(list.number).run()
    }
  }

  private func closeGap(after rank: Int64, in list: List) throws {
    // In two steps, because ranks are unique at every moment.
    let far: Int64 = 1 << 60
    try database.statement("UPDATE items SET rank = rank + ? WHERE list = ? AND rank > ?")
      .bind(far, list.number, rank).run()
    try database.statement("UPDATE items SET rank = rank - ? WHERE list = ? AND rank > ?")
      .bind(far + 1, list.number, far / 2).run()
  }

  private func removeItems(of list: List) throws {
    try database.statement("DELETE FROM items WHERE list = ?").bind(list.number).run()
  }

  private func firstUnknownIndex(of list: List) throws -> Int {
    var index = 0
    try database.statement("SELECT rank FROM items WHERE list = ? ORDER BY rank").bind(list.number).forEachRow { row in
      if row.int64(0) - list.firstRank == Int64(index) { index += 1 }
    }
    return index
  }

  /// Changes a list by a confirmed write.
  private func change(_ list: List, _ body: (inout List) throws -> Void) throws {
    var list = list
    try body(&list)
    list.sequence = sequence
    try update(list)
  }

  private func update(_ list: List) throws {
    try database.statement(
      "UPDATE lists SET first_rank = ?, length = ?, sequence = ?, stored_at = ?, used_at = ? WHERE number = ?"
    ).bind(list.firstRank, list.length, list.sequence, list.storedAt, now, list.number).run()
  }
}

extension ListTable.List {
  fileprivate init(_ row: SQLiteStatement) {
    self.init(
      number: row.int64(0), firstRank: row.int64(1), length: row.isNull(2) ? nil : row.int(2), sequence: row.int64(3),
      storedAt: row.int64(4))
  }
}
