import NovaContent
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaOffline

/// Writes that are on their way at the same time: an answer can be from before or after the other write, so that nothing
/// that both change is stored with an age.
@Suite(.hangLimit) struct OverlappingWritesTests {
  private let world = OfflineWorld()
  private let ada: OfflineWorld.Program
  /// Another process of the same user, with the same files.
  private let other: OfflineWorld.Program

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    other = try world.program(of: ada.user, folder: ada.folder)
    _ = try await ada.content.createPost(creatorId: ada.user.id, content: "first")
    _ = try await ada.client.respond(UserRPC.getUserProfile, profileRequest)
  }

  private var profileRequest: GetUserProfileRequest { GetUserProfileRequest(userId: ada.user.id) }

  private func updateProfile(_ program: OfflineWorld.Program) async throws {
    let request = UpdateUserProfileRequest(userId: ada.user.id, bio: "hello")
    _ = try await program.client.respond(UserRPC.updateUserProfile, request)
  }

  private func createPost(_ program: OfflineWorld.Program) async throws {
    _ = try await program.content.createPost(creatorId: ada.user.id, content: "second")
  }

  /// What is stored with an age must be what the gateway says.
  private func checkProfile(_ program: OfflineWorld.Program, _ note: Comment) async throws {
    let said = try world.mock.call(UserRPC.getUserProfile, profileRequest, token: ada.user.token).profile
    guard let stored = try await program.stored(UserRPC.getUserProfile, profileRequest) else { return }
    guard case .cache(let age?) = stored.source else { return }
    #expect(stored.value.profile?.postCount == said?.postCount, "stored with an age of \(age): \(note)")
  }

  /// The gateway carries out a write before the answer of another one arrives.
  @Test(arguments: [true, false])
  func answersFromBeforeAnotherWrite(isOtherProcess: Bool) async throws {
    let profileAnswer = HeldAnswer(ada.transport)
    profileAnswer.hold("/users/")
    let update = Task { try await updateProfile(ada) }
    await profileAnswer.arrived()
    try await createPost(isOtherProcess ? other : ada)
    profileAnswer.release()
    try await update.value
    try await checkProfile(ada, "the profile is from before the post")
  }

  /// Both answers are on their way, and come in another order.
  @Test(arguments: [true, false])
  func answersFromBeforeAnotherWriteThatEndsLater(isOtherProcess: Bool) async throws {
    let second = isOtherProcess ? other : ada
    let answers = (profile: HeldAnswer(ada.transport), post: HeldAnswer(second.transport))
    answers.profile.hold("/users/")
    let update = Task { try await updateProfile(ada) }
    await answers.profile.arrived()
    answers.post.hold("/content/")
    let post = Task { try await createPost(second) }
    await answers.post.arrived()
    answers.profile.release()
    try await update.value
    answers.post.release()
    try await post.value
    try await checkProfile(ada, "the profile is from before the post")
  }

  /// A write's effect is in the answer of another one that is stored before the write itself is.
  @Test(arguments: [true, false])
  func answersFromAfterAnotherWrite(isOtherProcess: Bool) async throws {
    let second = isOtherProcess ? other : ada
    let postAnswer = HeldAnswer(ada.transport)
    postAnswer.hold("/content/")
    let post = Task { try await createPost(ada) }
    await postAnswer.arrived()
    world.advance(seconds: 1)
    try await updateProfile(second)
    postAnswer.release()
    try await post.value
    try await checkProfile(ada, "the post is counted once")
  }

  /// Another process reads what a write has changed before its answer has come.
  @Test func readsOfAnotherProcessWhileAWriteIsOnItsWay() async throws {
    let postAnswer = HeldAnswer(ada.transport)
    postAnswer.hold("/content/")
    let post = Task { try await createPost(ada) }
    await postAnswer.arrived()
    world.advance(seconds: 1)
    _ = try await other.client.respond(
      UserRPC.getUserProfile, profileRequest, options: CallOptions(cache: .networkOnly))
    // What is read is in the file, with it.
    _ = try await other.stored(UserRPC.getUserProfile, profileRequest)
    postAnswer.release()
    try await post.value
    try await checkProfile(ada, "the post is counted once")
  }

  /// Without another write, what an answer says has an age.
  @Test func aSingleWriteIsTrusted() async throws {
    try await updateProfile(ada)
    try await createPost(ada)
    let stored = try await ada.stored(UserRPC.getUserProfile, profileRequest)
    #expect(stored?.source == .cache(age: .zero))
    #expect(stored?.value.profile?.postCount == 2)
    #expect(stored?.value.profile?.bio == "hello")
  }
}

/// Keeps the answer of one request back: the gateway has carried it out.
private final class HeldAnswer: Sendable {
  private let transport: CuttableTransport
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let (releases, end) = AsyncStream.makeStream(of: Void.self)
  private let isFirst = Locked(true)

  init(_ transport: CuttableTransport) { self.transport = transport }

  /// Holds the answer of the next request whose path contains a text.
  func hold(_ part: String) {
    transport.beforeEachAnswer { [self] request in
      let isHeld =
        request.url.path.contains(part)
        && isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
      if isHeld {
        arrival.yield()
        for await _ in releases { return }
      }
    }
  }

  func arrived() async { for await _ in arrivals { return } }

  func release() { end.yield() }
}
