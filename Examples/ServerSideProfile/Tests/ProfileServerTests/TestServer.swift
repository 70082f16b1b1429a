import NovaSDK
import ProfileServer
import ServiceLifecycle

/// A server of a test's own, on a free port.
struct TestServer: Sendable {
  let origin: String
  let group: ServiceGroup
  private let transport = CurlTransport()

  func get(_ path: String, token: AccessToken? = nil, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
    try await transport.send(request(path, token, headers: headers))
  }

  /// The stream of a caller's events, when it has begun.
  func events(token: AccessToken, after id: String? = nil) async throws -> ReceivedEvents {
    var request = try request("/events", token, headers: id.map { ["Last-Event-ID": $0] } ?? [:])
    request.streamsResponse = true
    let response = try await transport.send(request)
    guard response.status == 200 else { throw UnexpectedStatus(status: response.status) }
    return ReceivedEvents(response.body)
  }

  private func request(_ path: String, _ token: AccessToken?, headers: HTTPHeaders) throws -> HTTPRequest {
    var request = HTTPRequest(method: .get, url: try HTTPURL(parsing: origin + path), headers: headers)
    if let token { request.headers["Authorization"] = "Bearer \(token.secretValue)" }
    return request
  }

  struct UnexpectedStatus: Error { var status: Int }
}

/// Runs a server for the body of a test, and shuts it down as SIGTERM does.
func withServer<Result: Sendable>(
  _ nova: NovaClient, reader: @escaping @Sendable (NovaClient) -> ProfileReader = { ProfileReader($0) },
  _ body: (TestServer) async throws -> Result
) async throws -> Result {
  let (ports, listening) = AsyncStream.makeStream(of: Int.self)
  let app = profileServer(nova, port: 0, reader: reader) { listening.yield($0) }
  let group = ServiceGroup(configuration: .init(services: [app], logger: app.logger))
  let running = Task {
    defer { listening.finish() }
    try await group.run()
  }
  guard let port = await ports.first(where: { _ in true }) else {
    try await running.value
    throw CancellationError()
  }
  do {
    let result = try await body(TestServer(origin: "http://127.0.0.1:\(port)", group: group))
    await group.triggerGracefulShutdown()
    try await running.value
    return result
  } catch {
    running.cancel()
    throw error
  }
}

/// Events as they arrive. Dropping it closes the connection.
struct ReceivedEvents {
  private var items: ServerSentEvents.AsyncIterator

  init(_ body: HTTPBody) { items = ServerSentEvents(body).makeAsyncIterator() }

  /// The next event; nil at the end of the stream.
  mutating func next() async throws -> Event? {
    while let item = try await items.next() {
      if case .event(let event) = item { return try Event(jsonUTF8: Array(event.data.utf8)) }
    }
    return nil
  }
}

/// The mock backend, and what is sent to it.
actor Wire: HTTPTransport {
  private let mock: MockTransport
  private(set) var requests: [HTTPRequest] = []
  private(set) var isShutDown = false

  init(_ backend: MockBackend) { mock = MockTransport(backend) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    requests.append(request)
    return try await mock.send(request)
  }

  func shutdown() { isShutDown = true }
}

/// Somebody with an account.
struct Account {
  let id: String
  let nova: NovaClient
  let token: AccessToken

  /// Signs somebody up.
  init(_ name: String, on nova: NovaClient) async throws {
    let answer = try await nova.auth.register(
      email: "\(name)@nova.example", username: name, password: "correct horse")
    let token = try AccessToken(answer.token)
    (id, self.token, self.nova) = (answer.userId, token, nova.with { $0.token = token })
  }
}
