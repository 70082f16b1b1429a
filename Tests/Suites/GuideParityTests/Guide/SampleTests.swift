import Foundation
import NovaSDK
import NovaTestSupport
import Testing

/// The documents' code, with the changes that docs/coming-from-the-guide.md lists, does what the documents say.
@MainActor @Suite(.serialized) struct SampleTests {
  private func withMockData(_ body: @MainActor @Sendable () async throws -> Void) async throws {
    try await SharedClientTurn.run {
      let (before, mock) = (APIFeatureFlags.enableMockData, NovaClient.sharedMock)
      defer {
        APIFeatureFlags.enableMockData = before
        NovaClient.sharedMock = mock
        APIClient.shared.setAuthToken(nil)
      }
      APIFeatureFlags.enableMockData = true
      NovaClient.sharedMock = MockBackend()
      try await body()
    }
  }

  @Test func theGuidesViewModel() async throws {
    try await withMockData {
      let viewModel = GuideProfileSample.UserProfileViewModel()
      await viewModel.loadFollowers(userId: "mock-user-id")
      await viewModel.loadFollowing(userId: "mock-user-id")
      #expect(viewModel.followerIds.count == 50 && viewModel.followingIds.count == 50)
      await viewModel.likePost(postId: "post-3")
      let isLiked = try await SocialService().checkUserLiked(postId: "post-3", userId: viewModel.currentUserId)
      #expect(isLiked)
      await viewModel.unlikePost(postId: "post-3")
      for tab in ContentTab.allCases { try await viewModel.loadContent(for: tab) }
      #expect(viewModel.posts.count == 50 && viewModel.savedPosts.count == 37 && !viewModel.likedPosts.isEmpty)
      #expect(viewModel.errorMessage == nil)
      await viewModel.likePost(postId: "no-such-post")
      #expect(viewModel.errorMessage == "This no longer exists.")
    }
  }

  @Test func theGuidesErrors() async throws {
    typealias Sample = GuideErrorSample
    #expect(Sample.text(of: APIError(.notFound, "x")) == "not found")
    #expect(Sample.text(of: APIError(.rateLimited, "x", httpStatus: 429)) == "server: 429 x")
    let server = APIError(.serverError, "x", httpStatus: 500, server: ServerError(message: "boom"))
    #expect(Sample.text(of: server) == "server: 500 boom")
    let lost = TransportError(.connectionLost, "the connection was lost", requestMayHaveLeft: true)
    #expect(Sample.text(of: APIError(.networkError, "x", transport: lost)) == "network: \(lost)")
    #expect(try Sample.baseURL(of: .staging) == "https://staging-api.nova.social")
    #expect(Sample.preview().userProfile?.username == "bruce_li")
  }

  @Test func signingIn() async throws {
    try await withMockData {
      typealias Sample = SessionsSample
      let state = Sample.appState
      await Sample.signIn(email: "bruce@nova.social", password: "wrong")
      #expect(Sample.welcome() == "The e-mail address or the password is wrong.")
      await Sample.signIn(email: "bruce@nova.social", password: "mock-password")
      #expect(Sample.welcome() == "Welcome, bruce@nova.social" && Sample.headers()?.count == 1)
      try await Sample.signOut()
      try await waitUntil { !state.isAuthenticated }
      await Sample.signUp(email: "zoe@example.com", username: "zoe", password: "short")
      #expect(state.error == "The password must have at least 8 characters.")
      await Sample.signUp(email: "zoe@example.com", username: "zoe", password: "long enough")
      #expect(state.currentUser?.username == "zoe")
      try await Sample.signOut()
    }
  }

  @Test func capturing() async throws {
    try await withMockData {
      let saved = try #require(await CaptureAPISample.capture("Rain on the roof"))
      #expect(CaptureAPISample.symbol(of: saved) == "text.quote")
      let image = try await CaptureAPISample.createSomething(
        content: nil, contentType: .image, mediaUrl: "https://cdn.example/1.jpg")
      #expect(CaptureAPISample.symbol(of: image) == "photo")
      let all = try await CaptureAPISample.listSomethings()
      #expect(all.map(\.id) == [image.id, saved.id])
      let changed = try await CaptureAPISample.updateMeaning(somethingId: saved.id, meaning: "Calm")
      #expect(changed.isMeaningUserEdited)
      let screen = CaptureScreenSample.CaptureViewModel()
      screen.somethingText = "More rain"
      await screen.saveSomething()
      #expect(screen.lastCreated?.content == "More rain" && screen.somethingText.isEmpty && screen.error == nil)
    }
  }

  @Test func aCaptureIsDecoded() throws {
    let json = """
      {"id": 123, "userId": "uuid-string", "content": "My thought", "contentType": "text", "mediaUrl": null,
      "meaning": "AI-generated meaning", "isMeaningUserEdited": false, "noveltyScore": 0.75,
      "createdAt": "2025-12-07T12:34:56.789Z", "updatedAt": "2025-12-07T12:34:56.789Z"}
      """
    let (something, captured) = try CaptureAPISample.decode(Data(json.utf8))
    #expect(something.id == 123 && something.contentType == .text && something.noveltyScore == 0.75)
    #expect(something.mediaUrl == nil && something.meaning == "AI-generated meaning")
    let seconds = try #require(captured).timeIntervalSince1970
    #expect(abs(seconds - 1_765_110_896.789) < 1e-6)
  }

  private static let pet = """
    {"id": "550e8400-e29b-41d4-a716-446655440000", "petName": "Max", "species": "DOG", "status": "MISSING",
    "photoUrl": "/images/max.jpg", "lastSeenDate": "2024-11-15", "locationLatitude": 52.2297,
    "locationLongitude": 21.0122, "breed": "Golden Retriever", "sex": "MALE", "age": 5,
    "description": "Friendly golden retriever, responds to Max", "phone": "+48123456789",
    "email": "owner@example.com"
    """

  @Test func petsAreDecoded() throws {
    let dinosaur = Self.pet.replacing("DOG", with: "DINOSAUR")
    let list = try AnnouncementsSample.animals(in: Data(#"{"data": [\#(Self.pet)}, \#(dinosaur)}]}"#.utf8))
    #expect(list.animals.map(\.name) == ["Max"] && list.skipped.map(\.reason.kind) == [.unknownSpecies])
    let more = """
      , "microchipNumber": "123456789012345", "reward": "500 PLN", "createdAt": "2024-11-20T10:30:00.000Z",
      "updatedAt": "2024-12-01 14:24:13"}
      """
    let details = try AnnouncementsSample.details(in: Data("\(Self.pet)\(more)".utf8))
    #expect(details.reward == 500 && details.updatedAt == Timestamp("2024-12-01T14:24:13Z"))
    #expect(throws: AnnouncementError.self) { try AnnouncementsSample.details(in: Data("\(dinosaur)\(more)".utf8)) }
  }
}
