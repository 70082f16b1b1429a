import NovaCore
import NovaTestSupport

/// A store that can be frozen, as if its disk were full. The age of its responses is unknown.
final class FrozenStore: CallStore {
  private struct State {
    var isFrozen = false
    var answers: [String: any ProtoMessage] = [:]
  }

  private let state = Locked(State())

  /// Stops storing responses.
  func freeze() { state.withLock { $0.isFrozen = true } }

  func begin(with client: APIClient) {}

  func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    let key = "\(call.rpc.id) \(String(decoding: try call.request.jsonUTF8(), as: UTF8.self))"
    if call.options.cache == .cacheOnly {
      guard let value = state.withLock({ $0.answers[key] }) else {
        throw APIError(.notFound, "not stored", rpc: call.rpc.id)
      }
      let report = CallReport(rpc: call.rpc.id, requestID: "", duration: .zero, failure: nil, attempts: [])
      var response = APIResponse(value: value, report: report)
      response.source = .cache(age: nil)
      return response
    }
    let response = try await send(call)
    state.withLock { state in if !state.isFrozen { state.answers[key] = response.value } }
    return response
  }

  func forget(_ identity: Identity) async {}

  func end(for client: APIClient) async {}
}
