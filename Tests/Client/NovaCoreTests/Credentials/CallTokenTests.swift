import NovaAuth
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// The token of a call in place of the client's.
@Suite struct CallTokenTests {
  private let read = IsMutedRequest(muterId: "a", muteeId: "b")

  /// Gives the token `name-0`, and `name-1` in its place.
  private final class Renewing: TokenProvider {
    let name: String
    let times = Locked<[Int64]>([])
    private let number = Locked(0)

    init(_ name: String) { self.name = name }

    func accessToken() async throws -> AccessToken? { try AccessToken("\(name)-\(number.withLock { $0 })") }
    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      number.withLock { $0 += 1 }
      return try await accessToken()
    }
    func serverTime(_ unixSeconds: Int64) { times.withLock { $0.append(unixSeconds) } }
  }

  @Test func aCallsTokenTakesThePlaceOfTheClients() async throws {
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, token: "client-token")
    let graph = GraphService(client: client)
    let mine = graph.with { $0.token = try? AccessToken("my-token") }
    _ = try await mine.isMuted(read)
    _ = try await graph.isMuted(read)
    // Signing in needs no token.
    _ = try await AuthService(client: client).with { $0.token = try? AccessToken("my-token") }
      .login(LoginRequest(email: "a@b.c", password: "p"))
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer my-token", "Bearer client-token", nil])
  }

  @Test func aCallsProviderIsAskedInPlaceOfTheClients() async throws {
    let transport = RecordingTransport { _, request in
      let isNew = request.headers["Authorization"] == "Bearer mine-1"
      return HTTPResponse(
        status: isNew ? 200 : 401, headers: ["Date": "Thu, 01 Jan 1970 00:01:00 GMT"], body: Array("{}".utf8))
    }
    let (others, mine) = (Renewing("others"), Renewing("mine"))
    let client = try APIClient.test(transport, tokens: others)
    _ = try await client.call(GraphRPC.isMuted, read, options: CallOptions(tokens: mine))
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer mine-0", "Bearer mine-1"])
    #expect(mine.times.withLock { $0 } == [60, 60] && others.times.withLock { $0 }.isEmpty)
  }

  /// Only its owner could replace it.
  @Test func aRefusedTokenOfACallIsNotReplacedByTheClients() async throws {
    let transport = RecordingTransport(status: 401, "{}")
    let client = try APIClient.test(transport, tokens: Renewing("others"))
    let error = await apiError {
      try await client.call(GraphRPC.isMuted, read, options: CallOptions(token: try AccessToken("my-token")))
    }
    #expect(error?.code == .unauthorized)
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer my-token"])
  }

  private struct Adding: Middleware {
    let field: HTTPHeaders.Field

    func intercept(_ request: HTTPRequest, _ context: CallContext, next: @escaping Next) async throws -> HTTPResponse {
      var request = request
      request.headers[field.name] = field.value
      return try await next(request)
    }
  }

  /// Where a secret of a call can come from.
  enum Source: CaseIterable {
    case client, provider, token, tokens, header, lowercaseHeader, basic, cookie, key, middleware
  }

  /// A provider whose token is always the same.
  private struct Fixed: TokenProvider {
    func accessToken() async throws -> AccessToken? { try AccessToken("secret-1") }
  }

  @Test(
    arguments: Source.allCases,
    ["https://example.com", "http://localhost:8080", "http://example.com", "http://10.0.0.1"])
  func noSecretTravelsUnencryptedToAnotherMachine(source: Source, url: String) async throws {
    let transport = RecordingTransport("{}")
    var options = CallOptions()
    var middlewares: [any Middleware] = []
    switch source {
    case .client, .provider: break
    case .token: options.token = try AccessToken("secret-1")
    case .tokens: options.tokens = Fixed()
    case .header: options.headers["Authorization"] = "Bearer secret-1"
    case .lowercaseHeader: options.headers["authorization"] = "bearer secret-1"
    case .basic: options.headers["Authorization"] = "Basic c2VjcmV0LTE6"
    case .cookie: options.headers["Cookie"] = "session=secret-1"
    case .key: options.headers["X-Api-Key"] = "secret-1"
    case .middleware:
      middlewares.append(Adding(field: HTTPHeaders.Field(name: "Authorization", value: "Bearer secret-1")))
    }
    let client = try APIClient.test(
      transport, baseURL: url, token: nil, tokens: source == .provider ? Fixed() : nil, middlewares: middlewares)
    if source == .client { client.setAuthToken(try AccessToken("secret-1")) }
    let error = await apiError { try await client.call(GraphRPC.isMuted, read, options: options) }
    let isSafe = url.hasPrefix("https:") || url.contains("localhost")
    #expect(error?.code == (isSafe ? nil : .insecureConnection))
    #expect(transport.requests.count == (isSafe ? 1 : 0))
    if let error { #expect(!"\(error)".contains("secret-1") && "\(error)".contains("nothing was sent")) }
  }

  @Test func callsWithoutASecretMayTravelUnencrypted() async throws {
    let client = try APIClient.test(RecordingTransport("{}"), baseURL: "http://example.com", token: nil)
    _ = try await client.call(GraphRPC.isMuted, read, options: CallOptions(headers: ["X-Tenant": "a"]))
  }

  // MARK: Identities

  @Test func identitiesTellCallersApart() async throws {
    let client = try APIClient.test(RecordingTransport("{}"), baseURL: "https://example.com/base", token: nil)
    func identity(_ change: (inout CallOptions) throws -> Void) async throws -> Identity {
      var options = CallOptions()
      try change(&options)
      return try await client.identity(for: options)
    }
    let gateway = "https://example.com/base"
    let forged = "e30.eyJzdWIiOiJib2IifQ.c2ln"
    #expect(try await identity { _ in } == Identity(gateway: gateway, caller: .anonymous))
    #expect(
      try await identity { $0.token = try AccessToken("t", user: "ada") }
        == Identity(gateway: gateway, caller: .user("ada")))
    let opaque = try await identity { $0.token = try AccessToken("opaque") }
    #expect(opaque.user == nil && !opaque.isAnonymous && !"\(opaque)".contains("opaque"))
    #expect(try await identity { $0.headers["Authorization"] = "Bearer opaque" } == opaque)
    #expect(try await identity { $0.headers["authorization"] = "bearer  opaque" } == opaque)
    #expect(try await identity { $0.headers["Authorization"] = "Basic opaque" } != opaque)
    #expect(try await identity { $0.token = try AccessToken("other") } != opaque)
    // What a token of others claims about itself is not believed.
    #expect(try await identity { $0.token = try AccessToken(forged) }.user == nil)
    #expect(try await identity { $0.tokens = Fixed() }.user == nil)
    client.setAuthToken(forged)
    #expect(try await identity { _ in }.user == "bob")
  }

  @Test func middlewaresSeeWhoseRequestItIs() async throws {
    struct Seeing: Middleware {
      let seen: Locked<[Identity]>

      func intercept(
        _ request: HTTPRequest, _ context: CallContext, next: @escaping Next
      ) async throws -> HTTPResponse {
        let identity = try context.identity(of: request)
        seen.withLock { $0.append(identity) }
        return try await next(request)
      }
    }
    let seen = Locked<[Identity]>([])
    let client = try APIClient.test(RecordingTransport("{}"), token: nil, middlewares: [Seeing(seen: seen)])
    let options = [
      CallOptions(), CallOptions(token: try AccessToken("t", user: "ada")), CallOptions(token: try AccessToken("t")),
      CallOptions(headers: ["Authorization": "Bearer t"]),
    ]
    for options in options { _ = try await client.call(GraphRPC.isMuted, read, options: options) }
    var expected: [Identity] = []
    for options in options { expected.append(try await client.identity(for: options)) }
    #expect(seen.withLock { $0 } == expected)
    #expect(Set(expected).count == 3)
  }
}
