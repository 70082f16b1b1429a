import NovaAuth
import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting

@testable import NovaOffline

/// The state of the way to the gateway.
enum Connection: Equatable, Sendable {
  case up
  /// Nothing leaves.
  case down
  /// Calls arrive, and their answers are lost.
  case losesAnswers
  /// Calls arrive, and their answers have this status and no body.
  case confirmsOnly(status: Int)
}

/// A transport to a mock backend that can be cut.
final class CuttableTransport: HTTPTransport {
  private let mock: MockTransport
  private let connection: Locked<Connection>
  /// How many seconds the gateway's clock is ahead, of which its answers tell; nil for answers without a time.
  let secondsAhead = Locked<Double?>(nil)
  private let clock: ManualClock
  private let sent = Locked(0)
  private let hook = Locked<(@Sendable (HTTPRequest) async throws -> Void)?>(nil)
  private let answerHooks = Locked<[@Sendable (HTTPRequest) async -> Void]>([])

  init(_ backend: MockBackend, _ connection: Locked<Connection>, clock: ManualClock) {
    mock = MockTransport(backend)
    self.connection = connection
    self.clock = clock
  }

  /// How many requests arrived.
  var requestCount: Int { sent.withLock { $0 } }

  /// Called with each request before it is sent. Throws in place of its answer.
  func beforeEach(_ body: (@Sendable (HTTPRequest) async throws -> Void)?) { hook.withLock { $0 = body } }

  /// Called with each request that the gateway has carried out, before the answer arrives.
  func beforeEachAnswer(_ body: @escaping @Sendable (HTTPRequest) async -> Void) {
    answerHooks.withLock { $0.append(body) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await hook.withLock { $0 }?(request)
    let connection = connection.withLock { $0 }
    if connection == .down {
      throw TransportError(.connectionRefused, "nothing listens", requestMayHaveLeft: false)
    }
    sent.withLock { $0 += 1 }
    var response = try await mock.send(request)
    if let ahead = secondsAhead.withLock({ $0 }) {
      response.headers["Date"] = HTTPDate.text(Int64(clock.unixTime + ahead))
    }
    for hook in answerHooks.withLock({ $0 }) { await hook(request) }
    // As a chunked body without a byte arrives: nothing announces that it is empty.
    if case .confirmsOnly(let status) = connection { return HTTPResponse(status: status, headers: [:], body: []) }
    if connection == .losesAnswers {
      throw TransportError(.connectionLost, "the answer was lost", requestMayHaveLeft: true)
    }
    return response
  }
}

/// A gateway with users, and programs of theirs that work offline.
final class OfflineWorld: Sendable {
  let mock = MockCaller()
  let clock = ManualClock(unixTime: Double(MockCaller.start))

  /// A user with a token.
  struct User: Sendable {
    let id: String
    let token: String
  }

  /// A program of a user, on a directory of its own.
  final class Program: ClientHolding {
    let user: User
    let folder: TemporaryFolder
    let connection = Locked(Connection.up)
    let transport: CuttableTransport
    let token: StoredToken
    private let current: Locked<(client: APIClient, store: OfflineStore)>
    private let world: OfflineWorld

    fileprivate init(_ user: User, in world: OfflineWorld, options: OfflineOptions, folder: TemporaryFolder) throws {
      self.user = user
      self.world = world
      self.folder = folder
      transport = CuttableTransport(world.mock.backend, connection, clock: world.clock)
      token = StoredToken(try AccessToken(user.token))
      current = Locked(try Self.start(in: folder, over: transport, token: token, options: options, clock: world.clock))
      self.options = options
    }

    private let options: OfflineOptions

    private static func start(
      in folder: TemporaryFolder, over transport: CuttableTransport, token: StoredToken, options: OfflineOptions,
      clock: ManualClock
    ) throws -> (client: APIClient, store: OfflineStore) {
      let store = OfflineStore(directory: folder.path, options: options, clock: clock)
      let client = try APIClient.test(
        transport, overrides: ConfigurationOverrides(recognizesIdempotencyKeys: true), tokens: token, store: store,
        clock: clock)
      return (client, store)
    }

    var client: APIClient { current.withLock { $0.client } }
    var store: OfflineStore { current.withLock { $0.store } }
    var graph: GraphService { GraphService(client: client) }
    var social: SocialService { SocialService(client: client) }
    var content: ContentService { ContentService(client: client) }

    /// The program's live connection has received events.
    func received(_ events: [Event]) async throws { await store.received(events, for: try await identity) }

    func set(_ connection: Connection) { self.connection.withLock { $0 = connection } }

    /// Ends the program, and starts it again on the same directory.
    func restart() async throws {
      await store.end()
      let next = try Self.start(in: folder, over: transport, token: token, options: options, clock: world.clock)
      current.withLock { $0 = next }
    }

    /// What is stored for a read; nil for nothing.
    func stored<Request, Response>(
      _ rpc: RPC<Request, Response>, _ request: Request
    ) async throws -> APIResponse<Response>? {
      do {
        return try await client.respond(rpc, request, options: CallOptions(cache: .cacheOnly))
      } catch let error as APIError where error.code == .notFound {
        return nil
      }
    }
  }

  /// A new user of the gateway.
  func newUser(_ name: String) throws -> User {
    let request = RegisterRequest(email: "\(name)@nova.example", username: name, password: "correct horse")
    let response = try mock.call(AuthRPC.register, request)
    return User(id: response.userId, token: response.token)
  }

  func program(
    of user: User, options: OfflineOptions = OfflineOptions(), folder: TemporaryFolder? = nil
  ) throws -> Program {
    try Program(user, in: self, options: options, folder: folder ?? TemporaryFolder())
  }

  /// Advances the time continuously, for the programs only.
  func tick() -> Task<Void, Never> {
    Task { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(500))
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// Advances the time of the programs and of the gateway.
  func advance(seconds: Int64) {
    clock.advance(by: .seconds(seconds))
    mock.advance(seconds: seconds)
  }
}

extension OfflineStore {
  /// Shows the waiting writes now, without waiting for the outbox to report a change.
  func settled() async { await (try? engine)?.writes.showWaiting(nil) }
}
