import NovaCore
import NovaEvents

/// An event whose facts are to be stored.
struct ReceivedEvent: Sendable {
  let event: Event
  let identity: Identity
  /// When it came, in Unix seconds of the gateway's clock.
  let serverTime: Double

  /// Call within a transaction.
  func store(in tables: FactTables) throws {
    // A confirmed change as any other: answers that were requested before it are older.
    try AnnouncedChange(event, tables, sequence: tables.nextWrite(), serverTime: serverTime).apply()
  }
}
