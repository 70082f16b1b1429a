import NovaSupport
import Testing

@Suite struct SecretTokenTests {
  private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

  @Test(arguments: [
    ("\(token)", "****"), ("the token \(token) is yours", "the token **** is yours"), ("\(token).", "****."),
    ("(\(token))", "(****)"), ("a=\(token)&b=1", "a=****&b=1"), ("/x/\(token)/y", "/x/****/y"),
    ("\(token),\(token)", "****,****"), ("jwt:\(token)\n", "jwt:****\n"), ("a%20\(token)", "a%20****"),
    (#"\n\#(token)\n"#, #"\n****\n"#), ("id-\(token)", "id-****"),
    // Cut, unsigned, encrypted.
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWI…", "****…"), ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", "****"),
    ("x eyJhbGciOiJSU0EtT0FFUCJ9.aa.bb.cc.dd y", "x **** y"),
    ("Authorization: Bearer abc1234567890DEF!", "Authorization: Bearer ****!"),
    ("bearer 0123456789abcdef.", "bearer ****."),
  ])
  func tokensAreFound(_ text: String, _ expected: String) {
    #expect(SecretText.replacingTokens(in: text) { _ in "****" } == expected)
  }

  @Test(arguments: [
    "", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b", "the bearer of good news",
    "Bearer short1", "bearer abcdefghijklmnopqrstuvwxyz", "www.example.com", "{{secret:1}}", "Bearer {{secret:1}}",
  ])
  func otherTextStays(_ text: String) {
    #expect(SecretText.replacingTokens(in: text) { _ in "****" } == nil)
  }
}
