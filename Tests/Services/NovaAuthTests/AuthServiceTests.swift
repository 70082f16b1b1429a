import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

/// The auth service against the mock backend.
@Suite struct AuthServiceTests {
  private let auth: AuthService

  init() throws { auth = AuthService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func anAccountIsMadeOnce() async throws {
    let account = try await auth.register(email: "eve@nova.example", username: "eve_1", password: Canary.secret)
    #expect(!account.token.isEmpty && !account.refreshToken.isEmpty && account.expiresIn == 3600)
    #expect(try await auth.getUser(userId: account.userId).username == "eve_1")
    let again = await apiError {
      try await auth.register(email: "EVE@nova.example", username: "eve_2", password: Canary.secret)
    }
    #expect(again?.code == .conflict && again?.grpcStatus == .alreadyExists)
    let login = try await auth.login(email: "eve@nova.example", password: Canary.secret)
    #expect(login.userId == account.userId)
  }

  @Test func anAccountMayWaitForItsConfirmation() async throws {
    let account = try await auth.register(
      email: "eve+unconfirmed@nova.example", username: "eve_1", password: Canary.secret)
    #expect(!account.userId.isEmpty && account.token.isEmpty && account.refreshToken.isEmpty)
  }

  @Test func aSessionBeginsAndEnds() async throws {
    let session = try await auth.login(email: "bruce@nova.social", password: "mock-password")
    #expect(session.userId == "mock-user-id")
    let verified = try await auth.verifyToken(token: session.token)
    #expect(verified.isValid && verified.userId == session.userId && verified.username == "bruce_li")
    let refreshed = try await auth.refresh(refreshToken: session.refreshToken)
    #expect(!refreshed.token.isEmpty && refreshed.refreshToken.isEmpty && refreshed.expiresIn == 3600)
    for _ in 0..<2 { try await auth.logout(refreshToken: session.refreshToken) }
    let revoked = try await auth.verifyToken(token: session.token)
    #expect(!revoked.isValid && revoked.isRevoked)
    let error = await apiError { try await auth.refresh(refreshToken: session.refreshToken) }
    #expect(error?.code == .unauthorized)
    #expect(try await !auth.verifyToken(token: "garbage").isValid)
  }

  @Test func wrongPasswordsLockTheAccount() async throws {
    for _ in 0..<5 {
      let error = await apiError { try await auth.login(email: "bruce@nova.social", password: "wrong") }
      #expect(error?.code == .unauthorized)
    }
    let error = await apiError { try await auth.login(email: "bruce@nova.social", password: "mock-password") }
    #expect(error?.code == .permissionDenied)
  }

  @Test func anUnknownAccountIsAnError() async throws {
    let error = await apiError { try await auth.getUser(userId: "nobody") }
    #expect(error?.code == .notFound && error?.rpc == "auth.GetUser")
  }

  @Test func badArgumentsAreNotSent() async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport))
    let errors = [
      await apiError { try await auth.register(email: "e@x.example", username: "ab", password: "12345678") },
      await apiError { try await auth.register(email: "e@x.example", username: "abc", password: "1234567") },
      await apiError { try await auth.getUser(userId: "") },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidArgument && $0?.httpStatus == nil })
    #expect(transport.requests.isEmpty)
  }
}

/// What real backends send and the mock does not.
@Suite struct AuthAnswerTests {
  private func service(_ body: String, status: Int = 200) throws -> AuthService {
    AuthService(client: try APIClient.test(RecordingTransport(status: status, body)))
  }

  @Test(arguments: [
    #"{"user_id":"u","token":"t","refresh_token":"r","expires_in":3600}"#,
    #"{"userId":"u","token":"t","refreshToken":"r","expiresIn":"3600","tokenType":"Bearer"}"#,
  ])
  func sessionsAreReadInEveryForm(body: String) async throws {
    let auth = try service(body)
    #expect(
      try await auth.login(email: "e@x.example", password: "p")
        == LoginResponse(userId: "u", token: "t", refreshToken: "r", expiresIn: 3600))
    #expect(try await auth.refresh(refreshToken: "old").refreshToken == "r")
  }

  @Test(arguments: [
    #"{"user":{"id":"u","created_at":1704164645,"is_active":true}}"#,
    #"{"user":{"id":"u","createdAt":"2024-01-02T03:04:05Z","isActive":true,"email":null}}"#,
    #"{"user":{"id":"u","createdAt":"1704164645","is_active":true}}"#,
  ])
  func accountsAreReadInEveryForm(body: String) async throws {
    #expect(
      try await service(body).getUser(userId: "u") == User(id: "u", createdAt: 1_704_164_645, isActive: true))
  }

  @Test(arguments: [#"{"expiresAt":"2024-01-02T03:04:05+00:00"}"#, #"{"is_valid":false,"expires_at":1704164645}"#])
  func anInvalidTokenIsAResult(body: String) async throws {
    #expect(try await service(body).verifyToken(token: "t") == VerifyTokenResponse(expiresAt: 1_704_164_645))
  }

  @Test func responsesWithoutTheirValueAreErrors() async throws {
    let auth = try service("{}")
    #expect(await apiError { try await auth.getUser(userId: "u") }?.code == .invalidResponse)
    #expect(await apiError { try await auth.logout(refreshToken: "r") }?.code == .failedPrecondition)
    let register = try await auth.register(email: "e@x.example", username: "abc", password: "12345678")
    #expect(register == RegisterResponse())
    #expect(await apiError { try await auth.login(email: "e@x.example", password: "p") }?.code == .invalidResponse)
    #expect(await apiError { try await auth.refresh(refreshToken: "r") }?.code == .invalidResponse)
  }

  @Test func errorsNeverRepeatSecrets() async throws {
    let auth = try service(#"{"code":16,"message":"no: hunter2hunter2"}"#, status: 401)
    let error = try #require(
      await apiError { try await auth.login(email: "e@x.example", password: "hunter2hunter2") })
    #expect(error.code == .unauthorized && !"\(error)".contains("hunter2"))
  }
}
