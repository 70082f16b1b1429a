import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers
import NovaViewModels
import Testing

@Suite struct UserMessageTests {
  private static let codes: [APIError.Code] = [
    .invalidURL, .invalidResponse, .networkError, .decodingError, .serverError, .unauthorized, .notFound, .cancelled,
    .timeout, .rateLimited, .permissionDenied, .conflict, .invalidArgument, .failedPrecondition, .unavailable,
    .unimplemented, .insecureConnection, APIError.Code(rawValue: "of a later version"),
  ]

  @Test(arguments: codes) func everyCodeHasASentence(_ code: APIError.Code) {
    let error = APIError(
      code, "graph.GetFollowers failed", rpc: "graph.GetFollowers", requestID: "request-7", httpStatus: 418,
      server: ServerError(code: "NO_TEAPOT", message: "a server's words"))
    let text = error.userMessage
    #expect(text.hasSuffix("."))
    #expect(text.first?.isUppercase == true)
    for technical in ["graph", "request-7", "418", "TEAPOT", "a server's words"] {
      #expect(!text.contains(technical), "\(text)")
    }
  }

  @Test func cancellationsSayNothing() {
    #expect(UserMessage.text(of: CancellationError()) == nil)
    #expect(UserMessage.text(of: APIError(.cancelled, "the task was cancelled")) == nil)
  }

  @Test func whatIsNotStoredMayStillExist() {
    let text = "This is not stored on this device. Loading it needs a network connection."
    #expect(APIError(.notFound, "not stored", rpc: "user.GetUserProfile").userMessage == text)
    let gone = APIError(.notFound, "not found", rpc: "user.GetUserProfile", httpStatus: 404)
    #expect(gone.userMessage == "This no longer exists.")
    #expect(APIError(.notFound, "an app's own").userMessage == "This no longer exists.")
  }

  @Test func everySentenceHasAKey() {
    let keys = UserMessage.Key.all
    #expect(Set(keys.map(\.name)).count == keys.count, "a name is used twice")
    #expect(keys.allSatisfy { !$0.english.isEmpty && $0.name.contains(".") })
    for code in Self.codes {
      UserMessage.withLanguage(.init { "key \($0.name)" }) {
        let text = APIError(code, "x").userMessage
        #expect(keys.contains { "key \($0.name)" == text }, "\(text)")
      }
    }
  }

  /// View models show only sentences with a key. In this test's language, each sentence is the name of its key.
  @MainActor @Test func viewModelsSpeakTheAppsLanguage() async {
    await UserMessage.withLanguage(.init { "<\($0.name)>\($0.english.contains("{parts}") ? "{parts}" : "")" }) {
      let client = APIClient(configuration: .builtIn, transport: Unreachable()) { $0.resilience = .none }
      let profile = UserProfileViewModel(
        currentUserId: "me", graph: GraphService(client: client), social: SocialService(client: client),
        content: ContentService(client: client), media: MediaService(client: client), users: UserService(client: client)
      )
      await profile.loadUserProfile(userId: "ada")
      #expect(
        profile.errorMessage
          == "<profile.notLoaded><part.profile><list.comma><part.followers><list.comma><part.following><list.comma>"
          + "<part.posts><list.comma><part.saved><list.and><part.relationship> <error.networkError>")
      await profile.followUser(userId: "ada")
      #expect(profile.errorMessage == "<change.followFailed> <error.networkError>")
      await profile.followUser(userId: "me")
      #expect(profile.errorMessage == "<profile.ownFollow>")
      let capture = CaptureViewModel(service: CaptureService(client: client))
      capture.text = "Rain"
      await capture.save()
      #expect(capture.errorMessage == "<error.networkError>" && capture.errorCode == .networkError)
    }
  }

  private struct Unreachable: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false)
    }
  }

  @Test func otherErrorsHaveAMessage() {
    struct Odd: Error {}
    #expect(UserMessage.text(of: Odd()) == "Something went wrong. Please try again.")
    #expect(UserMessage.text(of: APIError(.unauthorized, "401")) == "Please log in again.")
  }
}
