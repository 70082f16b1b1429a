import NovaAuth
import NovaCore
import NovaTestSupport
import Testing

/// Passwords that are words of error responses: what the server says is read all the same, and the password is not shown.
@Suite struct RedactedNameTests {
  @Test(arguments: ["message", "code", "details", "error", "metadata", "password", "detail", "email", "user_id"])
  func errorsKeepTheirFields(_ password: String) async throws {
    for (body, code) in [
      (#"{"code":3,"message":"no good: \#(password)!","details":[]}"#, "3"),
      (#"{"error":{"code":"WEAK","message":"no good: \#(password)!","metadata":{}}}"#, "WEAK"),
    ] {
      let client = try APIClient.test(RecordingTransport(status: 400, body))
      let error = await apiError {
        try await client.call(AuthRPC.login, LoginRequest(email: "a@b.example", password: password))
      }
      #expect(
        error?.server?.code == code || error?.grpcStatus?.rawValue == 3, "\(password): \(String(describing: error))")
      #expect(error?.server?.message.contains("no good") == true, "\(password): \(String(describing: error))")
      #expect(error?.server?.message.contains("\(password)!") == false, "\(password): \(String(describing: error))")
    }
  }
}
