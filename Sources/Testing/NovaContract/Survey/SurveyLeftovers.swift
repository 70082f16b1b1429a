import NovaCore

/// What a survey must delete at the end, in the order of creation.
struct SurveyLeftovers: Sendable {
  private struct Leftover: Sendable {
    let description: String
    let rpc: String
    let target: String
    let body: [UInt8]
    let deletion: HTTPRequest
  }

  private var leftovers: [Leftover] = []

  var isEmpty: Bool { leftovers.isEmpty }

  /// The descriptions, the last created first.
  var descriptions: [String] { leftovers.reversed().map(\.description) }

  /// Adds something that `request` deletes, which `deletion` becomes when it is sent.
  mutating func add(_ description: String, rpc: RPCDescriptor, request: SurveyRequest, deletion: HTTPRequest) {
    leftovers.append(
      Leftover(
        description: description, rpc: rpc.id, target: request.target, body: request.body, deletion: deletion))
  }

  /// Removes what a request deleted.
  mutating func remove(deletedBy request: SurveyRequest, of rpc: RPCDescriptor) {
    leftovers.removeAll { $0.rpc == rpc.id && $0.target == request.target && $0.body == request.body }
  }

  /// After so many requests in a row without an answer, no further ones are sent.
  private static let mostFailures = 3
  /// The maximum duration of each request, short because the check has ended.
  private static let longestWait = Duration.seconds(10)

  /// Deletes everything, the last created first, even after the task was canceled or a request had no answer.
  ///
  /// - Returns: the descriptions of what could not be deleted.
  func delete(through transport: any HTTPTransport) async -> [String] {
    await Task.detached {
      var (kept, failures): ([String], Int) = ([], 0)
      for leftover in leftovers.reversed() {
        guard failures < Self.mostFailures else {
          kept.append(leftover.description)
          continue
        }
        var request = leftover.deletion
        request.limits.totalTimeout = min(request.limits.totalTimeout, Self.longestWait)
        let response = try? await transport.send(request)
        failures = response == nil ? failures + 1 : 0
        // What does not exist needs no deletion.
        if response.map({ !$0.isSuccess && $0.status != 404 }) ?? true { kept.append(leftover.description) }
      }
      return kept
    }.value
  }
}
