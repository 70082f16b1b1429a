import NovaSDK
import NovaTestSupport
import Testing

/// A cancelled task ends in the same error, whatever it was waiting for.
@Suite struct CancellationTests {
  struct Wait: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (NovaClient) async throws -> Void
  }

  static let waits: [Wait] = [
    Wait(testDescription: "call") { _ = try await $0.graph.getFollowers(userId: "a") },
    Wait(testDescription: "sequence of pages") { for try await _ in $0.graph.followers(of: "a") {} },
    Wait(testDescription: "page of a sequence") { _ = try await $0.graph.followers(of: "a").page(limit: 1, offset: 0) },
    Wait(testDescription: "sequence by cursor") { for try await _ in $0.feed.feed(of: "a") {} },
    Wait(testDescription: "batches") {
      _ = try await $0.social.batchCheckUserLiked(postIds: (0..<250).map { "post-\($0)" }, userId: "a")
    },
    Wait(testDescription: "upload") { _ = try await $0.media.uploadImage(image: [0xff, 0xd8, 0xff], userId: "a") },
    Wait(testDescription: "signing in") {
      _ = try await $0.sessions.signIn(email: "a@nova.social", password: Canary.secret)
    },
  ]

  @Test(arguments: waits, [false, true]) func endsInTheErrorOfACancelledCall(
    of wait: Wait, cancelledBeforeItBegins: Bool
  ) async throws {
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let transport = HangingTransport(signal: signal)
    let configuration = try APIConfiguration()
    let plain = NovaClient(
      configuration: configuration, transport: transport, tokens: StoredToken(try AccessToken("token")))
    let signingIn = NovaClient(
      configuration: configuration, sessionStore: MemorySessionStore(), transport: transport)
    let nova = wait.testDescription == "signing in" ? signingIn : plain
    let task = Task {
      if cancelledBeforeItBegins { withUnsafeCurrentTask { $0?.cancel() } }
      try await wait.run(nova)
    }
    if !cancelledBeforeItBegins { for await _ in started { break } }
    task.cancel()
    let error = await #expect(throws: APIError.self) { try await task.value }
    #expect(error?.code == .cancelled, "\(String(describing: error))")
  }
}

/// Reports each request, and never responds.
private struct HangingTransport: HTTPTransport {
  let signal: AsyncStream<Void>.Continuation

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    signal.yield()
    try await Task.sleep(for: .seconds(3600))
    throw TransportError(.idleTimeout, "nothing came", requestMayHaveLeft: true)
  }
}
