import NovaTestSupport
import Testing

@testable import NovaCore

/// Secrets are found in every form in which a server can write them.
@Suite struct SecretRedactorTests {
  @Test(arguments: 1...24) func everySpellingIsMasked(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let secret = seed % 4 == 0 ? SecretSpellings.token(using: &generator) : SecretSpellings.password(using: &generator)
    let redactor = SecretRedactor([secret])
    for spelled in SecretSpellings.all(of: secret, using: &generator) {
      let masked = redactor.masked("before the \(spelled.text) behind")
      #expect(masked.hasPrefix("before the ") && masked.hasSuffix(" behind"), "\(spelled) of \(secret)")
      #expect(masked.contains("****"), "\(spelled) of \(secret)")
      #expect(SecretSpellings.leaks(of: secret, spelled, in: masked) == [], "\(spelled) of \(secret): \(masked)")
    }
  }

  @Test(arguments: 1...8) func everySpellingIsMaskedInBodies(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(1000 + seed))
    let secret = SecretSpellings.password(using: &generator)
    let redactor = SecretRedactor([secret])
    for spelled in SecretSpellings.all(of: secret, using: &generator) {
      let bodies = [
        #"{"a":["x",{"message":"it was \#(spelled.inJSON)!"}],"n":5}"#, #"{"\#(spelled.inJSON)":1}"#,
        #"{"message":"cut off after \#(spelled.inJSON)"#, "<p>\(spelled.text)</p>", "q=\(spelled.text)&x=1",
      ]
      for body in bodies {
        let masked = redactor.masked(Array(body.utf8))
        let text = String(decoding: masked, as: UTF8.self)
        #expect(
          SecretSpellings.leaks(of: secret, spelled, in: text) == [], "\(spelled) of \(secret) in \(body): \(text)")
        #expect(text.contains("****"), "\(spelled) of \(secret) in \(body)")
        if (try? JSONValue(jsonUTF8: Array(body.utf8))) != nil {
          #expect(throws: Never.self, "\(text)") { try JSONValue(jsonUTF8: masked) }
        }
      }
    }
  }

  @Test(arguments: [
    ("hunter2-hunter2", "nothing of it: hunter, hunter3 and \\u0068 %68 &amp; aHVud"),
    ("pass", "a pas s, p\\u0061s"), ("\"\\/", "three are too few: \"\\/"), ("", "nothing"),
    ("😀😀", "😀 and 😁😀"), ("ééé", "éé e\u{301}e\u{301} eee"),
  ])
  func whatIsNoSecretStays(_ secret: String, _ text: String) {
    #expect(SecretRedactor([secret]).masked(text) == text)
    #expect(SecretRedactor([secret]).masked(Array(text.utf8)) == Array(text.utf8))
  }

  @Test(arguments: [
    ("hunter2-hunter2", "hunter2-hunter2hunter2-hunter2", "********"), ("a+b c", "a+b+c a%2Bb%20c", "**** ****"),
    ("naïve-password", "na\u{EF}ve-password", "****"), ("a%41b", "a%41b a%2541b a\\u002541b", "**** **** ****"),
    ("back\\\\slash", "back\\\\slash back\\\\\\\\slash", "**** ****"), ("&amp;x", "&amp;x &amp;amp;x", "**** ****"),
    ("?\u{301}secret", "?\u{301}secret %3F%CC%81secret", "**** ****"),
    ("12345678", "12345678 and 123456789", "**** and ****9"),
  ])
  func secretsAreReplacedWhole(secret: String, text: String, expected: String) {
    #expect(SecretRedactor([secret]).masked(text) == expected)
  }

  /// Servers and proxies cut what they quote.
  @Test func aTellingBeginningIsMaskedToo() {
    let token = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJicnVjZSJ9.c2lnbmF0dXJl"
    for count in 16...token.count {
      #expect(SecretRedactor([token]).masked("no \(token.prefix(count))… here").hasPrefix("no ****"))
    }
    #expect(SecretRedactor(["password1234"]).masked("the password is wrong") == "the password is wrong")
  }

  @Test func secretsThatOverlapAreMaskedTogether() {
    let redactor = SecretRedactor(["abcdef", "defghi", "abcd"]) { "<\($0)>" }
    #expect(redactor.masked("xabcdefghi abcd defghi") == "x<0> <2> <1>")
  }

  /// In Latin-1, which is not UTF-8.
  @Test func bytesThatAreNotUTF8AreReadAsLatin1() {
    let masked = SecretRedactor(["na\u{EF}ve-password"]).masked([0xFF, 0x6E, 0x61, 0xEF] + Array("ve-password!".utf8))
    #expect(masked == [0xFF] + Array("****!".utf8))
  }

  @Test func numbersAreTextsToo() throws {
    let json = try JSONValue(jsonUTF8: Array(#"{"pin":12345678,"x":1234}"#.utf8))
    #expect(
      String(decoding: SecretRedactor(["12345678"]).masked(json).jsonUTF8, as: UTF8.self) == #"{"pin":"****","x":1234}"#
    )
  }

  /// However a text is made, masking it ends, and soon.
  @Test(arguments: [
    "\\", "%", "%25", "&", "&amp;", "\\u005c", "\\\\u005c", "&#38;", "%26%2338%3B", "e\u{301}", "=", "QUFB", "\\n",
    "\\x",
  ])
  func textsMadeOfEscapesAreReadInBoundedTime(_ piece: String) {
    let text = String(repeating: piece, count: (TestDepth.isFull() ? 20_000 : 4000) / piece.utf8.count)
    let redactor = SecretRedactor(["\\\\\\\\secret", "%%%%secret", "&&&&&secret", "ééééésecret", "AAAAAAAAAA"])
    #expect(redactor.masked(text).utf8.count <= text.utf8.count)
  }

  // MARK: What requests carry

  @Test func requestsCarrySecrets() {
    let request = HTTPRequest(
      method: .post, url: "https://h/x?part=1&X-Amz-Signature=sig-1&access_token=tok-1",
      headers: [
        "Authorization": "Bearer bearer-1", "Cookie": "a=cookie-1; b=cookie-2", "X-Api-Key": "key-1",
        "Proxy-Authorization": "Basic dXNlcjpwYXNzd29yZC0x", "Accept": "application/json",
      ],
      body: Array(#"{"password":"password-2","nested":{"refreshToken":"refresh-1"},"name":"n","pin_secret":1234}"#.utf8)
    )
    #expect(
      Set(SecretRedactor.secrets(in: request)) == [
        "sig-1", "tok-1", "bearer-1", "cookie-1", "cookie-2", "key-1", "dXNlcjpwYXNzd29yZC0x", "password-1",
        "password-2",
        "refresh-1", "1234",
      ])
  }

  /// Servers strip the spaces, and may quote what is left.
  @Test(arguments: ["  Bearer token-1", " token-1", "   Basic dTp0b2tlbi0x"])
  func spacesBeforeCredentialsDoNotHideThem(_ value: String) {
    let request = HTTPRequest(method: .get, url: "https://h/x", headers: ["Authorization": value])
    #expect(SecretRedactor.secrets(in: request).contains("token-1"))
  }
}
