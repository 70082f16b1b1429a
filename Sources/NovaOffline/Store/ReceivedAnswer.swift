import NovaCore

/// An answer of the gateway whose facts are to be stored.
struct ReceivedAnswer: Sendable {
  let rule: ReadRule
  let request: any ProtoMessage
  let response: any ProtoMessage
  let identity: Identity
  /// How many writes were confirmed when it was requested.
  let sequence: Int64
  /// Whether a write was on its way meanwhile, so that facts can be from before or after it.
  let overlapsWrite: Bool
  /// When it came, in Unix milliseconds.
  let time: Int64

  /// Call within a transaction.
  func store(in tables: FactTables) throws {
    let writeCount = try tables.writeCount()
    // The file was recreated since the request: newer facts would seem to be older.
    guard sequence <= writeCount else { return }
    let isSure = !overlapsWrite && writeCount == sequence
    let learner = FactLearner(tables, sequence: sequence, storedAt: isSure ? time : 0)
    _ = rule.visit(request, response, learner)
    if let failure = learner.failure { throw failure }
    guard rule.isRecorded else { return }
    try tables.responses.put(
      rule.rpc.id, request: request.canonicalText(), body: response.jsonUTF8(.response), sequence: sequence,
      storedAt: isSure ? time : 0)
  }
}

/// A write that the gateway has carried out.
struct ConfirmedWrite: Sendable {
  let rule: WriteRule
  let request: any ProtoMessage
  /// Nil if a read has shown that it took effect.
  let response: (any ProtoMessage)?
  /// What was known when it was sent.
  let start: OfflineCache.Start
  /// The temporary id of the record that it has created.
  var newID = ""
  /// When it was carried out, in Unix seconds.
  let time: Int64
  /// Whether the gateway may have carried it out at an earlier attempt.
  var isRepeated = false
  /// Whether another write was on its way meanwhile.
  var overlapsWrite = false

  /// Call within a transaction.
  func store(in tables: FactTables) throws {
    let number = try tables.nextWrite()
    let change = ConfirmedChange(
      tables, sequence: number, began: min(start.sequence, number - 1), startedAt: start.time, newID: newID, time: time,
      isRepeated: isRepeated, overlapsWrite: overlapsWrite || start.sequence < number - 1)
    rule.effect(request, response, change)
    if let failure = change.failure { throw failure }
  }
}

extension ProtoMessage {
  /// The same text for equal requests.
  func canonicalText() throws -> String { String(decoding: try jsonUTF8(.request), as: UTF8.self) }
}
