import Foundation
import NovaSDK
import NovaTestSupport

/// `docs/guide-parity.md`, rendered from the registry, the calls and what the mock answers them.
struct ParityTable {
  private static let introduction = """
    # The contract in Swift, on the command line and in the mock

    Rendered by `GuideParityTests`, which compile and run every call of this page and fail when it is not what they find.
    `UPDATE_DOCS=1 Tools/swift test --filter GuideParityTests` updates it.

    - **Swift**: `nova` is a `NovaClient`. A call that takes a `…Request` is the generated one; every RPC has such a call,
      named after the RPC. Arguments that may be left out are not shown.
    - **Command**: besides, `nova call` makes every call of this page: `nova call graph.IsMuted '{…}'`. After
      `nova login`, commands act for you and need no user ID: `nova like post-1`. See
      [sessions](sessions.md#on-the-command-line).
    - **Mock**: "yes" where the mock backend answers, "not yet" where its answer is 501.


    """

  /// What a call came to.
  struct Outcome {
    /// The RPCs that were called.
    let rpcs: Set<String>
    let error: APIError?

    var isUnimplemented: Bool { error?.code == .unimplemented }
  }

  private struct Recorder: Middleware {
    let rpcs = Locked<Set<String>>([])

    func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
      rpcs.withLock { _ = $0.insert(context.rpc.id) }
      return try await next(request)
    }
  }

  /// Makes a call of a mock backend.
  static func outcome(_ call: GuideCall, _ backend: MockBackend) async -> Outcome {
    let recorder = Recorder()
    let nova = NovaClient(configuration: .builtIn, transport: MockTransport(backend)) { $0.middlewares = [recorder] }
    let error = await apiError { try await call.run(nova) }
    return Outcome(rpcs: recorder.rpcs.withLock { $0 }, error: error)
  }

  static func rendered() async throws -> String {
    let backend = MockBackend()
    var (text, service) = (introduction, "")
    for rpc in RPCRegistry.nova.rpcs {
      if rpc.service != service {
        text += "\(service.isEmpty ? "" : "\n")## \(rpc.service)\n\n| RPC | HTTP | Swift | Command | Mock |\n"
        text += "|---|---|---|---|---|\n"
        service = rpc.service
      }
      let calls = GuideCall.all.filter { $0.id == rpc.id }
      let signatures = try calls.map { "`\(try $0.signature())`" }.joined(separator: ", ")
      let commands = calls.compactMap(\.commandName).map { "`nova \($0)`" }.joined(separator: ", ")
      var isAnswered = !calls.isEmpty
      for call in calls where await outcome(call, backend).isUnimplemented { isAnswered = false }
      text += "| \(rpc.method) | `\(rpc.http.method.rawValue) \(rpc.http.path)` | \(signatures) | \(commands) "
      text += "| \(isAnswered ? "yes" : "not yet") |\n"
    }
    return text
  }
}
