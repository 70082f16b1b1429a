import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// A gateway whose answers say who has asked, and that notes what was written in whose name.
final class MarkingGateway: HTTPTransport {
  struct State: Sendable {
    var isUp = true
    /// The keys of the writes that it has carried out, with their users.
    var done: [String: String] = [:]
    /// What was sent with another user's token.
    var mistakes: [String] = []
    var requestCount = 0
  }

  let name: String
  private let owners: [String: String]
  let state = Locked(State())

  /// - Parameter owners: the users of tokens.
  init(_ name: String, owners: [String: String]) { (self.name, self.owners) = (name, owners) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard state.withLock({ $0.isUp }) else {
      throw TransportError(.connectionRefused, "nothing listens", requestMayHaveLeft: false)
    }
    let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    let owner = token.map { owners[$0] ?? "a stranger" } ?? "nobody"
    let body = request.body.inMemory
    if let key = request.headers["Idempotency-Key"], let write = Self.writer(body) {
      state.withLock { state in
        state.requestCount += 1
        state.done[key] = owner
        if write != owner { state.mistakes.append("\(name): a write of \(write) with the token of \(owner)") }
      }
      return Self.response(Array(#"{"success":true}"#.utf8))
    }
    state.withLock { $0.requestCount += 1 }
    let id = try GetPostRequest(jsonUTF8: body).postId
    let post = Post(id: id, creatorId: "x", content: "\(name)/\(owner)")
    return Self.response(try GetPostResponse(post: post, found: true).jsonUTF8(.response))
  }

  private static func response(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
  }

  /// The user that a write is of.
  private static func writer(_ body: [UInt8]) -> String? {
    (try? JSONValue(jsonUTF8: body))?["user_id"]?.stringValue
  }
}

/// A session whose user changes.
final class SwitchingTokens: TokenProvider {
  private struct State {
    var user: String?
    var signOuts: [@Sendable (String) async -> Void] = []
  }

  private let state = Locked(State())

  var user: String? { state.withLock { $0.user } }

  func currentUser() async throws -> String? { user }

  func accessToken() async throws -> AccessToken? {
    guard let user else { throw APIError(.unauthorized, "not signed in") }
    return try AccessToken("session-\(user)", user: user)
  }

  func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void) {
    state.withLock { $0.signOuts.append(body) }
  }

  func signIn(_ user: String) { state.withLock { $0.user = user } }

  func signOut() async {
    let (user, bodies) = state.withLock { state in
      defer { state.user = nil }
      return (state.user, state.signOuts)
    }
    guard let user else { return }
    for body in bodies { await body(user) }
  }
}

/// Somebody's calls through a client.
struct Seat: ClientHolding, CustomStringConvertible {
  let client: APIClient
  var options = CallOptions()
  let gateway: String
  /// The user of the calls; nil for the one who is signed in.
  let user: String?
  let description: String
}

/// A random history of several users and clients on one store.
final class ManyUsersHistory {
  private static let users = ["ada", "bob", "eve"]

  let gateways: [MarkingGateway]
  private let folder: TemporaryFolder
  private let clock = ManualClock(unixTime: 1_750_000_000)
  private let sessions = [SwitchingTokens(), SwitchingTokens()]
  private var store: OfflineStore
  private var clients: [APIClient] = []
  private var seats: [Seat] = []
  private var generator: SeededGenerator
  private let seed: UInt64
  private let observed = Locked<[String]>([])
  private var observers: [Task<Void, Never>] = []

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    var owners: [String: String] = [:]
    for user in Self.users { for kind in ["session", "call", "other", "plain"] { owners["\(kind)-\(user)"] = user } }
    gateways = ["one", "two"].map { MarkingGateway($0, owners: owners) }
    folder = try TemporaryFolder()
    store = OfflineStore(directory: folder.path, clock: clock)
    try begin()
  }

  private func newClient(_ gateway: MarkingGateway, _ tokens: (any TokenProvider)?) throws -> APIClient {
    let overrides = ConfigurationOverrides(recognizesIdempotencyKeys: true)
    return try APIClient.test(
      gateway, baseURL: "https://\(gateway.name).example", overrides: overrides, token: nil, tokens: tokens,
      store: store, clock: clock)
  }

  /// Gives the store its clients: two of sessions, and two of servers.
  private func begin() throws {
    clients = [
      try newClient(gateways[0], sessions[0]), try newClient(gateways[1], sessions[1]),
      try newClient(gateways[0], nil), try newClient(gateways[1], nil),
    ]
    try sit()
  }

  private func sit() throws {
    seats = clients[..<2].enumerated().map { index, client in
      Seat(client: client, gateway: gateways[index].name, user: nil, description: "session \(index)")
    }
    for (index, client) in clients[2...].enumerated() {
      for user in Self.users {
        for kind in ["call", "other", "plain", "header"] {
          var options = CallOptions()
          switch kind {
          case "header": options.headers["Authorization"] = "Bearer plain-\(user)"
          // Its user is unknown.
          case "plain": options.token = try AccessToken("plain-\(user)")
          default: options.token = try AccessToken("\(kind)-\(user)", user: user)
          }
          seats.append(
            Seat(
              client: client, options: options, gateway: gateways[index].name, user: user,
              description: "\(kind) token of \(user)"))
        }
      }
    }
  }

  private var seat: Seat { seats[generator.next(below: seats.count)] }
  private var post: String { "p\(generator.next(below: 3))" }

  // MARK: Steps

  func step(_ number: Int) async throws {
    clock.advance(by: .seconds(Double(generator.next(below: 4))))
    let kind = generator.next(below: 100)
    do {
      switch kind {
      case 0..<40: try await read()
      case 40..<65: try await write()
      case 65..<70: for gateway in gateways { set(gateway, isUp: generator.one(in: 2)) }
      case 70..<76: _ = try await seat.offline.outbox.flush()
      case 76..<84: await changeSession()
      case 84..<87: await store.forget(try await seat.identity)
      case 87..<90: observe(seat)
      case 90..<93: try await replaceClient()
      case 93..<95: try await restart()
      default: try await checkOutbox()
      }
    } catch let error as APIError {
      let expected: [APIError.Code] = [.networkError, .notFound, .unauthorized, .failedPrecondition]
      if !expected.contains(error.code) { Issue.record("seed \(seed), step \(number), \(kind): \(error)") }
    }
  }

  private func set(_ gateway: MarkingGateway, isUp: Bool) { gateway.state.withLock { $0.isUp = isUp } }

  private func read() async throws {
    let seat = seat
    let policies: [CachePolicy] = [.networkFirst(), .cacheFirst(), .networkOnly, .cacheOnly]
    var options = seat.options
    options.cache = policies[generator.next(below: 4)]
    let owner = try await seat.identity.user ?? seat.user
    let response = try await seat.client.respond(ContentRPC.getPost, GetPostRequest(postId: post), options: options)
    // Nobody signs in during a call here.
    let mark = "\(seat.gateway)/\(owner ?? "nobody")"
    #expect(response.value.post?.content == mark, "seed \(seed): \(seat), from \(response.source)")
  }

  private func write() async throws {
    let seat = seat
    guard let user = try await seat.identity.user ?? seat.user else { return }
    var options = seat.options
    options.delivery = generator.one(in: 3) ? .enqueue : .automatic
    let (client, post) = (seat.client, post)
    switch generator.next(below: 3) {
    case 0:
      _ = try await client.respond(SocialRPC.createLike, .init(userId: user, postId: post), options: options)
    case 1:
      _ = try await client.respond(SocialRPC.deleteLike, .init(userId: user, postId: post), options: options)
    default:
      _ = try await client.respond(SocialRPC.createShare, .init(userId: user, postId: post), options: options)
    }
  }

  private func changeSession() async {
    let session = sessions[generator.next(below: 2)]
    let user = Self.users[generator.next(below: 3)]
    // Also without a sign-out, as a program does that sets another token.
    if generator.one(in: 2) { await session.signOut() }
    if generator.one(in: 2) { session.signIn(user) }
  }

  private func observe(_ seat: Seat) {
    guard let user = seat.user, let posts = try? seat.offline.observe(Post.self, id: post) else { return }
    let (observed, mark) = (observed, "\(seat.gateway)/\(user)")
    observers.append(
      Task {
        for await post in posts {
          guard let content = post?.value.content, content != mark else { continue }
          observed.withLock { $0.append("\(mark) has observed \(content)") }
        }
      })
  }

  /// Ends one client, and gives the store another one in its place.
  private func replaceClient() async throws {
    let index = generator.next(below: clients.count)
    await clients[index].shutdown(grace: .zero)
    clients[index] = try newClient(gateways[index % 2], index < 2 ? sessions[index] : nil)
    try sit()
  }

  private func restart() async throws {
    if generator.one(in: 2) {
      await store.end()
    } else {
      for client in clients { await client.shutdown(grace: .zero) }
    }
    if generator.one(in: 2) { store = OfflineStore(directory: folder.path, clock: clock) }
    try begin()
  }

  // MARK: Checks

  /// Nobody sees an entry of others.
  func checkOutbox() async throws {
    for seat in seats {
      let (identity, outbox) = (try await seat.identity, try seat.offline.outbox)
      let entries = try await outbox.entries
      for entry in entries {
        let user = try JSONValue(jsonUTF8: entry.request.jsonUTF8(.request))["user_id"]?.stringValue
        #expect(
          entry.identity == identity && user == identity.user, "seed \(seed): \(seat) sees \(entry) of \(user ?? "")")
      }
      let others = try await outbox.otherEntries
      #expect(others.allSatisfy { $0.identity != identity })
    }
  }

  /// Sends everything, each user's writes with the user's token.
  func settle() async throws {
    for gateway in gateways { set(gateway, isUp: true) }
    for session in sessions { await session.signOut() }
    for _ in 0..<2 {
      clock.advance(by: .seconds(100))
      for seat in seats where seat.user != nil { _ = try await seat.offline.outbox.flush() }
    }
    let left = try await seats[0].offline.outbox.otherEntries
    #expect(left.isEmpty, "seed \(seed): \(left)")
    for gateway in gateways {
      let mistakes = gateway.state.withLock { $0.mistakes }
      #expect(mistakes.isEmpty, "seed \(seed): \(mistakes)")
    }
    for observer in observers { observer.cancel() }
    let mistakes = observed.withLock { $0 }
    #expect(mistakes.isEmpty, "seed \(seed): \(mistakes)")
    await store.end()
    for name in folder.names {
      let text = String(decoding: try folder.bytes(name), as: UTF8.self)
      for kind in ["session-", "call-", "other-", "plain-"] {
        #expect(!text.contains("\(kind)ada"), "seed \(seed): a token is in \(name)")
      }
    }
  }
}
