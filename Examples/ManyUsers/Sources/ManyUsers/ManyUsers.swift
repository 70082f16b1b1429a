import Digests
import NovaSDK

@main struct ManyUsers {
  // One client for the whole process. A deployed service calls try NovaClient(), which reads NOVA_… variables.
  static let nova = NovaClient.mock(MockBackend(requiresTokens: true))
  static let digests = DigestService()

  /// Handles one request, as a route of your web framework would.
  static func answer(_ token: String?, requestID: String) async throws -> String {
    do {
      let caller = try await Caller(token: token, on: nova, requestID: requestID)
      let digest = try await digests.digest(for: caller)
      return "200 \(digest.name): \(digest.followers) followers, posts: \(digest.posts)"
    } catch let error as APIError {
      let failure = Failure(error)
      return "\(failure.status) \(failure.message)"
    }
  }

  static func main() async throws {
    print("ready:", await nova.readiness(timeout: .seconds(1)).isReady)

    // Two users sign up, one of them writes, and both ask at the same time.
    let ann = try await nova.auth.register(email: "ann@nova.example", username: "ann", password: "correct horse")
    let bob = try await nova.auth.register(email: "bob@nova.example", username: "bob", password: "battery staple")
    let asAnn = try await Caller(token: ann.token, on: nova, requestID: "request-0")
    try await asAnn.nova.content.createPost(creatorId: asAnn.id, content: "Only for me.", privacy: .onlyMe)

    async let first = answer(ann.token, requestID: "request-1")
    async let second = answer(bob.token, requestID: "request-2")
    print(try await first)
    print(try await second)
    print(try await answer("not-a-token-of-this-gateway", requestID: "request-3"))
    print(try await answer(nil, requestID: "request-4"))

    await nova.shutdown()
  }
}
