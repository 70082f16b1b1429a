import Testing

@testable import NovaMock

@Suite struct OriginPatternTests {
  @Test(
    arguments: [
      ("http://localhost:5173", "http://localhost:5173", true),
      ("http://localhost:5173", "http://LocalHost:5173", true),
      ("http://localhost:5173", "https://localhost:5173", false),
      ("http://localhost:5173", "http://localhost:5174", false),
      ("http://localhost:5173", "http://localhost", false), ("http://localhost:5173", "http://127.0.0.1:5173", false),
      ("http://localhost:5173", "http://evil.localhost:5173", false),
      ("HTTP://LocalHost.:5173", "http://localhost:5173", true),
      ("http://localhost:*", "http://localhost:1", true), ("http://localhost:*", "http://localhost", true),
      ("http://localhost:*", "https://localhost:1", false), ("http://localhost:*", "http://localhost.evil:1", false),
      ("http://localhost:*", "http://evillocalhost:1", false),
      ("https://app.example.com", "https://app.example.com", true),
      ("https://app.example.com", "https://app.example.com:443", true),
      ("https://app.example.com:443", "https://app.example.com", true),
      ("http://nova.test", "http://nova.test:80", true),
      ("https://app.example.com", "https://app.example.com:8443", false),
      ("https://*.example.com", "https://a.example.com", true),
      ("https://*.example.com", "https://a.b.example.com", true),
      ("https://*.example.com", "https://example.com", false),
      ("https://*.example.com", "https://evilexample.com", false),
      ("https://*.example.com", "https://a.example.com.evil.test", false),
      ("https://*.example.com", "https://a.example.com:8443", false),
      ("https://*.example.com:*", "https://a.example.com:8443", true),
      ("http://*.localhost:*", "http://app.localhost:3000", true), ("http://*.test", "http://shop.test", true),
      ("http://[::1]:3000", "http://[::1]:3000", true), ("http://192.168.1.5:*", "http://192.168.1.5:3000", true),
      ("capacitor://localhost", "capacitor://localhost", true), ("capacitor://localhost", "http://localhost", false),
      ("chrome-extension://abcdefgh", "chrome-extension://abcdefgh", true),
    ])
  func matches(pattern: String, origin: String, isMatch: Bool) throws {
    #expect(try OriginPattern(pattern).matches(try #require(WebOrigin(origin))) == isMatch)
  }

  @Test(arguments: [
    ("", "expected an origin"), ("*", "every page on the web"), ("http://*", "every page on the web"),
    ("https://*:*", "every page on the web"), ("null", "python3 -m http.server"),
    ("localhost:5173", "expected the scheme, too: http://localhost:5173"), ("localhost", "http://localhost"),
    ("//localhost", "expected the scheme"), ("1http://localhost", "expected the scheme"),
    ("http://localhost:5173/", "expected no path: http://localhost:5173"),
    ("http://localhost/app?x", "expected no path: http://localhost"), ("http://", "expected a name"),
    ("http://user@localhost", "expected a name"), ("http://localhost:70000", "expected a name"),
    ("http://localhost:80:*", "a * can only be"), ("http://localhost::*", "a port after the colon"),
    ("http://local*", "a * can only be"), ("http://a.*.test", "a * can only be"),
    ("http://localhost:5*", "a * can only be"),
    ("http://*.*.test", "a * can only be"), ("http://*.com", "a longer name"), ("http://*.1.2.3.4", "a longer name"),
    ("http://*.", "expected a name"), ("http://localhost:", "a port after the colon"),
    ("http://localhost:0", "expected a name"), ("http://a http://b", "repeat the option for each"),
    (" http://localhost", "without spaces"), ("http://m\u{fc}ller.test", "only ASCII"),
    ("ws://localhost:5173", "connects: http://localhost:5173"), ("wss://a.test", "connects: https://a.test"),
    ("http://a,http://b", "repeat the option for each"),
  ])
  func otherTextsAreRefusedWithAnExplanation(text: String, explanation: String) {
    let error = #expect(throws: OriginPattern.Problem.self) { try OriginPattern(text) }
    #expect(error?.description.contains(explanation) == true, "\(error?.description ?? "none")")
  }

  @Test(arguments: [
    ("http://localhost:5173", true), ("http://app.localhost", true), ("https://127.0.0.1:1", true),
    ("http://[::1]:1", true), ("http://203.0.113.5", true), ("http://evil.example", false),
    ("http://localhost.evil.example", false), ("http://127.0.0.1.evil.example", false),
    ("capacitor://localhost", false),
  ])
  func onlyLocalNamesAndAddressesNeedNoDNS(origin: String, needsNone: Bool) {
    #expect(WebOrigin(origin)?.needsNoDNS == needsNone)
  }

  @Test(arguments: [
    ("http://LOCALHOST:80", "http://localhost"), ("https://a.test:443", "https://a.test"),
    ("https://a.test:80", "https://a.test:80"), ("app://x", "app://x"), ("http://[::1]:5173", "http://[::1]:5173"),
  ])
  func originsAreWrittenAsBrowsersDo(text: String, written: String) { #expect(WebOrigin(text)?.description == written) }
}
