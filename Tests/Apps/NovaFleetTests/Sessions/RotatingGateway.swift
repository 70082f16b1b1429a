import NovaCore
import NovaTesting

/// Refresh tokens that rotate: an answer is repeated for a known `Idempotency-Key`, and a used token is refused under
/// another key.
final class RotatingTokens: Sendable {
  private struct State {
    var number = 0
    var answers: [String: Int] = [:]
    var presentations = 0
    var refreshes = 0
    var reuses = 0
  }

  private let lifetime: Int
  private let state = Locked(State())

  init(lifetime: Int = 3600) { self.lifetime = lifetime }

  /// How many requests presented a refresh token.
  var presentations: Int { state.withLock { $0.presentations } }
  /// How many refreshes issued new tokens.
  var refreshes: Int { state.withLock { $0.refreshes } }
  /// How many used tokens were presented under another key.
  var reuses: Int { state.withLock { $0.reuses } }

  /// The answer to a refresh.
  func answer(_ body: [UInt8], key: String) throws -> (status: Int, body: String) {
    let token = try JSONValue(jsonUTF8: body)["refresh_token"]?.stringValue ?? ""
    let number = state.withLock { state -> Int? in
      state.presentations += 1
      if let number = state.answers[key] { return number }
      guard token == "refresh-\(state.number)" else {
        state.reuses += 1
        return nil
      }
      state.number += 1
      state.refreshes += 1
      state.answers[key] = state.number
      return state.number
    }
    guard let number else { return (401, #"{"code":16,"message":"the refresh token was used"}"#) }
    return (200, #"{"token":"access-\#(number)","expires_in":\#(lifetime),"refresh_token":"refresh-\#(number)"}"#)
  }
}

/// A gateway with rotating tokens in this process.
final class RotatingGateway: HTTPTransport {
  private let delay: Duration
  private let tokens: RotatingTokens
  /// How far its clock is ahead, in seconds.
  private let ahead: Double

  init(delay: Duration = .milliseconds(20), lifetime: Int = 3600, ahead: Double = 0) {
    (self.delay, tokens, self.ahead) = (delay, RotatingTokens(lifetime: lifetime), ahead)
  }

  var refreshes: Int { tokens.refreshes }
  var reuses: Int { tokens.reuses }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.url.text.hasSuffix("/auth/refresh") else { return HTTPResponse(status: 404, body: []) }
    try await Task.sleep(for: delay)
    let (status, body) = try tokens.answer(
      request.body.inMemory, key: request.headers["Idempotency-Key"] ?? "")
    let date = HTTPDate.text(Int64(ContinuousClock().unixTime + ahead))
    return HTTPResponse(
      status: status, headers: ["Content-Type": "application/json", "Date": date], body: Array(body.utf8))
  }
}

/// A gateway with rotating tokens on a port, for machines that are processes.
final class RotatingServer: Sendable {
  let tokens: RotatingTokens
  private let server: RawServer

  /// - Parameter delay: how long a refresh takes.
  init(delay: Duration = .milliseconds(20), lifetime: Int = 3600) throws {
    let tokens = RotatingTokens(lifetime: lifetime)
    self.tokens = tokens
    server = try RawServer { connection in
      while let request = try connection.readRequest() {
        if connection.isClosed(within: delay) { return }
        let (status, body) = try tokens.answer(request.body, key: request.header("Idempotency-Key") ?? "")
        try connection.write(
          "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Unauthorized")\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
  }

  deinit { server.stop() }

  var origin: String { server.url("") }
}
