import Testing

@testable import NovaMock

@Suite struct AuthorityTests {
  @Test(
    arguments: [
      ("localhost", "localhost", nil), ("LocalHost:8080", "localhost", 8080), ("localhost.", "localhost", nil),
      ("127.0.0.1:1", "127.0.0.1", 1), ("[::1]", "[::1]", nil), ("[::1]:65535", "[::1]", 65535),
      ("nova_test.example:", "nova_test.example", nil),
    ] as [(String, String, UInt16?)])
  func hostsAreRead(text: String, host: String, port: UInt16?) {
    let authority = Authority(text)
    #expect(authority?.host == host && authority?.port == port)
  }

  @Test(arguments: [
    "", ":80", "a b", "user@localhost", "localhost:65536", "localhost:-1", "localhost:80:80", "localhost:8o", "[::1",
    "[]", "[::1]x", "[evil]", "http://localhost", "localhost/", "lo\u{0}calhost", "ｌocalhost", "localhost,evil",
    ".localhost", "a..localhost", "localhost..", ".", "..", ".:80", "1..2.3",
  ])
  func otherTextsAreRefused(_ text: String) { #expect(Authority(text) == nil) }

  @Test(arguments: [
    ("127.0.0.1", true), ("192.168.1.5", true), ("[::1]", true), ("[fe80::1]", true), ("1.2.3", false),
    ("1.2.3.4.5", false), ("256.1.1.1", false), ("127.0.0.1.evil.example", false), ("0x7f.0.0.1", false),
  ])
  func onlyAddressesAreAddresses(_ text: String, _ isAddress: Bool) {
    #expect(Authority(text)?.isAddress == isAddress)
  }

  @Test(arguments: [
    ("localhost", true), ("app.localhost", true), ("localhost.evil.example", false), ("notlocalhost", false),
  ])
  func localNamesAreLocal(_ text: String, _ isLocal: Bool) { #expect(Authority(text)?.isLocalName == isLocal) }

  @Test(arguments: [
    ("http://localhost:8080", "localhost:8080", true), ("https://localhost:8080", "localhost:8080", false),
    ("http://localhost", "localhost:80", true), ("https://localhost", "localhost:443", false),
    ("https://localhost", "localhost", false), ("http://LOCALHOST:8080", "localhost:8080", true),
    ("http://localhost", "localhost:8080", false), ("http://localhost:8081", "localhost:8080", false),
    ("http://127.0.0.1:8080", "localhost:8080", false), ("http://localhost.evil:8080", "localhost:8080", false),
    ("null", "localhost", false), ("", "localhost", false), ("file://", "localhost", false),
    ("chrome-extension://localhost", "localhost", false), ("http://localhost/", "localhost", false),
    ("http://evil@localhost", "localhost", false), ("http://localhost http://evil", "localhost", false),
  ])
  func originsMatchTheirServerOnly(origin: String, host: String, matches: Bool) throws {
    let authority = try #require(Authority(host))
    #expect((WebOrigin(origin)?.matches(authority, allowsTLS: false) ?? false) == matches)
    if !origin.hasPrefix("https:") {
      #expect((WebOrigin(origin)?.matches(authority, allowsTLS: true) ?? false) == matches)
    }
  }

  @Test(arguments: [
    ("https://nova.test:8080", "nova.test:8080", true), ("https://nova.test", "nova.test:443", true),
    ("https://nova.test", "nova.test", true), ("https://nova.test", "nova.test:80", false),
    ("https://evil.example", "nova.test", false),
  ])
  func aProxyMayAddTLS(origin: String, host: String, matches: Bool) throws {
    let authority = try #require(Authority(host))
    #expect((WebOrigin(origin)?.matches(authority, allowsTLS: true) ?? false) == matches)
  }
}
