import NovaSupport
import Testing

@Suite struct SecretTokenTests {
  private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

  @Test(arguments: [
    ("\(token)", "****"), ("the token \(token) is yours", "the token **** is yours"), ("\(token).", "****."),
    ("(\(token))", "(****)"), ("a=\(token)&b=1", "a=****&b=1"), ("/x/\(token)/y", "/x/****/y"),
    ("\(token),\(token)", "****,****"), ("jwt:\(token)\n", "jwt:****\n"), ("a%20\(token)", "a%20****"),
    (#"\n\#(token)\n"#, #"\n****\n"#), ("id-\(token)", "id-****"),
    // Truncated, unsigned, encrypted.
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWI…", "****…"), ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", "****"),
    ("x eyJhbGciOiJSU0EtT0FFUCJ9.aa.bb.cc.dd y", "x **** y"),
    // Whitespace in the header and before it.
    ("a eyAiYWxnIjogIm5vbmUiIH0.eyAic3ViIjogIjEiIH0. b", "a **** b"), ("ewogImFsZyI6ImEifQ.e30.sig", "****"),
    ("ew0KICJhbGciOiAiSFMyNTYiDQp9.eyJzdWIiOiJhIn0.c2ln", "****"), ("ewkiYWxnIjoiSFMyNTYifQ.eyJ", "****"),
    ("x=IHsiYWxnIjoiSFMyNTYifQ.eyJzdWIiOiJhIn0.c2ln&y=1", "x=****&y=1"),
    ("CnsiYWxnIjoiSFMyNTYifQ.IHsic3ViIjoiYSJ9", "****"), ("DQp7ImFsZyI6IkhTMjU2In0.a.b", "****"),
    ("CXsiYWxnIjoiSFMyNTYifQ.eyJzdWIiOiJhIn0.c2ln", "****"), ("ICAgeyJhbGciOiJIUzI1NiJ9.a.b", "****"),
    // Two parts, five parts, no key, no payload.
    ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0", "****"), ("eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn,", "****,"),
    ("eyJhbGciOiJIUzI1NiJ9..c2ln", "****"),
    // Dots as in URLs and JSON.
    ("?t=eyJhbGciOiJIUzI1NiJ9%2EeyJzdWIiOiJhIn0%2Ec2ln&b", "?t=****&b"),
    ("eyJhbGciOiJIUzI1NiJ9%252eeyJzdWIiOiJhIn0%252Ec2ln;", "****;"),
    (#""eyJhbGciOiJIUzI1NiJ9\u002eeyJzdWIiOiJhIn0\u002Ec2ln""#, #""****""#),
    ("Bearer eyJhbGciOiJIUzI1NiJ9%2EeyJzdWIiOiJhIn0%2Ec2ln", "Bearer ****"),
    ("'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'", "'****'"),
    ("&quot;eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln&quot;", "&quot;****&quot;"),
    // Dots as in HTML, and with padding.
    ("<p>eyJhbGciOiJIUzI1NiJ9&#46;eyJzdWIiOiJhIn0&#x2E;c2ln</p>", "<p>****</p>"),
    ("eyJhbGciOiJIUzI1NiJ9&period;eyJzdWIiOiJhIn0&#046;c2ln&amp;b", "****&amp;b"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0=.c2ln x", "**** x"), ("eyJhbGciOiJub25lIn0=.eyJzdWIiOiJhIn0=.c2ln", "****"),
    ("?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0%3D%2Ec2ln&b=1", "?t=****&b=1"),
    ("t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0&b=1.5", "t=****&b=1.5"),
    ("Authorization: Bearer abc1234567890DEF!", "Authorization: Bearer ****!"),
    ("bearer 0123456789abcdef.", "bearer ****."),
  ])
  func tokensAreFound(_ text: String, _ expected: String) {
    #expect(SecretText.replacingTokens(in: text) { _ in "****" } == expected)
  }

  @Test(arguments: [
    "", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b", "the bearer of good news",
    "Bearer short1", "bearer abcdefghijklmnopqrstuvwxyz", "www.example.com", "{{secret:1}}",
    // Names of machines, files, and classes that start like JSON in Base64.
    "moneyJuggernauts.example.com", "honeyKitchenware.example.com", "eyJuggernautsAll.eyJuggernauts.x",
    "monkeyJumpersInTheTree.jpg.zip.old", "Cn.example.com", "IHsomething1234.b.c", "CXsystemsGmbH.example.com",
    "ewoks-in-the-forest.example.com", "ew0rdsAndNumbers.example.com", "com.eyAngular.Components.View",
    "eyAndEarPractice.example.com", "DQpoints.example.com", "a%2Eb%2Ec", "e30.e30.", "100%2E", "a&#46;b&#46;c",
    "x==.y==.z", "eyJ&#46;&#46;", "eyJ=",
    "eyJ%2E%2E",
    "eyJhbGciOiJIUzI1NiJ9%2", "https://a.example/eyJlookslikethis.html/x.y", "Bearer {{secret:1}}",
  ])
  func otherTextStays(_ text: String) {
    #expect(SecretText.replacingTokens(in: text) { _ in "****" } == nil)
  }
}
