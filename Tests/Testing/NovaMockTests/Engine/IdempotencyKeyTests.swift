import NovaAuth
import NovaContent
import NovaCore
import NovaGraph
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaMock

@Suite struct IdempotencyKeyTests {
  private let caller = MockCaller()
  private static let share = CreateShareRequest(userId: "u", postId: "post-1", shareType: "repost")

  private func send<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, key: String?, token: String? = nil
  ) throws -> HTTPResponse {
    let binding = rpc.descriptor.http
    let (path, body) = try HTTPTranscoder.request(request, binding)
    var headers: HTTPHeaders = [:]
    headers["Idempotency-Key"] = key
    headers["Authorization"] = token.map { "Bearer \($0)" }
    return caller.backend.respond(
      to: HTTPRequest(method: binding.method, url: HTTPURL(received: path), headers: headers, body: body))
  }

  private func makePost() throws {
    _ = try caller.call(ContentRPC.createPost, CreatePostRequest(creatorId: "author", content: "text"))
  }

  private func shareCount() throws -> Int64 {
    try caller.call(SocialRPC.getShareCount, GetShareCountRequest(postId: "post-1")).count
  }

  private func token(_ name: String) throws -> String {
    let request = RegisterRequest(email: "\(name)@example.com", username: name, password: "long enough")
    return try caller.call(AuthRPC.register, request).token
  }

  @Test func repetitionsGetTheSameResponseWithoutEffect() throws {
    try makePost()
    let first = try send(SocialRPC.createShare, Self.share, key: "k")
    #expect(first.status == 200 && first.headers["Idempotency-Replayed"] == nil)
    for _ in 1...3 {
      let again = try send(SocialRPC.createShare, Self.share, key: "k")
      #expect(again.status == first.status && again.body == first.body)
      #expect(again.headers["Idempotency-Replayed"] == "true" && again.headers["Content-Type"] == "application/json")
    }
    #expect(try shareCount() == 1)
    _ = try send(SocialRPC.createShare, Self.share, key: "other")
    _ = try send(SocialRPC.createShare, Self.share, key: nil)
    _ = try send(SocialRPC.createShare, Self.share, key: nil)
    #expect(try shareCount() == 4)
  }

  @Test func aKeyWithAnotherRequestIsRefused() throws {
    try makePost()
    _ = try send(SocialRPC.createShare, Self.share, key: "k")
    var other = Self.share
    other.shareType = "dm"
    let refusal = Refusal(try send(SocialRPC.createShare, other, key: "k"))
    #expect(refusal.status == 422 && refusal.grpcStatus == .invalidArgument)
    #expect(refusal.message.contains("another social.CreateShare request"), "\(refusal)")
    #expect(try shareCount() == 1)
  }

  @Test(arguments: [(0, 400), (1, 200), (255, 200), (256, 400)]) func keysHave1To255Bytes(length: Int, status: Int)
    throws
  {
    try makePost()
    let answer = try send(SocialRPC.createShare, Self.share, key: String(repeating: "k", count: length))
    #expect(answer.status == status)
    #expect(try shareCount() == (status == 200 ? 1 : 0))
  }

  @Test func readsIgnoreTheKey() throws {
    try makePost()
    for count in [Int64(0), 1] {
      let answer = try send(SocialRPC.getShareCount, GetShareCountRequest(postId: "post-1"), key: "")
      #expect(String(decoding: answer.body.inMemory, as: UTF8.self) == #"{"count":\#(count)}"#)
      _ = try send(SocialRPC.createShare, Self.share, key: "\(count)")
    }
  }

  @Test func aFailedCallMayBeTriedAgain() throws {
    #expect(try send(SocialRPC.createShare, Self.share, key: "k").status == 404)
    try makePost()
    #expect(try send(SocialRPC.createShare, Self.share, key: "k").status == 200)
    #expect(try shareCount() == 1)
  }

  @Test func aKeyCountsForOneRPCAndOneCaller() throws {
    try makePost()
    let follow = CreateFollowRequest(followerId: "a", followeeId: "b")
    let unfollow = DeleteFollowRequest(followerId: "a", followeeId: "b")
    #expect(try send(GraphRPC.createFollow, follow, key: "k").headers["Idempotency-Replayed"] == nil)
    #expect(try send(GraphRPC.deleteFollow, unfollow, key: "k").headers["Idempotency-Replayed"] == nil)
    for name in ["alice", "bobby"] {
      let token = try token(name)
      let user = try caller.call(AuthRPC.verifyToken, VerifyTokenRequest(token: token)).userId
      let request = CreateShareRequest(userId: user, postId: "post-1", shareType: "dm")
      for isRepeated in [false, true] {
        let answer = try send(SocialRPC.createShare, request, key: "same", token: token)
        #expect(answer.status == 200 && (answer.headers["Idempotency-Replayed"] != nil) == isRepeated)
      }
    }
    #expect(try shareCount() == 2)
    #expect(try send(SocialRPC.createShare, Self.share, key: "same", token: "bad").status == 401)
  }

  @Test func responsesAreStoredForADay() throws {
    try makePost()
    _ = try send(SocialRPC.createShare, Self.share, key: "k")
    caller.advance(seconds: 24 * 60 * 60 - 1)
    #expect(try send(SocialRPC.createShare, Self.share, key: "k").headers["Idempotency-Replayed"] == "true")
    caller.advance(seconds: 1)
    #expect(try send(SocialRPC.createShare, Self.share, key: "k").headers["Idempotency-Replayed"] == nil)
    #expect(try shareCount() == 2)
    #expect(try send(SocialRPC.createShare, Self.share, key: "k").headers["Idempotency-Replayed"] == "true")
  }

  /// A like counts again after an unlike, a comment each time: both show whether a repetition was performed.
  @Test(arguments: [1, 2, 3] as [UInt64]) func repetitionsLeaveTheStateOfTheSequenceWithoutThem(seed: UInt64) throws {
    let plain = MockCaller()
    for caller in [caller, plain] {
      _ = try caller.call(ContentRPC.createPost, CreatePostRequest(creatorId: "author", content: "text"))
    }
    var generator = SeededGenerator(seed: seed)
    var sent: [(key: String, step: Int)] = []
    for number in 0..<400 {
      let step = generator.next(below: 6)
      let body = try perform(step, key: "k\(number)", on: caller)
      #expect(try perform(step, key: nil, on: plain) == body)
      sent.append(("k\(number)", step))
      for _ in 0..<generator.next(below: 3) {
        let old = sent[generator.next(below: sent.count)]
        _ = try perform(old.step, key: old.key, on: caller)
      }
    }
    for caller in [caller, plain] { #expect(try shareCount(caller) == sent.filter { $0.step == 0 }.count) }
    #expect(try everything(caller) == everything(plain))
  }

  private func perform(_ step: Int, key: String?, on caller: MockCaller) throws -> [UInt8] {
    let user = "u\(step % 2)"
    let body: (path: String, body: String) =
      switch step {
      case 0: ("/share", #"{"user_id":"u","post_id":"post-1","share_type":"dm"}"#)
      case 1, 2: ("/comment", #"{"user_id":"\#(user)","post_id":"post-1","content":"c"}"#)
      case 3, 4: ("/like", #"{"user_id":"\#(user)","post_id":"post-1"}"#)
      default: ("/unlike", #"{"user_id":"\#(user)","post_id":"post-1"}"#)
      }
    var headers: HTTPHeaders = [:]
    headers["Idempotency-Key"] = key
    let response = caller.backend.respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/api/v1/social\(body.path)"), headers: headers,
        body: Array(body.body.utf8)))
    #expect(response.status == 200)
    return response.body.inMemory
  }

  private func shareCount(_ caller: MockCaller) throws -> Int {
    Int(try caller.call(SocialRPC.getShareCount, GetShareCountRequest(postId: "post-1")).count)
  }

  private func everything(_ caller: MockCaller) throws -> [AnyHashable] {
    [
      try caller.call(SocialRPC.getPostLikes, GetPostLikesRequest(postId: "post-1", limit: 100)),
      try caller.call(SocialRPC.getComments, GetCommentsRequest(postId: "post-1", limit: 100)),
      try caller.call(SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: ["post-1"])),
    ]
  }
}
