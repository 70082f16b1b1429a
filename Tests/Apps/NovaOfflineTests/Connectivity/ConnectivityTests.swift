import NovaCore
import NovaGraph
import NovaMock
import NovaOffline
import NovaTestSupport
import NovaTesting
import Testing

/// What is learned about the connection, and when it is probed.
@Suite(.hangLimit) struct ConnectivityTests {
  private let clock = ManualClock()

  private func make(isAlwaysOffline: Bool = false) -> Connectivity {
    Connectivity(isAlwaysOffline: isAlwaysOffline, clock: clock, random: { 0 })
  }

  private static func error(_ kind: TransportError.Kind, left: Bool = false) -> APIError {
    let code: APIError.Code = kind == .connectTimeout || kind == .totalTimeout ? .timeout : .networkError
    return APIError(code, "failed", transport: TransportError(kind, "failed", requestMayHaveLeft: left))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var error: APIError
    /// What it is afterwards, from online and from offline.
    var online: Bool
    var offline: Bool

    var testDescription: String { name }
  }

  static let cases =
    [.nameResolution, .connectionRefused, .connectionFailed, .connectTimeout, .offline, .tls].map {
      (kind: TransportError.Kind) in Case(name: kind.rawValue, error: error(kind), online: false, offline: false)
    }
    + [.totalTimeout, .connectionLost, .idleTimeout].map { (kind: TransportError.Kind) in
      Case(name: kind.rawValue, error: error(kind, left: true), online: true, offline: false)
    }
    + [
      Case(name: "breaker", error: error(.circuitOpen), online: true, offline: false),
      Case(name: "HTTP 500", error: APIError.status(500), online: true, offline: true),
      Case(name: "HTTP 404", error: APIError.status(404), online: true, offline: true),
      Case(
        name: "portal", error: APIError(HTTPResponse(status: 302, headers: ["Location": "http://login.example"])),
        online: true, offline: false),
      Case(name: "argument", error: APIError(.invalidArgument, "no"), online: true, offline: false),
    ].map { test in
      var test = test
      if test.error.httpStatus != nil, test.name != "portal" { (test.online, test.offline) = (true, true) }
      return test
    }

  @Test(arguments: cases) func failuresShowTheConnection(_ test: Case) {
    let connectivity = make()
    connectivity.note(test.error)
    #expect(connectivity.isOnline == test.online)
    connectivity.note(Self.error(.connectionRefused))
    connectivity.note(test.error)
    #expect(connectivity.isOnline == (test.error.httpStatus != nil && test.name != "portal"))
    connectivity.noteResponse()
    #expect(connectivity.isOnline)
  }

  @Test func changesBeginWithTheLatest() async {
    let connectivity = make()
    connectivity.note(Self.error(.connectionRefused))
    var changes = connectivity.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    connectivity.noteResponse()
    #expect(await changes.next() == true)
    // A slow observer gets the latest only.
    connectivity.note(Self.error(.connectionRefused))
    connectivity.noteResponse()
    connectivity.note(Self.error(.connectionRefused))
    #expect(await changes.next() == false)
  }

  @Test func probesBecomeRarer() async {
    let connectivity = make()
    let probes = Locked<[Duration]>([])
    let clock = clock
    connectivity.use {
      let count = probes.withLock { probes in
        probes.append(clock.elapsed)
        return probes.count
      }
      if count < 9 { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
    }
    // Nobody waits: no probes.
    connectivity.note(Self.error(.connectionRefused))
    #expect(clock.sleeperCount == 0)
    var changes = connectivity.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    for _ in 0..<9 {
      await clock.waitForSleepers()
      clock.advanceToNextSleeper()
    }
    #expect(await changes.next() == true)
    let times = probes.withLock { $0 }
    let waits = zip(times, [.zero] + times).map { $0 - $1 }
    // Half of 1 s, 2 s, … 60 s.
    #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
    #expect(clock.sleeperCount == 0)
  }

  /// Reads that stay with what is stored have the gateway probed, and only while they come.
  @Test func readsHaveTheGatewayProbed() async throws {
    let world = OfflineWorld()
    let ada = try world.program(of: world.newUser("ada"))
    let clock = world.clock
    _ = try await ada.graph.getFollowers(userId: ada.user.id)
    let probes = Locked(0)
    ada.transport.beforeEach { request in
      let number = probes.withLock { count in
        count += request.method == .head ? 1 : 0
        return count
      }
      if number < 2 { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
    }
    let connectivity = try ada.offline.connectivity
    connectivity.note(Self.error(.connectionRefused))
    _ = try await ada.graph.getFollowers(userId: ada.user.id)
    // What looks for other processes sleeps, too.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    while probes.withLock({ $0 }) == 0 { await Task.yield() }
    // Nobody asks any more: no second probe.
    for _ in 0..<3 {
      for _ in 0..<100 { await Task.yield() }
      clock.advance(by: .seconds(1))
    }
    #expect(probes.withLock { $0 } == 1 && !connectivity.isOnline)
    _ = try await ada.graph.getFollowers(userId: ada.user.id)
    let ticking = world.tick()
    while !connectivity.isOnline { await Task.yield() }
    ticking.cancel()
  }

  @Test func offlineModeNeverProbes() {
    let connectivity = make(isAlwaysOffline: true)
    connectivity.use {}
    connectivity.setWaiting(true)
    #expect(!connectivity.isOnline && clock.sleeperCount == 0)
    connectivity.noteResponse()
    #expect(!connectivity.isOnline)
  }

  /// The probe is the head of the base URL, without the token.
  @Test func theGatewayIsAskedWithoutAToken() async throws {
    let requests = Locked<[HTTPRequest]>([])
    struct Transport: HTTPTransport {
      let requests: Locked<[HTTPRequest]>
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        requests.withLock { $0.append(request) }
        return HTTPResponse(status: 404)
      }
    }
    let client = try APIClient.test(Transport(requests: requests))
    try await client.reach(timeout: .seconds(5))
    let request = try #require(requests.withLock { $0.first })
    #expect(request.method == .head && request.url.description == "http://localhost:8080")
    #expect(request.headers["Authorization"] == nil && request.limits.totalTimeout == .seconds(5))
  }

  @Test func aServerIsReachedWhateverItAnswers() async throws {
    let server = try RawServer { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.respond("503 Service Unavailable", headers: ["Connection: close"], body: [])
    }
    let client = try APIClient.test(CurlTransport(), baseURL: server.url(""))
    try await client.reach(timeout: .seconds(20))
    server.stop()
    await #expect(throws: TransportError.self) { try await client.reach(timeout: .seconds(20)) }
    await client.shutdown()
    #expect(server.requests.first?.requestLine == "HEAD / HTTP/1.1")
  }
}
