import NovaAuth
import NovaCore
import NovaMock
import NovaUsers
import NovaTestSupport
import Testing

@Suite struct AccountTests {
  private let mock = MockCaller()
  private let ada = RegisterRequest(email: "Ada@nova.example", username: "ada_1", password: "correct horse")

  @Test func registeringMakesAnAccountAProfileAndASession() throws {
    let answer = try mock.call(AuthRPC.register, ada)
    #expect(answer.userId == "user-registered-1")
    #expect(answer.expiresIn == 3600)
    #expect(!answer.token.isEmpty && !answer.refreshToken.isEmpty)
    let profile = try mock.call(UserRPC.getUserProfile, GetUserProfileRequest(userId: answer.userId)).profile
    #expect(profile?.username == "ada_1" && profile?.createdAt == MockCaller.start)
    let user = try mock.call(AuthRPC.getUser, GetUserRequest(userId: answer.userId), token: answer.token).user
    #expect(
      user
        == User(
          id: answer.userId, email: "Ada@nova.example", username: "ada_1", createdAt: MockCaller.start, isActive: true))
  }

  @Test(arguments: [
    ("ada", "ada_1", "12345678", "email"),
    ("@nova.example", "ada_1", "12345678", "email"),
    ("a@b@nova.example", "ada_1", "12345678", "email"),
    ("ada@nova", "ada_1", "12345678", "email"),
    ("ada@nova..example", "ada_1", "12345678", "email"),
    ("ada lovelace@nova.example", "ada_1", "12345678", "email"),
    ("ada@nova.example\r\n", "ada_1", "12345678", "email"),
    ("ada@@\u{301}nova.example", "ada_1", "12345678", "email"),
    ("\u{FEFF}ada@nova.example", "ada_1", "12345678", "email"),
    (String(repeating: "a", count: 242) + "@nova.example", "ada_1", "12345678", "email"),
    ("ada@nova.example", "ad", "12345678", "username"),
    ("ada@nova.example", String(repeating: "a", count: 33), "12345678", "username"),
    ("ada@nova.example", "ada-1", "12345678", "username"),
    ("ada@nova.example", "adä_1", "12345678", "username"),
    ("ada@nova.example", "ada_1", "1234567", "password"),
    ("ada@nova.example", "ada_1", String(repeating: "1", count: 1025), "password"),
    ("", "", "", "email"),
  ])
  func invalidRegistrationsAreRejected(email: String, username: String, password: String, field: String) throws {
    let request = RegisterRequest(email: email, username: username, password: password)
    let refusal = try #require(try mock.refusal(AuthRPC.register, request))
    #expect(refusal.status == 400 && refusal.grpcStatus == .invalidArgument, "\(refusal)")
    #expect(refusal.message.hasPrefix(field) || email.isEmpty, "\(refusal)")
    #expect(password.isEmpty || !refusal.message.contains(password))
  }

  @Test func addressesAndUsernamesAreUniqueIgnoringCase() throws {
    _ = try mock.call(AuthRPC.register, ada)
    for (email, username) in [("ADA@NOVA.EXAMPLE", "other"), ("other@nova.example", "ADA_1")] {
      let request = RegisterRequest(email: email, username: username, password: "12345678")
      #expect(try mock.refusal(AuthRPC.register, request)?.grpcStatus == .alreadyExists)
    }
  }

  @Test func namesOfADataSetAreTaken() throws {
    let mock = MockCaller(dataSet: .guide)
    let request = RegisterRequest(email: "other@nova.example", username: "bruce_li", password: "12345678")
    #expect(try mock.refusal(AuthRPC.register, request)?.status == 409)
  }

  @Test(arguments: ["eve+unconfirmed@nova.example", "eve@unconfirmed.example"])
  func someAccountsWaitForConfirmation(email: String) throws {
    let answer = try mock.call(
      AuthRPC.register, RegisterRequest(email: email, username: "eve", password: "12345678"))
    #expect(answer == RegisterResponse(userId: "user-registered-1"))
    #expect(
      try mock.refusal(AuthRPC.login, LoginRequest(email: email, password: "12345678"))?.grpcStatus
        == .permissionDenied)
    let user = try mock.call(AuthRPC.getUser, GetUserRequest(userId: answer.userId)).user
    #expect(user?.isActive == false)
  }

  @Test func theGuidesSampleUserCanLogIn() throws {
    let mock = MockCaller(dataSet: .guide)
    let request = LoginRequest(email: "Bruce@nova.social", password: "mock-password")
    let answer = try mock.call(AuthRPC.login, request)
    #expect(answer.userId == "mock-user-id" && answer.expiresIn == 3600)
  }

  @Test func fiveWrongPasswordsInARowLockTheAccount() throws {
    let id = try mock.call(AuthRPC.register, ada).userId
    let right = LoginRequest(email: ada.email, password: ada.password)
    let wrong = LoginRequest(email: ada.email, password: "wrong")
    for _ in 1...4 { #expect(try mock.refusal(AuthRPC.login, wrong)?.grpcStatus == .unauthenticated) }
    // A correct password resets the count.
    #expect(try mock.call(AuthRPC.login, right).userId == id)
    for _ in 1...5 { #expect(try mock.refusal(AuthRPC.login, wrong)?.grpcStatus == .unauthenticated) }
    for request in [wrong, right] {
      #expect(try mock.refusal(AuthRPC.login, request)?.grpcStatus == .permissionDenied)
    }
    #expect(try mock.call(AuthRPC.getUser, GetUserRequest(userId: id)).user?.isActive == false)
  }

  @Test func anUnknownAddressLooksLikeAWrongPassword() throws {
    _ = try mock.call(AuthRPC.register, ada)
    let unknown = try mock.refusal(AuthRPC.login, LoginRequest(email: "x@nova.example", password: "12345678"))
    let wrong = try mock.refusal(AuthRPC.login, LoginRequest(email: ada.email, password: "12345678"))
    #expect(unknown != nil && unknown == wrong)
    for request in [LoginRequest(email: ada.email), LoginRequest(password: "12345678")] {
      #expect(try mock.refusal(AuthRPC.login, request)?.grpcStatus == .invalidArgument)
    }
  }

  @Test func onlyOwnersSeeTheirAddress() throws {
    let ada = try mock.call(AuthRPC.register, ada)
    let bob = try mock.call(
      AuthRPC.register, RegisterRequest(email: "bob@nova.example", username: "bob", password: "12345678"))
    let profile = GetUserProfileRequest(userId: ada.userId)
    #expect(try mock.call(UserRPC.getUserProfile, profile, token: ada.token).profile?.email == "Ada@nova.example")
    #expect(try mock.call(UserRPC.getUserProfile, profile, token: bob.token).profile?.email == nil)
    let user = GetUserRequest(userId: ada.userId)
    #expect(try mock.call(AuthRPC.getUser, user, token: bob.token).user?.email == "")
  }

  @Test func everyUserOfADataSetHasAnAccount() throws {
    let mock = MockCaller(dataSet: .guide)
    let user = try mock.call(AuthRPC.getUser, GetUserRequest(userId: "user-0001")).user
    #expect(user?.username.hasSuffix("_1") == true && user?.isActive == true && user?.email == "")
    #expect(try mock.refusal(AuthRPC.getUser, GetUserRequest(userId: "nobody"))?.grpcStatus == .notFound)
  }

  @Test func dumpsOfABackendHoldNoSecret() throws {
    _ = try mock.call(AuthRPC.register, ada)
    var text = ""
    dump(mock.backend, to: &text)
    #expect(!text.contains(ada.password))
    #expect(text.contains("password: ****"), "\(text.prefix(2000))")
  }
}
