import NovaCore

/// Sends notifications about the progress of a request, if the client has asked for them.
struct MCPProgress: Sendable {
  /// One report of progress.
  private struct Report: Sendable {
    let done, total: Int
    let message: String
  }

  private let token: JSONValue?
  private let connection: MCPConnection?

  init(_ request: MCPRequest, _ connection: MCPConnection) {
    token = request.parameters["_meta"]?["progressToken"]
    self.connection = connection
  }

  /// Sends nothing.
  static let none = MCPProgress()

  private init() { (token, connection) = (nil, nil) }

  /// Runs `body` with a function to report progress with. All reports are sent before this returns; if they come faster
  /// than the client reads, only the latest.
  func during<Value: Sendable>(
    _ body: (_ report: @escaping @Sendable (_ done: Int, _ total: Int, String) -> Void) async throws -> Value
  ) async throws -> Value {
    guard let token, let connection else { return try await body { _, _, _ in } }
    let (reports, continuation) = AsyncStream.makeStream(of: Report.self, bufferingPolicy: .bufferingNewest(1))
    let sender = Task {
      var last = -1
      // The protocol requires that progress increases.
      for await report in reports where report.done > last {
        last = report.done
        await connection.write(Self.notification(token, report))
      }
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body { continuation.yield(Report(done: $0, total: $1, message: $2)) }) } catch {
      result = .failure(error)
    }
    continuation.finish()
    await sender.value
    return try result.get()
  }

  private static func notification(_ token: JSONValue, _ report: Report) -> JSONValue {
    [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .number(report.done), "total": .number(report.total),
        "message": .string(report.message),
      ],
    ]
  }
}
