import NovaCore
import NovaSQLite

/// Counts and relations.
struct NumberTable {
  let database: SQLiteConnection
  let partition: Int64
  /// The sequence of the numbers that are stored.
  let sequence: Int64

  struct Entry {
    var value: Int64
    var storedAt: Int64
    /// How many writes were confirmed when it was requested or changed.
    var sequence: Int64
  }

  func count(_ name: CountName) throws -> Entry? { try entry(name.kind, a: JoinedKey.text(name.key), b: "") }

  func relation(_ name: RelationName) throws -> (isRelated: Bool, storedAt: Int64, sequence: Int64)? {
    try entry(name.kind, a: name.a, b: name.b).map { ($0.value != 0, $0.storedAt, $0.sequence) }
  }

  /// Stores a count, unless what is stored is newer.
  func put(_ name: CountName, _ value: Int64, storedAt: Int64) throws {
    let value = min(max(value, 0), Int64(PageName.longestList))
    try put(name.kind, a: JoinedKey.text(name.key), b: "", value, storedAt: storedAt)
  }

  func put(_ name: RelationName, _ isRelated: Bool, storedAt: Int64) throws {
    try put(name.kind, a: name.a, b: name.b, isRelated ? 1 : 0, storedAt: storedAt)
  }

  /// Moves a known count, which keeps its age or loses it.
  ///
  /// - Parameter time: until when the count did not contain the change, in Unix milliseconds; 0 if that is unknown. A
  ///   count of a later time may contain it, and loses its age.
  func move(_ name: CountName, by difference: Int64, notCountedAt time: Int64) throws {
    try database.statement(
      """
      UPDATE numbers SET value = max(0, value + ?), sequence = ?, stored_at = stored_at * (stored_at <= ?)
      WHERE partition = ? AND kind = ? AND a = ? AND b = ''
      """
    ).bind(difference, sequence, time, partition, name.kind, JoinedKey.text(name.key)).run()
  }

  /// Takes the age from a count, so that it is read again.
  func doubt(_ name: CountName) throws { try move(name, by: 0, notCountedAt: 0) }

  /// Takes the age from the counts of a kind, so that they are read again.
  ///
  /// - Parameter subject: the first part of their key; nil for all.
  func doubt(_ kind: String, of subject: String? = nil) throws {
    try database.statement(
      """
      UPDATE numbers SET stored_at = 0 WHERE partition = ? AND kind = ? AND b = ''
      AND (? OR a = ? OR substr(a, 1, ?) = ?)
      """
    ).bind(
      partition, kind, subject == nil, subject, JoinedKey.beginning(subject ?? "").unicodeScalars.count,
      JoinedKey.beginning(subject ?? "")
    ).run()
  }

  private func entry(_ kind: String, a: String, b: String) throws -> Entry? {
    try database.statement(
      "SELECT value, stored_at, sequence FROM numbers WHERE partition = ? AND kind = ? AND a = ? AND b = ?"
    ).bind(partition, kind, a, b).firstRow { Entry(value: $0.int64(0), storedAt: $0.int64(1), sequence: $0.int64(2)) }
  }

  private func put(_ kind: String, a: String, b: String, _ value: Int64, storedAt: Int64) throws {
    try database.statement(
      """
      INSERT INTO numbers (partition, kind, a, b, value, sequence, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (partition, kind, a, b) DO UPDATE SET
        value = excluded.value, sequence = excluded.sequence, stored_at = excluded.stored_at
      WHERE excluded.sequence >= sequence
      """
    ).bind(partition, kind, a, b, value, sequence, storedAt).run()
  }
}

/// The parts of a key as one text. Ids can contain any character, so each part is preceded by its length.
enum JoinedKey {
  static func text(_ parts: [String]) -> String {
    // Most keys have one part.
    parts.count == 1 ? parts[0] : parts.map(beginning).joined()
  }

  /// The beginning of the text of a key with several parts.
  static func beginning(_ first: String) -> String { "\(first.utf8.count):\(first)" }

  /// Whether the first part of a key is this one.
  static func begins(_ key: String, with first: String) -> Bool {
    key.hasSameBytes(as: first) || key.begins(withBytesOf: beginning(first))
  }
}
