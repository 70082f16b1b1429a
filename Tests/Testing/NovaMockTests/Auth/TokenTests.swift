import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@Suite struct TokenTests {
  private let mock = MockCaller(seed: 42, dataSet: .guide)

  private func logIn() throws -> LoginResponse {
    try mock.call(AuthRPC.login, LoginRequest(email: "bruce@nova.social", password: "mock-password"))
  }

  @Test func theClaimsAreThere() throws {
    let parts = try logIn().token.split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let texts = parts.prefix(2).map { String(decoding: Base64.decode($0) ?? [], as: UTF8.self) }
    #expect(texts[0] == #"{"alg":"HS256","typ":"JWT"}"#)
    #expect(
      texts[1] == """
        {"iss":"nova-mock","sub":"mock-user-id","email":"bruce@nova.social","username":"bruce_li",\
        "iat":1750000000,"exp":1750003600,"sid":"session-1","jti":"token-1"}
        """)
    #expect(!parts.joined().contains { "+/=".contains($0) })
  }

  @Test func theSignatureIsHS256() throws {
    let parts = try logIn().token.split(separator: ".").map(String.init)
    let key = PlainSHA256.digest(of: Array("nova-mock signing key 42".utf8))
    let code = PlainSHA256.hmac(of: Array("\(parts[0]).\(parts[1])".utf8), key: key)
    #expect(Base64.decode(parts[2]) == code)
  }

  @Test func detectsEveryChangedByte() throws {
    let session = try logIn()
    for position in session.token.indices {
      var tampered = session.token
      let old = tampered[position]
      tampered.replaceSubrange(position...position, with: old == "A" ? "B" : "A")
      let answer = try mock.call(AuthRPC.verifyToken, VerifyTokenRequest(token: tampered))
      #expect(answer == VerifyTokenResponse(), "\(tampered)")
    }
    for position in session.refreshToken.indices {
      var tampered = session.refreshToken
      let old = tampered[position]
      tampered.replaceSubrange(position...position, with: old == "A" ? "B" : "A")
      #expect(try mock.refusal(AuthRPC.refresh, RefreshRequest(refreshToken: tampered))?.status == 401)
    }
  }

  @Test func aTokenThatChoosesItsAlgorithmIsRefused() throws {
    let content = try logIn().token.split(separator: ".")[1]
    for (header, signature) in [(#"{"alg":"none","typ":"JWT"}"#, ""), (#"{"alg":"none"}"#, "AA")] {
      let token = "\(Base64.encodeForURL(Array(header.utf8))).\(content).\(signature)"
      #expect(try !mock.call(AuthRPC.verifyToken, VerifyTokenRequest(token: token)).isValid)
    }
  }

  @Test func accessAndRefreshTokensAreNotInterchangeable() throws {
    let session = try logIn()
    #expect(try mock.refusal(AuthRPC.refresh, RefreshRequest(refreshToken: session.token))?.status == 401)
    #expect(try !mock.call(AuthRPC.verifyToken, VerifyTokenRequest(token: session.refreshToken)).isValid)
    // Neither may its signed part be cut out and used as the other.
    let cut = session.token.split(separator: ".").dropFirst().joined(separator: ".")
    #expect(try mock.refusal(AuthRPC.refresh, RefreshRequest(refreshToken: cut))?.status == 401)
  }
}
