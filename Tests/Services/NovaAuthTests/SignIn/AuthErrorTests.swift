import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@Suite struct AuthErrorTests {
  private let mock: AuthService

  init() throws { mock = AuthService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  /// An account may have an address that no new one can have: the server decides.
  @Test(arguments: ["eve@x", "eve@localhost", "eve@x..example", "eve@x."])
  func anUnusualAddressCanOnlySignIn(email: String) async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport))
    #expect(
      await reason { try await auth.signUp(email: email, username: "eve", password: "12345678") }
        == AuthError.invalidEmail)
    #expect(transport.requests.isEmpty)
    _ = await reason { try await auth.signIn(email: email, password: "p") }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [
    "", "eve", "@x.example", "eve@", "@", "e ve@x.example", "eve@x.example\n", "a@b@c.d",
  ])
  func whatIsNoAddressIsNotSent(email: String) async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport))
    #expect(await reason { try await auth.signIn(email: email, password: "p") } == AuthError.invalidEmail)
    #expect(
      await reason { try await auth.signUp(email: email, username: "eve", password: "12345678") }
        == AuthError.invalidEmail)
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [
    ("eve", "1234567", AuthError.weakPassword), ("eve", String(repeating: "x", count: 1025), AuthError.weakPassword),
    ("ev", "12345678", AuthError.invalidUsername), ("e-v-e", "12345678", AuthError.invalidUsername),
    ("ève", "12345678", AuthError.invalidUsername),
    (String(repeating: "e", count: 33), "12345678", AuthError.invalidUsername),
  ])
  func whatIsNotFitForAnAccountIsNotSent(username: String, password: String, expected: AuthError.Reason) async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport))
    let failure = await reason { try await auth.signUp(email: "e@x.example", username: username, password: password) }
    #expect(failure == expected && transport.requests.isEmpty)
  }

  @Test func theMocksRefusalsAreUnderstood() async throws {
    func signUp(_ email: String, _ username: String) async -> AuthError.Reason? {
      await reason { try await mock.signUp(email: email, username: username, password: Canary.secret) }
    }
    func signIn(_ email: String, _ password: String) async -> AuthError.Reason? {
      await reason { try await mock.signIn(email: email, password: password) }
    }
    #expect(await signUp("eve@nova.example", "eve_1") == nil)
    #expect(await signUp("EVE@nova.example", "eve_2") == AuthError.emailTaken)
    #expect(await signUp("eve2@nova.example", "EVE_1") == AuthError.usernameTaken)
    #expect(await signUp("eve+unconfirmed@nova.example", "eve_3") == AuthError.confirmationPending)
    #expect(await signIn("eve+unconfirmed@nova.example", Canary.secret) == AuthError.confirmationPending)
    #expect(await signIn("eve@nova.example", "") == AuthError.wrongCredentials)
    for _ in 0..<5 { #expect(await signIn("eve@nova.example", "wrong") == AuthError.wrongCredentials) }
    #expect(await signIn("eve@nova.example", Canary.secret) == AuthError.accountLocked)
    #expect(await signIn("nobody@nova.example", "wrong") == AuthError.wrongCredentials)
  }

  @Test(arguments: [
    (403, #"{"code":7,"message":"account locked"}"#, AuthError.accountLocked as AuthError.Reason?),
    (403, #"{"code":7,"message":""}"#, AuthError.accountLocked),
    (403, #"{"error":{"code":"ACCOUNT_LOCKED","message":"verify you are human"}}"#, AuthError.accountLocked),
    (403, #"{"error":{"code":"EMAIL_NOT_CONFIRMED","message":"locked"}}"#, AuthError.confirmationPending),
    (403, #"{"error":{"code":"EMAIL_UNVERIFIED","message":""}}"#, AuthError.confirmationPending),
    (403, #"{"code":7,"message":"please confirm your e-mail"}"#, AuthError.confirmationPending),
    (403, #"{"error":{"code":"REGION_BANNED","message":""}}"#, nil),
    (403, "<html>Forbidden</html>", nil), (403, "", nil), (503, "", nil), (429, "", nil),
    (401, #"{"code":16,"message":"no"}"#, AuthError.wrongCredentials),
  ])
  func refusedLogins(status: Int, body: String, expected: AuthError.Reason?) async throws {
    let auth = AuthService(client: try APIClient.test(RecordingTransport(status: status, body)))
    do {
      _ = try await auth.signIn(email: "e@x.example", password: Canary.secret)
      Issue.record("signed in")
    } catch let error as AuthError {
      #expect(error.reason == expected && error.underlying?.httpStatus == status && !error.message.isEmpty)
      #expect(!"\(error)".contains("canary"))
    } catch {
      #expect(expected == nil && error is APIError && !"\(error)".contains("canary"))
    }
  }

  @Test(arguments: [
    (409, #"{"code":6,"message":"the e-mail address is taken"}"#, AuthError.emailTaken as AuthError.Reason?),
    (409, #"{"code":6,"message":"email already registered for this username"}"#, AuthError.emailTaken),
    (409, #"{"code":6,"message":"username exists"}"#, AuthError.usernameTaken),
    (409, #"{"code":6,"message":"already exists"}"#, AuthError.emailOrUsernameTaken),
    (409, #"{"error":{"code":"USERNAME_TAKEN","message":"e-mail"}}"#, AuthError.usernameTaken),
    (409, #"{"code":10,"message":"username"}"#, nil),
    (400, #"{"error":{"code":"WEAK_PASSWORD","message":""}}"#, AuthError.weakPassword),
    (400, #"{"code":3,"message":"bad"}"#, nil), (500, "", nil),
  ])
  func refusedRegistrations(status: Int, body: String, expected: AuthError.Reason?) async throws {
    let auth = AuthService(client: try APIClient.test(RecordingTransport(status: status, body)))
    #expect(
      await reason { try await auth.signUp(email: "e@x.example", username: "eve", password: "12345678") } == expected)
  }

  @Test func aSessionNeedsNoDetailsOfTheUser() async throws {
    let auth = AuthService(
      client: try APIClient.test(
        RecordingTransport { number, _ in
          let body = #"{"user_id":"u","token":"t","refresh_token":"r","expires_in":60}"#
          return HTTPResponse(
            status: number == 0 ? 200 : 500,
            headers: ["Content-Type": "application/json", "Date": "Mon, 06 Nov 2023 08:49:37 GMT"],
            body: number == 0 ? Array(body.utf8) : [])
        }))
    let session = try await auth.signIn(email: "e@x.example", password: "p")
    #expect(session.user == User(id: "u", email: "e@x.example", isActive: true))
    #expect(session.expiresAt == 1_699_260_577 + 60)
  }

  @Test func passwordsDoNotTravelUnencrypted() async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport, baseURL: "http://gateway.example", token: nil))
    #expect(
      await apiError { try await auth.signIn(email: "e@x.example", password: "p") }?.code == .insecureConnection)
    #expect(transport.requests.isEmpty)
  }

  @Test func reasonsCanBeCaught() async throws {
    do {
      _ = try await mock.signIn(email: "bruce@nova.social", password: "wrong")
    } catch AuthError.wrongCredentials {
      return
    }
    Issue.record("not caught")
  }

  private func reason(_ body: () async throws -> some Any) async -> AuthError.Reason? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? AuthError)?.reason
    }
  }
}
