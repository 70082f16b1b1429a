import Foundation
import NovaCore
import NovaLibc
import NovaMock
import NovaTesting

/// The mock backend on a loopback port, with small chunks, which sends its client a signal at one of its requests.
final class KillingGateway: Sendable {
  /// When the client gets the signal: before its request has an effect, or after that and before the answer.
  enum Moment: String, CaseIterable, Sendable { case before, after }

  /// A request, and how many bytes it carried.
  struct Request: Sendable, Hashable {
    let step: String
    let byteCount: Int
  }

  private struct Plan {
    let request: Int
    let moment: Moment
    let signal: Int32
    /// How long the request waits first.
    let delay: UInt32
  }

  private struct State {
    var plan: Plan?
    var victim: Int32?
    var requests: [Request] = []
    var started: Set<String> = []
    /// The answers to requests that have no effect, by step.
    var refusals: [String: HTTPResponse] = [:]
  }

  let backend = MockBackend()
  private let state: Locked<State>
  private let server: FaultServer

  /// - Parameter chunkSize: what StartUpload answers.
  init(chunkSize: Int) throws {
    let state = Locked(State())
    self.state = state
    server = try FaultServer { [backend] request in
      let plan = Self.note(request, state)
      if let plan { usleep(plan.delay) }
      if let plan, plan.moment == .before {
        KilledProcess.end(with: plan.signal) { state.withLock { $0.victim } }
        return HTTPResponse(status: 503)
      }
      if let refusal = state.withLock({ $0.refusals[Self.step(of: request)] }) { return refusal }
      var response = backend.respond(to: request)
      if request.url.path.hasSuffix("/upload/start") {
        response = Self.shrunk(response, to: chunkSize, state)
      }
      if let plan { KilledProcess.end(with: plan.signal) { state.withLock { $0.victim } } }
      return response
    }
  }

  deinit { server.stop() }

  var url: String { server.url }
  /// What was requested so far.
  var requests: [Request] { state.withLock { $0.requests } }
  /// The uploads that were started.
  var started: Set<String> { state.withLock { $0.started } }

  /// Sends the next client a signal at its request with this number, which counts from 0.
  ///
  /// - Parameter delay: how many milliseconds the request waits first.
  func endClient(with signal: Int32, at request: Int, _ moment: Moment, delay: UInt32 = 0) {
    state.withLock { state in
      state.plan = Plan(
        request: state.requests.count + request, moment: moment, signal: signal, delay: delay * 1000)
      state.victim = nil
    }
  }

  /// Refuses all requests of a step; nil to end that.
  func refuse(_ step: String, with response: HTTPResponse?) { state.withLock { $0.refusals[step] = response } }

  /// Names the process that gets the signal.
  func setVictim(_ process: Int32) { state.withLock { $0.victim = process } }

  /// What the server has of an upload.
  func bytes(of upload: String) async throws -> [UInt8] {
    let record = backend.respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/api/v1/media/upload"), body: Array(#"{"upload_id":"\#(upload)"}"#.utf8))
    )
    let url = (try? JSONValue(jsonUTF8: record.body.inMemory))?["upload"]?["url"]?.stringValue ?? ""
    let answer = backend.respond(to: HTTPRequest(method: .get, url: HTTPURL(received: url)))
    return answer.status == 200 ? try await answer.body.collect(upTo: 1 << 20) : []
  }

  private static func note(_ request: HTTPRequest, _ state: Locked<State>) -> Plan? {
    state.withLock { state in
      let step = step(of: request)
      let number = state.requests.count
      state.requests.append(Request(step: step, byteCount: request.method == .put ? request.body.inMemory.count : 0))
      guard let plan = state.plan, plan.request == number else { return nil }
      state.plan = nil
      return plan
    }
  }

  private static func step(of request: HTTPRequest) -> String {
    request.method == .put ? "bytes" : request.url.path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The answer of StartUpload with another size of chunks.
  private static func shrunk(_ response: HTTPResponse, to size: Int, _ state: Locked<State>) -> HTTPResponse {
    guard case .object(var members)? = try? JSONValue(jsonUTF8: response.body.inMemory) else { return response }
    for index in members.indices where members[index].name == "chunk_size" {
      members[index] = JSONValue.Member(name: "chunk_size", value: .number(String(size)))
    }
    let answer = JSONValue.object(members)
    if let id = answer["upload"]?["id"]?.stringValue { state.withLock { _ = $0.started.insert(id) } }
    return HTTPResponse(status: response.status, headers: response.headers, body: answer.jsonUTF8)
  }
}
