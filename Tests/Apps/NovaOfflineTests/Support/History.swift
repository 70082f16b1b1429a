import NovaCapture
import NovaContent
import NovaCore
import NovaEvents
import NovaFeed
import NovaGraph
import NovaMock
@testable import NovaOffline
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

/// A read of some RPC, to be made through a store or directly.
struct AnyRead: Sendable, CustomStringConvertible {
  let rpc: RPCDescriptor
  var request: any ProtoMessage

  init<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) {
    self.rpc = rpc.descriptor
    self.request = request
  }

  var description: String {
    "\(rpc.id) \(String(decoding: (try? request.jsonUTF8(.request)) ?? [], as: UTF8.self))"
  }
}

/// One random history of a user, Ada, and her program.
final class History {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  /// Ada without a store.
  private let direct: APIClient
  private let others: [OfflineWorld.User]
  /// How many of 100 steps are those of others.
  private let othersShare: Int
  private var live: LiveEvents?
  private let seed: UInt64
  private var generator: SeededGenerator
  private var posts: [String] = []
  private var comments: [(id: String, post: String)] = []
  private var somethings: [Int64] = []
  private var done: [String] = []

  init(seed: UInt64, others othersShare: Int = 0) throws {
    self.seed = seed
    self.othersShare = othersShare
    generator = SeededGenerator(seed: seed)
    let users = try ["ada", "bob", "eve"].map(world.newUser)
    ada = try world.program(of: users[0])
    others = Array(users.dropFirst())
    direct = try APIClient.test(MockTransport(world.mock.backend), tokens: StoredToken(AccessToken(users[0].token)))
    for user in users {
      for number in 1...4 {
        let post = try world.mock.call(
          ContentRPC.createPost, CreatePostRequest(creatorId: user.id, content: "\(user.id) \(number)"),
          token: user.token)
        posts.append(post.post?.id ?? "")
      }
    }
    for post in posts.prefix(6) {
      for number in 1...3 {
        let comment = try world.mock.call(
          SocialRPC.createComment, CreateCommentRequest(postId: post, userId: others[0].id, content: "\(number)"),
          token: others[0].token)
        comments.append((comment.comment?.id ?? "", post))
      }
    }
  }

  private func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[generator.next(below: elements.count)]
  }

  private var users: [String] { [ada.user.id] + others.map(\.id) }
  private var otherUser: String { others[generator.next(below: others.count)].id }
  private var anyPost: String { pick(posts) ?? "post-1" }
  private var anyComment: String { pick(comments)?.id ?? "comment-1" }

  // MARK: Steps

  func step(_ number: Int) async throws {
    world.advance(seconds: Int64(generator.next(below: 8)))
    if generator.next(below: 100) < othersShare { return try otherActs() }
    switch generator.next(below: 100) {
    case 0..<45: try await read()
    case 45..<80: try await write()
    case 80..<84: ada.set(.down)
    case 84..<86: ada.set(.losesAnswers)
    case 86..<92: ada.set(.up)
    case 92..<95:
      ada.set(.up)
      _ = try await ada.offline.outbox.flush()
    case 95..<97:
      let position = live?.end()
      try await ada.restart()
      if live != nil { live = LiveEvents(ada.client, topics: topics, after: position) }
    default: try await read()
    }
  }

  private func read() async throws {
    let read = randomRead()
    done.append("read \(read)")
    let policies: [CachePolicy] = [.networkFirst(), .cacheFirst(), .networkOnly, .cacheOnly]
    let policy = policies[generator.next(below: 4)]
    do {
      _ = try await ada.client.respond(read.rpc, read.request, options: CallOptions(cache: policy))
    } catch let error as APIError
      where [.networkError, .notFound, .timeout, .permissionDenied].contains(error.code)
    {}
  }

  private func randomRead() -> AnyRead {
    let reads = allReads
    return reads[generator.next(below: reads.count)]
  }

  /// Every read that is made.
  private var allReads: [AnyRead] {
    var reads: [AnyRead] = []
    for user in users {
      for (limit, offset) in [(2, 0), (2, 2), (50, 0)] {
        reads += [
          AnyRead(GraphRPC.getFollowers, GetFollowersRequest(userId: user, limit: limit, offset: offset)),
          AnyRead(GraphRPC.getFollowing, GetFollowingRequest(userId: user, limit: limit, offset: offset)),
          AnyRead(SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: user, limit: limit, offset: offset)),
          AnyRead(ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: user, limit: limit, offset: offset)),
          AnyRead(
            ContentRPC.getPostsByAuthor,
            GetPostsByAuthorRequest(authorId: user, status: "published", limit: limit, offset: offset)),
          AnyRead(ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: user, limit: limit, offset: offset)),
        ]
      }
      reads += [
        AnyRead(UserRPC.getUserProfile, GetUserProfileRequest(userId: user)),
        AnyRead(GraphRPC.isFollowing, IsFollowingRequest(followerId: ada.user.id, followeeId: user)),
        AnyRead(GraphRPC.isBlocked, IsBlockedRequest(blockerId: ada.user.id, blockedId: user)),
      ]
    }
    for post in posts {
      for (limit, offset) in [(2, 0), (2, 1), (50, 0)] {
        reads += [
          AnyRead(SocialRPC.getPostLikes, GetPostLikesRequest(postId: post, limit: limit, offset: offset)),
          AnyRead(SocialRPC.getComments, GetCommentsRequest(postId: post, limit: limit, offset: offset)),
          AnyRead(
            SocialRPC.getComments, GetCommentsRequest(postId: post, limit: limit, offset: offset, order: "asc")),
          AnyRead(
            SocialRPC.getComments,
            GetCommentsRequest(postId: post, limit: limit, offset: offset, sortBy: "updated_at")),
        ]
      }
      reads += [
        AnyRead(ContentRPC.getPost, GetPostRequest(postId: post)),
        AnyRead(ContentRPC.checkPostExists, CheckPostExistsRequest(postId: post)),
        AnyRead(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post)),
        AnyRead(SocialRPC.getCommentCount, GetCommentCountRequest(postId: post)),
        AnyRead(SocialRPC.getShareCount, GetShareCountRequest(postId: post)),
        AnyRead(SocialRPC.checkUserLiked, CheckUserLikedRequest(userId: ada.user.id, postId: post)),
        AnyRead(SocialRPC.checkUserShared, CheckUserSharedRequest(userId: ada.user.id, postId: post)),
      ]
    }
    for comment in comments { reads.append(AnyRead(SocialRPC.getComment, GetCommentRequest(commentId: comment.id))) }
    reads += [
      AnyRead(FeedRPC.getFeed, GetFeedRequest(userId: ada.user.id, limit: 5, algorithm: "ch")),
      AnyRead(UserRPC.getUserSettings, GetUserSettingsRequest(userId: ada.user.id)),
      AnyRead(ContentRPC.getPostsByIds, GetPostsByIdsRequest(postIds: Array(posts.prefix(5)))),
      AnyRead(
        SocialRPC.batchCheckUserLiked, BatchCheckUserLikedRequest(userId: ada.user.id, postIds: Array(posts.prefix(5)))),
      AnyRead(SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: Array(posts.prefix(5)))),
      AnyRead(GraphRPC.batchCheckFollowing, BatchCheckFollowingRequest(followerId: ada.user.id, followeeIds: users)),
      AnyRead(CaptureRPC.listSomethings, ListSomethingsRequest(skip: 0, limit: 20)),
    ]
    return reads
  }

  private func write() async throws {
    let me = ada.user.id
    let client = ada.client
    let options = CallOptions(delivery: generator.one(in: 5) ? .enqueue : .automatic)
    func call<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) async throws -> Response? {
      done.append("\(rpc.descriptor.id) \(String(decoding: try request.jsonUTF8(.request), as: UTF8.self))")
      do {
        return try await client.respond(rpc, request, options: options).value
      } catch let error as APIError
        where [.notFound, .permissionDenied, .invalidArgument, .failedPrecondition].contains(error.code)
      {
        return nil
      }
    }
    switch generator.next(below: 16) {
    case 0: _ = try await call(SocialRPC.createLike, CreateLikeRequest(userId: me, postId: anyPost))
    case 1: _ = try await call(SocialRPC.deleteLike, DeleteLikeRequest(userId: me, postId: anyPost))
    case 2: _ = try await call(GraphRPC.createFollow, CreateFollowRequest(followerId: me, followeeId: otherUser))
    case 3:
      // Seldom, because it makes everything that was read unsure.
      guard generator.one(in: 4) else { return }
      _ = try await call(GraphRPC.deleteFollow, DeleteFollowRequest(followerId: me, followeeId: otherUser))
    case 4: _ = try await call(ContentRPC.createBookmark, CreateBookmarkRequest(userId: me, postId: anyPost))
    case 5: _ = try await call(ContentRPC.deleteBookmark, DeleteBookmarkRequest(userId: me, postId: anyPost))
    case 6, 7:
      let post = anyPost
      let parent = generator.one(in: 3) ? pick(comments.filter { $0.post == post })?.id ?? "" : ""
      let request = CreateCommentRequest(
        postId: post, userId: me, content: "comment \(done.count)", parentCommentId: parent)
      if let comment = try await call(SocialRPC.createComment, request)?.comment { comments.append((comment.id, post)) }
    case 8:
      let request = UpdateCommentRequest(commentId: anyComment, userId: me, content: "changed \(done.count)")
      _ = try await call(SocialRPC.updateComment, request)
    case 9: _ = try await call(SocialRPC.deleteComment, DeleteCommentRequest(commentId: anyComment, userId: me))
    case 10:
      let request = CreatePostRequest(
        creatorId: me, content: "post \(done.count)", status: generator.one(in: 3) ? "draft" : "")
      if let post = try await call(ContentRPC.createPost, request)?.post { posts.append(post.id) }
    case 11:
      let status = generator.one(in: 2) ? ["draft", "published", "archived"][generator.next(below: 3)] : nil
      let request = UpdatePostRequest(postId: anyPost, content: "changed \(done.count)", status: status)
      _ = try await call(ContentRPC.updatePost, request)
    case 12:
      if generator.one(in: 2) {
        _ = try await call(ContentRPC.deletePost, DeletePostRequest(postId: anyPost, deletedById: me))
      }
    case 13: _ = try await call(SocialRPC.createShare, CreateShareRequest(userId: me, postId: anyPost))
    case 14:
      let request = UpdateUserProfileRequest(userId: me, bio: "bio \(done.count)")
      _ = try await call(UserRPC.updateUserProfile, request)
    default:
      // Who blocks a user may no longer follow the user's topic, and gets an error instead of events.
      if live == nil, generator.one(in: 4) {
        _ = try await call(GraphRPC.createBlock, CreateBlockRequest(blockerId: me, blockedId: otherUser))
      } else if generator.one(in: 2), let id = pick(somethings) {
        _ = try await call(CaptureRPC.deleteSomething, DeleteSomethingRequest(id: id))
      } else {
        let request = CreateSomethingRequest(content: "thought \(done.count)", contentType: "text")
        if let something = try await call(CaptureRPC.createSomething, request) { somethings.append(something.id) }
      }
    }
  }

  private func otherActs() throws {
    let user = others[generator.next(below: others.count)]
    func call<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) throws {
      done.append("\(user.id): \(rpc.descriptor.id)")
      do { _ = try world.mock.call(rpc, request, token: user.token) } catch is Refusal {}
    }
    switch generator.next(below: 9) {
    case 0: try call(SocialRPC.createLike, CreateLikeRequest(userId: user.id, postId: anyPost))
    case 1: try call(SocialRPC.createComment, CreateCommentRequest(postId: anyPost, userId: user.id, content: "hello"))
    case 2: try call(GraphRPC.createFollow, CreateFollowRequest(followerId: user.id, followeeId: ada.user.id))
    case 3: try call(ContentRPC.deletePost, DeletePostRequest(postId: anyPost, deletedById: user.id))
    case 4: try call(SocialRPC.deleteLike, DeleteLikeRequest(userId: user.id, postId: anyPost))
    case 5: try call(GraphRPC.deleteFollow, DeleteFollowRequest(followerId: user.id, followeeId: ada.user.id))
    case 6: try call(SocialRPC.deleteComment, DeleteCommentRequest(commentId: anyComment, userId: user.id))
    case 7: try call(SocialRPC.createShare, CreateShareRequest(userId: user.id, postId: anyPost))
    default: try call(ContentRPC.createPost, CreatePostRequest(creatorId: user.id, content: "news"))
    }
  }

  // MARK: Events

  private var topics: [EventTopic] {
    users.map { .user($0) } + posts.prefix(12).map { .post($0) } + [.me, .feed(of: ada.user.id)]
  }

  /// Ada's program follows everything from now on.
  func goLive() async throws {
    let live = LiveEvents(ada.client, topics: topics, after: nil)
    try await live.begin()
    self.live = live
  }

  /// Returns when the program has got all that has happened.
  func catchUp() async throws {
    ada.set(.up)
    let bio = "the end of \(seed)"
    let user = others[0]
    _ = try world.mock.call(UserRPC.updateUserProfile, .init(userId: user.id, bio: bio), token: user.token)
    let last = try world.mock.call(EventRPC.listEvents, .init(topics: ["user:\(user.id)"]), token: user.token).nextAfter
    let ticking = world.tick()
    defer { ticking.cancel() }
    await live?.wait(for: last)
  }

  // MARK: Checks

  /// No list shows an item twice, or one that was deleted.
  func checkLists(_ step: Int) async throws {
    let read = randomRead()
    guard let value = try await stored(read)?.value else { return }
    let ids: [String] =
      switch value {
      case let page as GetFollowersResponse: page.userIds
      case let page as GetFollowingResponse: page.userIds
      case let page as GetUserLikedPostsResponse: page.postIds
      case let page as GetPostsByAuthorResponse: page.posts.map(\.id)
      case let page as GetUserBookmarksResponse: page.posts.map(\.id)
      case let page as GetCommentsResponse: page.comments.map(\.id)
      case let page as GetPostLikesResponse: page.userIds
      default: []
      }
    #expect(Set(ids).count == ids.count, "seed \(seed), step \(step): \(read) shows an item twice: \(ids)")
  }

  /// Brings everything to the gateway.
  func settle() async throws {
    ada.set(.up)
    for _ in 1...5 {
      world.advance(seconds: 100)
      _ = try await ada.offline.outbox.flush()
    }
    let waiting = try await ada.offline.outbox.entries.filter { $0.state == .waiting }
    #expect(waiting.isEmpty, "seed \(seed): \(waiting)")
    for entry in try await ada.offline.outbox.deadLetters {
      try await ada.offline.outbox.discard(entry.id, cascade: true)
    }
  }

  func readAll() async throws {
    for read in allReads {
      _ = try? await ada.client.respond(read.rpc, read.request, options: CallOptions(cache: .networkOnly))
    }
  }

  enum Scope { case onlySure, all }

  /// Compares what is stored with what the gateway says.
  func compare(_ scope: Scope) async throws {
    var count = 0
    let identity = try await ada.identity
    for var read in allReads {
      read.request = try ada.offline.engine.outbox.store.withRealIDs(read.request, identity: identity)
      guard let stored = try await stored(read) else { continue }
      // Also those that an unfollow or a block, delivered last, has made unsure.
      count += 1
      if scope == .onlySure, case .cache(nil) = stored.source { continue }
      guard let answer = try? await direct.respond(read.rpc, read.request) else { continue }
      let (mine, theirs) = (Self.text(stored.value), Self.text(answer.value))
      guard mine != theirs else { continue }
      let history = done.suffix(400).joined(separator: "\n")
      Issue.record("seed \(seed): \(read)\n\(stored.source)\nstored  \(mine)\ngateway \(theirs)\n\(history)")
      return
    }
    #expect(count > 10, "seed \(seed): only \(count) answers were stored")
  }

  private func stored(_ read: AnyRead) async throws -> APIResponse<any ProtoMessage>? {
    do {
      return try await ada.client.respond(read.rpc, read.request, options: CallOptions(cache: .cacheOnly))
    } catch let error as APIError where error.code == .notFound {
      return nil
    }
  }

  /// Without what is not stored: the likes themselves, and the moments of ranking.
  private static func text(_ message: any ProtoMessage) -> String {
    var message = message
    if var likes = message as? GetPostLikesResponse {
      likes.likes = []
      message = likes
    }
    return String(decoding: (try? message.jsonUTF8(.response)) ?? [], as: UTF8.self)
  }
}
