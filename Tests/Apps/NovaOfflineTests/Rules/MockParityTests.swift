import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaMock
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// What writes are expected to do while they wait is what the mock backend then does.
@Suite struct MockParityTests {
  private let mock = MockCaller(dataSet: .guide)
  private let user = "mock-user-id"

  /// A post of the sample user.
  private func post() throws -> Post {
    let page = try mock.call(ContentRPC.getPostsByAuthor, .init(authorId: user, limit: 1))
    return try #require(page.posts.first)
  }

  /// The record that a waiting write would show, and the one that the backend answers with at the same time.
  private func compare<Request, Response, Record: StoredRecord>(
    _ rpc: RPC<Request, Response>, _ request: Request, from known: Record? = nil,
    answered: (Response) -> Record?
  ) throws -> (expected: Record, actual: Record) {
    let rule = try #require(OfflineRules.write(rpc.descriptor.id))
    let actual = try #require(answered(try mock.call(rpc, request)))
    let change = RecordingChange(newID: actual.recordID, known: known)
    try rule.effect(request, nil, change)
    return (try #require(change.records.last as? Record), actual)
  }

  @Test func newComments() throws {
    let post = try post()
    let (expected, actual) = try compare(
      SocialRPC.createComment, .init(postId: post.id, userId: user, content: "Nice")
    ) { $0.comment }
    #expect(expected == actual)
  }

  @Test(arguments: ["", "draft"])
  func newPosts(_ status: String) throws {
    let request = CreatePostRequest(creatorId: user, content: "Hello", title: "T", status: status, mediaIds: ["m"])
    let (expected, actual) = try compare(ContentRPC.createPost, request) { $0.post }
    #expect(expected == actual)
  }

  @Test func newVideos() throws {
    let (expected, actual) = try compare(MediaRPC.createVideo, .init(creatorId: user, title: "V", description: "D")) {
      $0.video
    }
    #expect(expected == actual)
  }

  @Test(arguments: ["", "text"])
  func newSomethings(_ type: ContentType) throws {
    var (expected, actual) = try compare(
      CaptureRPC.createSomething, .init(content: "Idea", contentType: type), answered: { $0 as Something? })
    // The request does not tell whose it is.
    #expect(expected.userId.isEmpty)
    expected.userId = actual.userId
    #expect(expected == actual)
  }

  @Test(arguments: [
    UpdatePostRequest(title: "New", content: "Newer"), UpdatePostRequest(status: "archived"),
    UpdatePostRequest(title: ""),
    UpdatePostRequest(),
  ])
  func changedPosts(_ request: UpdatePostRequest) throws {
    let post = try post()
    var request = request
    request.postId = post.id
    let (expected, actual) = try compare(ContentRPC.updatePost, request, from: post) { $0.post }
    #expect(expected == actual)
  }

  @Test(arguments: [false, true])
  func changedComments(_ isSame: Bool) throws {
    let made = try mock.call(
      SocialRPC.createComment, .init(postId: try post().id, userId: user, content: "Nice"))
    let comment = try #require(made.comment)
    mock.advance(seconds: 10)
    let request = UpdateCommentRequest(commentId: comment.id, userId: user, content: isSame ? "Nice" : "Nicer")
    var (expected, actual) = try compare(SocialRPC.updateComment, request, from: comment) { $0.comment }
    if !isSame { expected.updatedAt += 10 }
    #expect(expected == actual)
  }

  @Test(arguments: [
    UpdateUserProfileRequest(displayName: "B", bio: "", location: "Here", isPrivate: true), UpdateUserProfileRequest(),
  ])
  func changedProfiles(_ request: UpdateUserProfileRequest) throws {
    var request = request
    request.userId = user
    let profile = try #require(try mock.call(UserRPC.getUserProfile, .init(userId: user)).profile)
    var (expected, actual) = try compare(UserRPC.updateUserProfile, request, from: profile) { $0.profile }
    // Addresses and counts are added when a profile is read.
    (expected.email, actual.email) = (nil, nil)
    (actual.followerCount, actual.followingCount) = (expected.followerCount, expected.followingCount)
    actual.postCount = expected.postCount
    #expect(expected == actual)
  }

  @Test func changedSettings() throws {
    let settings = try #require(try mock.call(UserRPC.getUserSettings, .init(userId: user)).settings)
    let request = UpdateUserSettingsRequest(userId: user, marketingEmails: true, timezone: "CET", darkMode: true)
    let (expected, actual) = try compare(UserRPC.updateUserSettings, request, from: settings) { $0.settings }
    #expect(expected == actual)
  }

  @Test(arguments: ["Mine", ""])
  func changedMeanings(_ meaning: String) throws {
    let something = try mock.call(CaptureRPC.createSomething, .init(content: "Idea"))
    let (expected, actual) = try compare(
      CaptureRPC.updateMeaning, .init(id: something.id, meaning: meaning), from: something,
      answered: { $0 as Something? })
    #expect(expected == actual)
  }
}
