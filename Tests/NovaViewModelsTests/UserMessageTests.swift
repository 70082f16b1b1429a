import NovaAuth
import NovaCore
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

  @Test func otherErrorsHaveAMessage() {
    struct Odd: Error {}
    #expect(UserMessage.text(of: Odd()) == "Something went wrong. Please try again.")
    #expect(UserMessage.text(of: APIError(.unauthorized, "401")) == "Please log in again.")
  }
}
