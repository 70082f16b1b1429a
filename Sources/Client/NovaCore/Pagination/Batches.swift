/// Splits ids into batches, runs them a few at a time, and gives the results in the order of the ids.
///
/// - Parameters:
///   - ids: any number of ids.
///   - size: how many ids one batch may have.
///   - concurrency: how many batches are under way at once.
///   - call: sends one batch.
/// - Throws: the first error; the other batches are cancelled.
package func inBatches<ID: Sendable, Result: Sendable>(
  of ids: [ID], size: Int, concurrency: Int = 4, _ call: @escaping @Sendable ([ID]) async throws -> Result
) async throws -> [Result] {
  let batches = stride(from: 0, to: ids.count, by: max(1, size)).map { start in
    Array(ids[start..<min(start + max(1, size), ids.count)])
  }
  // All batches are the same caller's.
  return try await OperationCaller().run { try await batches.concurrentMap(limit: concurrency, call) }
}

/// ``inBatches(of:size:concurrency:_:)`` with the size that the contract allows the RPC.
package func inBatches<ID: Sendable, Result: Sendable>(
  of ids: [ID], _ rpc: RPCDescriptor, _ call: @escaping @Sendable ([ID]) async throws -> Result
) async throws -> [Result] {
  try await inBatches(of: ids, size: rpc.batchLimit?.maximum ?? ids.count, call)
}

/// ``inBatches(of:_:_:)`` of an RPC that answers with a dictionary.
///
/// - Throws: ``APIError`` `invalidArgument` for two ids of which a dictionary holds one only: they differ in nothing but how
///   Unicode writes their characters.
package func answersInBatches<Value: Sendable>(
  of ids: [String], _ rpc: RPCDescriptor, _ call: @escaping @Sendable ([String]) async throws -> [String: Value]
) async throws -> [[String: Value]] {
  if let (first, second) = ids.twins {
    throw APIError(
      .invalidArgument,
      "the ids \(first.quoted) and \(second.quoted) differ only in their Unicode form, so the result has one entry for both",
      advice: "ask for them in two calls",
      rpc: rpc.id)
  }
  return try await inBatches(of: ids, rpc, call)
}

extension Array {
  /// The entries of all dictionaries; of the same key the last one.
  package func merged<Key, Value>() -> [Key: Value] where Element == [Key: Value] {
    reduce(into: [:]) { all, part in all.merge(part) { _, last in last } }
  }

  /// The answers of all dictionaries, and `false` for keys that servers left out as they leave out other defaults.
  package func merged<Key>(allOf keys: [Key]) -> [Key: Bool] where Element == [Key: Bool] {
    merged().merging(keys.map { ($0, false) }) { answer, _ in answer }
  }
}
