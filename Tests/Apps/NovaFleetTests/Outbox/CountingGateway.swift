import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting

/// A gateway that recognizes idempotency keys, and records what it carried out for whom, in order.
final class CountingGateway: HTTPTransport {
  struct Effect: Sendable, Hashable {
    let user: String
    let key: String
    let body: String
  }

  private struct State {
    var effects: [Effect] = []
    var responses: [String: HTTPResponse] = [:]
    var replays = 0
    var requests = 0
    var nextID = 0
  }

  private let state = Locked(State())
  private let answer = Locked<@Sendable (HTTPRequest) async throws -> HTTPResponse?>({ _ in nil })

  var effects: [Effect] { state.withLock { $0.effects } }
  var replays: Int { state.withLock { $0.replays } }
  var requests: Int { state.withLock { $0.requests } }

  func effects(of user: String) -> [Effect] { effects.filter { $0.user == user } }

  /// Answers in place of the gateway; nil lets the gateway answer.
  func answerFirst(_ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse?) {
    answer.withLock { $0 = body }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if let response = try await answer.withLock({ $0 })(request) { return response }
    return respond(to: request)
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let key = request.headers["Idempotency-Key"] ?? ""
    let user = (request.headers["Authorization"] ?? "").split(separator: "-").last.map(String.init) ?? ""
    let body = String(decoding: request.body.bytes ?? [], as: UTF8.self)
    return state.withLock { state in
      state.requests += 1
      if let known = state.responses["\(user) \(key)"] {
        state.replays += 1
        return known
      }
      state.effects.append(Effect(user: user, key: key, body: body))
      // Clients check that a record has what was asked for, and is the one that was changed.
      let changed = "\(request.url) \(body)".firstMatch(of: /real-\d+/).map { String($0.output) }
      if changed == nil { state.nextID += 1 }
      let id = changed ?? "real-\(state.nextID)"
      let text = body.contains("hello, world") ? "hello, world" : "hello"
      let answer =
        body.contains("\"content\"")
        ? #"{"success":true,"comment":{"id":"\#(id)","post_id":"1","user_id":"\#(user)","content":"\#(text)"}}"#
        : #"{"success":true}"#
      let response = HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Array(answer.utf8))
      state.responses["\(user) \(key)"] = response
      return response
    }
  }
}
