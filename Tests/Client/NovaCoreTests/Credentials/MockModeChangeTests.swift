import NovaAuth
import NovaGraph
import NovaTestSupport
import Testing

@testable import NovaCore

/// A call stays with the gateway at which it began, also if the mock mode is switched during the call.
@Suite struct MockModeChangeTests {
  /// Answers as a mock backend, or as the gateway.
  private final class Switch: MockingTransport {
    let mode = Locked(false)
    var isMock: Bool { mode.withLock { $0 } }
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 200, body: .bytes([0x7B, 0x7D]))
    }
  }

  /// Switches the mode before each request.
  private final class Store: CallStore {
    let transport: Switch
    let identities = Locked<[Identity]>([])

    init(_ transport: Switch) { self.transport = transport }

    func begin(with client: APIClient) {}
    func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
      identities.withLock { $0.append(call.identity) }
      transport.mode.withLock { $0.toggle() }
      return try await send(call)
    }
    func forget(_ identity: Identity) async {}
    func end(for client: APIClient) async {}
  }

  private final class Probe: Middleware {
    let calls = Locked<[(isMock: Bool, identity: Identity)]>([])

    func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
      let identity = try context.identity(of: request)
      calls.withLock { $0.append((context.isMock, identity)) }
      return try await next(request)
    }
  }

  /// A provider that switches the mode while it is asked for its user.
  private struct Switching: TokenProvider {
    let transport: Switch
    let isSwitched = Locked(false)

    func accessToken() async throws -> AccessToken? { nil }
    func currentUser() async throws -> String? {
      let user = transport.isMock ? "mock-user" : "user"
      let isFirst = isSwitched.withLock { isSwitched in
        defer { isSwitched = true }
        return !isSwitched
      }
      if isFirst { transport.mode.withLock { $0.toggle() } }
      return user
    }
  }

  @Test(arguments: [false, true]) func aStoredAnswerIsThatOfTheCallsGateway(startsAsMock: Bool) async throws {
    let (transport, probe) = (Switch(), Probe())
    transport.mode.withLock { $0 = startsAsMock }
    let store = Store(transport)
    let token = try AccessToken("t", user: "ada")
    let client = try APIClient.test(transport, tokens: StoredToken(token), middlewares: [probe], store: store)
    // One that carries the token, and one that needs none.
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    _ = try? await client.call(AuthRPC.refresh, RefreshRequest(refreshToken: "r"))
    let (identities, calls) = (store.identities.withLock { $0 }, probe.calls.withLock { $0 })
    #expect(calls.map(\.isMock) == [startsAsMock, !startsAsMock])
    #expect(calls.map(\.identity.gateway) == identities.map(\.gateway))
    #expect(calls.first?.identity == identities.first)
  }

  @Test func anIdentityIsThatOfOneGateway() async throws {
    let transport = Switch()
    let client = try APIClient.test(transport, tokens: Switching(transport: transport))
    #expect(try await client.identity() == Identity(gateway: "mock:", caller: .user("mock-user")))
  }
}
