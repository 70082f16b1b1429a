import NovaSupport

/// Collects the calls of many tasks into few: while one batch runs, the next one is collected.
actor Coalescer<Item: Sendable, Result: Sendable> {
  /// Runs a batch; returns one result for each item, in order.
  typealias Body = @Sendable ([Item]) async throws -> [Result]

  private let limit: Int
  private let gather: @Sendable () async -> Void
  private let body: Body
  private var waiting: [(item: Item, continuation: CheckedContinuation<Result, any Error>)] = []
  private var isRunning = false

  /// - Parameters:
  ///   - limit: the maximum number of items of a batch.
  ///   - gather: waits before each batch until others are likely to have joined it.
  init(limit: Int, gather: @escaping @Sendable () async -> Void = {}, _ body: @escaping Body) {
    (self.limit, self.gather, self.body) = (limit, gather, body)
  }

  /// Runs an item as part of a batch. Not cancelled with its task: what a database was asked for has a result.
  func run(_ item: Item) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append((item, continuation))
      guard !isRunning else { return }
      isRunning = true
      Task { await self.runBatches() }
    }
  }

  private func runBatches() async {
    while !waiting.isEmpty {
      await gather()
      let batch = Array(waiting.prefix(limit))
      waiting.removeFirst(batch.count)
      do {
        let results = try await body(batch.map(\.item))
        for (entry, result) in zip(batch, results) { entry.continuation.resume(returning: result) }
      } catch {
        for entry in batch { entry.continuation.resume(throwing: error) }
      }
    }
    isRunning = false
  }
}
