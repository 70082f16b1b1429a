import NovaCore
import NovaEvents

/// What was known when a request was sent.
struct RequestStart: Sendable {
  /// How many writes were confirmed.
  let sequence: Int64
  /// The moment in the history of sign-outs and of events, see ``LastChanges``.
  let moment: (forgotten: Int, events: Int)
  /// Whether another write was in progress.
  let overlapsWrite: Bool
  /// In Unix milliseconds.
  let time: Int64
}

/// What the gateway has sent, and the cache stores soon.
protocol Arrival: Sendable {
  var identity: Identity { get }

  /// Call within a transaction.
  func store(in tables: FactTables) throws
}

/// An answer of the gateway whose facts are to be stored.
struct ReceivedAnswer: Arrival {
  let rule: ReadRule
  let request: any ProtoMessage
  let response: any ProtoMessage
  let identity: Identity
  /// How many writes were confirmed when the answer was requested.
  let sequence: Int64
  /// Whether a write was in progress, so that facts can be from before or after it.
  let overlapsWrite: Bool
  /// When the answer arrived, in Unix milliseconds.
  let time: Int64

  func store(in tables: FactTables) throws {
    let writeCount = try tables.writeCount()
    // The file was recreated since the request: newer facts would seem to be older.
    guard sequence <= writeCount else { return }
    let storedAt = !overlapsWrite && writeCount == sequence ? time : 0
    let tables = tables.with(sequence: sequence)
    _ = try rule.visit(request, response, FactStorer(tables: tables, storedAt: storedAt))
    guard rule.isRecorded else { return }
    try tables.responses.put(
      rule.rpc.id, request: request.canonicalText(), body: response.jsonUTF8(.response), storedAt: storedAt)
  }
}

/// An event whose facts are to be stored.
struct ReceivedEvent: Arrival {
  let event: Event
  let identity: Identity
  /// When the event arrived, in Unix seconds of the gateway's clock.
  let serverTime: Double

  func store(in tables: FactTables) throws {
    // Events count as confirmed writes: answers that were requested before an event are older.
    try AnnouncedChange(event, tables.with(sequence: tables.nextWrite()), serverTime: serverTime).apply()
  }
}

/// A write that the gateway has carried out.
struct ConfirmedWrite: Sendable {
  let rule: WriteRule
  let request: any ProtoMessage
  /// Nil if a read has shown that the write took effect.
  let response: (any ProtoMessage)?
  /// What was known when the write was sent.
  let start: RequestStart
  /// The temporary id of the record that the write has created.
  var newID = ""
  /// When the write was carried out, in Unix seconds.
  let time: Int64
  /// Whether the gateway may have carried out the write at an earlier attempt.
  var isRepeated = false
  /// Whether another write was in progress.
  var overlapsWrite = false

  /// Call within a transaction.
  func store(in tables: FactTables) throws {
    let number = try tables.nextWrite()
    let change = ConfirmedChange(
      tables: tables.with(sequence: number), began: min(start.sequence, number - 1), startedAt: start.time,
      newID: newID, time: time, isRepeated: isRepeated, overlapsWrite: overlapsWrite || start.sequence < number - 1)
    try rule.effect(request, response, change)
  }
}

extension ProtoMessage {
  /// The same text for equal requests.
  func canonicalText() throws -> String { String(decoding: try jsonUTF8(.request), as: UTF8.self) }
}
