import NovaAuth
import NovaCache
import NovaContent
import NovaCore
import NovaLibc
import NovaSocial
import NovaUsers

/// The calls of one user in this process, one after the other, in a random order.
struct UserWalk: Sendable {
  enum Step: CaseIterable {
    case token, ownPosts, othersPosts, ownPost, othersPost, bothPosts, ownSettings, othersSettings, ownComments
    case othersComments, account, othersAccount, image, share, enqueue
  }

  let me: WalkerUser
  let other: WalkerUser
  let arguments: WalkerArguments
  let services: WalkerServices
  /// How often the shared post was shared, as this user has seen it last in this process.
  let shares = Locked<Int64>(0)
  let writes = Locked(0)
  private let seed: UInt64

  init(
    _ me: WalkerUser, beside other: WalkerUser, _ arguments: WalkerArguments, services: WalkerServices, place: Int
  ) {
    (self.me, self.other, self.arguments, self.services) = (me, other, arguments, services)
    seed = arguments.seed &* 2 &+ UInt64(place)
  }

  func run() async {
    var random = SeededGenerator(seed: seed)
    while access(arguments.until, F_OK) != 0 {
      // Writes are as frequent as all else.
      let step: Step = random.one(in: 3) ? .enqueue : Step.allCases.randomElement(using: &random) ?? .token
      let policy = Self.policies.randomElement(using: &random) ?? nil
      do { try await take(step, policy) } catch { report("\(step)", "failed with \(error)") }
      // Answers from caches take no time, and the computer has other work.
      try? await Task.sleep(for: .milliseconds(15))
    }
  }

  private static let policies: [CachePolicy?] = [
    nil, nil, nil, .networkOnly, .networkFirst(), .cacheFirst(maxAge: .seconds(1)),
  ]

  private func take(_ step: Step, _ policy: CachePolicy?) async throws {
    switch step {
    case .token: try await checkToken()
    case .ownPosts:
      try await read(ContentRPC.getPostsByAuthor, .init(authorId: me.id), policy: policy, shows: me.privateMark)
    case .othersPosts:
      try await read(ContentRPC.getPostsByAuthor, .init(authorId: other.id), policy: policy, shows: other.publicMark)
    case .ownPost:
      try await read(ContentRPC.getPost, .init(postId: me.privatePost), policy: policy, shows: me.privateMark)
    case .othersPost: try await read(ContentRPC.getPost, .init(postId: other.privatePost), policy: policy, shows: nil)
    case .bothPosts:
      let posts = arguments.users.map(\.privatePost)
      try await read(ContentRPC.getPostsByIds, .init(postIds: posts), policy: policy, shows: me.privateMark)
    case .ownSettings: try await read(UserRPC.getUserSettings, .init(userId: me.id), policy: policy, shows: me.id)
    case .othersSettings: try await refused(UserRPC.getUserSettings, .init(userId: other.id), policy: policy)
    case .ownComments: try await read(SocialRPC.getComments, .init(postId: me.privatePost), policy: policy, shows: nil)
    case .othersComments: try await refused(SocialRPC.getComments, .init(postId: other.privatePost), policy: policy)
    case .account: try await read(AuthRPC.getUser, .init(userId: me.id), policy: nil, shows: "\(me.privateMark)@")
    case .othersAccount: try await read(AuthRPC.getUser, .init(userId: other.id), policy: nil, shows: nil)
    case .image:
      let image = try await services.images.with { $0.tokens = try services.sessions(of: me) }.image("/media/walk.png")
      check(String(decoding: image.bytes, as: UTF8.self), "image", from: "\(image.source)", shows: me.privateMark)
    case .share: try await share()
    case .enqueue: try await enqueue()
    }
  }

  func options(_ policy: CachePolicy? = nil) throws -> CallOptions {
    CallOptions(tokens: try services.sessions(of: me), cache: policy)
  }

  // MARK: Reads

  /// The gateway of the walk puts the user into its tokens.
  private func checkToken() async throws {
    let session = try await services.sessions(of: me).session()
    let isMine = session?.accessToken.secretValue.hasPrefix("access.\(me.id).") == true && session?.user.id == me.id
    if !isMine { report("token", "is \(session?.accessToken.secretValue ?? "absent") of \(session?.user.id ?? "")") }
  }

  /// - Parameter text: what the answer must contain; nil for nothing in particular.
  private func read<Request, Response: ProtoMessage>(
    _ rpc: RPC<Request, Response>, _ request: Request, policy: CachePolicy?, shows text: String?
  ) async throws {
    let response = try await services.client.respond(rpc, request, options: try options(policy))
    let body = String(decoding: try response.value.jsonUTF8(), as: UTF8.self)
    check(body, rpc.descriptor.id, from: "\(response.source)", shows: text)
  }

  /// A read that the gateway refuses this user, or answers with nothing.
  private func refused<Request, Response: ProtoMessage>(
    _ rpc: RPC<Request, Response>, _ request: Request, policy: CachePolicy?
  ) async throws {
    do { try await read(rpc, request, policy: policy, shows: nil) } catch let error as APIError {
      guard [.notFound, .permissionDenied].contains(error.code) else { throw error }
    }
  }

  private func check(_ body: String, _ call: String, from source: String, shows text: String?) {
    if body.contains(other.privateMark) { report(call, "shows what only \(other.id) may see, from \(source): \(body)") }
    if let text, !body.contains(text) { report(call, "does not show \(text), from \(source): \(body)") }
  }

  func report(_ call: String, _ problem: String) {
    FleetMachine.print(
      "problem: process \(arguments.name), call \(call) of \(me.id) (\(me.privateMark)) beside \(other.id) "
        + "(\(other.privateMark)) \(problem.replacing("\n", with: " "))")
  }
}
