import NovaCore

/// The requests in progress, which the client can cancel.
final class MCPRequests: Sendable {
  /// The maximum number of requests in progress.
  static let maximumCount = 1000
  /// The maximum size of their parameters, in bytes.
  static let maximumBytes = 64 << 20

  private struct Entry {
    /// Nil until it has begun.
    var task: Task<JSONValue?, Never>?
    let size: Int
    var isCancelled = false
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var bytes = 0
    /// Whether all were cancelled, and later ones are, too.
    var isOver = false
  }

  private let state = Locked(State())

  /// Whether no request is in progress.
  var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  /// Adds a request.
  ///
  /// - Parameter size: the size of its message in bytes.
  /// - Throws: ``MCPError`` if there are too many, or one with this ID is in progress.
  func admit(_ request: MCPRequest, size: Int) throws(MCPError) {
    try state.withLock { state throws(MCPError) in
      guard state.entries[request.key] == nil else {
        throw .invalidRequest("a request with the ID \(request.key.shortened(to: 60)) is in progress")
      }
      guard state.entries.count < Self.maximumCount, state.bytes + size <= Self.maximumBytes else {
        throw .overloaded("\(state.entries.count) requests are in progress; wait for responses")
      }
      state.entries[request.key] = Entry(size: size)
      state.bytes += size
    }
  }

  /// Runs an admitted request, and returns its response; nil if the client has cancelled it, because such a request must
  /// have no response.
  func run(_ request: MCPRequest, _ body: @escaping @Sendable () async -> JSONValue) async -> JSONValue? {
    let key = request.key
    let task = Task { () async -> JSONValue? in
      let response = await body()
      return self.end(key) ? response : nil
    }
    let isCancelled = state.withLock { state in
      state.entries[key]?.task = task
      return state.isOver || state.entries[key]?.isCancelled ?? false
    }
    if isCancelled { task.cancel() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Removes a request.
  ///
  /// - Returns: whether its response may be sent.
  private func end(_ key: String) -> Bool {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: key) else { return false }
      state.bytes -= entry.size
      return !entry.isCancelled
    }
  }

  /// Cancels a request for the client. Unknown ones have ended.
  func cancel(_ id: JSONValue) {
    let task = state.withLock { state in
      state.entries[MCPRequest.key(id)]?.isCancelled = true
      return state.entries[MCPRequest.key(id)]?.task
    }
    task?.cancel()
  }

  /// Cancels all requests, also later ones. They have a response.
  func cancelAll() {
    let tasks = state.withLock { state in
      state.isOver = true
      return state.entries.values.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
  }
}
