import NovaCore

/// A server of the Model Context Protocol on one connection.
///
/// Requests run at the same time, and responses are sent as they are ready.
final class MCPServer: Sendable {
  private let connection: MCPConnection
  private let methods: MCPMethods
  private let requests = MCPRequests()

  init(_ connection: MCPConnection, _ methods: MCPMethods) { (self.connection, self.methods) = (connection, methods) }

  /// Serves until the end of the input, and until all requests have their response; or until nobody reads the responses,
  /// or the task is cancelled.
  func run() async {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        while !Task.isCancelled, let line = await connection.nextLine() {
          if let work = work(for: line) { group.addTask(operation: work) }
          await connection.waitForRoom()
        }
        group.addTask { await self.cancelWithoutReader() }
      }
    } onCancel: {
      requests.cancelAll()
    }
  }

  /// What remains to do for a line; nil if nothing does.
  private func work(for line: LineSplitter.Line) -> (@Sendable () async -> Void)? {
    switch line {
    case .tooLong:
      let reason = "the message is larger than \(MCPConnection.messageLimit >> 20) MiB"
      return refuse(.invalidRequest(reason))
    case .content(let bytes):
      do throws(ProtoJSONError) {
        let json = try JSONValue(jsonUTF8: bytes)
        guard let elements = json.elements else { return work(for: json, size: bytes.count) }
        return work(forBatch: elements, size: bytes.count)
      } catch {
        return refuse(.parseError("expected \(error.expected) at byte \(error.offset)"))
      }
    }
  }

  private func refuse(_ error: MCPError) -> @Sendable () async -> Void {
    { [connection] in await connection.write(.response(to: .null, .failure(error))) }
  }

  private func work(for json: JSONValue, size: Int) -> (@Sendable () async -> Void)? {
    guard let pending = begin(MCPMessage(json), size: size) else { return nil }
    return { [connection] in
      if let response = await pending() { await connection.write(response) }
    }
  }

  /// The maximum number of messages in a batch.
  private static let longestBatch = 100

  private func work(forBatch elements: [JSONValue], size: Int) -> (@Sendable () async -> Void)? {
    if let problem = methods.problem(withBatchOf: elements.count, maximum: Self.longestBatch) {
      return refuse(problem)
    }
    let pending = elements.map { element in
      let isInitialization = element["method"]?.stringValue == MCPMethods.initialize
      let message: MCPMessage =
        isInitialization
        ? .invalid(.invalidRequest("initialize cannot be part of a batch"), id: element["id"] ?? .null)
        : MCPMessage(element)
      return begin(message, size: size / elements.count)
    }.compactMap(\.self)
    return { [connection] in
      var responses: [JSONValue] = []
      // They run at the same time: each has begun as a task of its own.
      for pending in pending { if let response = await pending() { responses.append(response) } }
      if !responses.isEmpty { await connection.write(.array(responses)) }
    }
  }

  /// Begins with a message.
  ///
  /// - Returns: what waits for its response, which is nil for a cancelled request; nil if it has none.
  private func begin(_ message: MCPMessage, size: Int) -> (@Sendable () async -> JSONValue?)? {
    switch message {
    case .response: return nil
    case .invalid(let error, let id): return { .response(to: id, .failure(error)) }
    case .notification(let method, let parameters):
      if method == "notifications/cancelled", let id = parameters["requestId"] { requests.cancel(id) }
      return nil
    case .request(let request):
      do throws(MCPError) {
        // In the order of the messages: later ones depend on the version.
        if let result = try methods.immediateResult(of: request) {
          return { .response(to: request.id, .success(result)) }
        }
        try requests.admit(request, size: size)
      } catch {
        return { .response(to: request.id, .failure(error)) }
      }
      let task = Task { [requests, methods, connection] in
        await requests.run(request) {
          let progress = MCPProgress(request, connection)
          return .response(to: request.id, await methods.result(of: request, progress))
        }
      }
      return { await task.value }
    }
  }

  /// Cancels the requests in progress if nobody reads their responses: the client has ended.
  private func cancelWithoutReader() async {
    while !requests.isEmpty, !Task.isCancelled {
      if connection.hasNoReader { return requests.cancelAll() }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}
