import Testing

@testable import NovaCore

@Suite struct BaseURLTests {
  @Test(arguments: [
    ("https://api.nova.social", "https://api.nova.social"),
    ("HTTPS://API.Nova.Social/", "https://api.nova.social"),
    ("http://localhost:8080", "http://localhost:8080"),
    ("http://localhost:8080///", "http://localhost:8080"),
    ("https://nova.example/gateway/v2/", "https://nova.example/gateway/v2"),
    ("https://nova.example/a%20b@c", "https://nova.example/a%20b@c"),
    ("http://[::1]:65535/x", "http://[::1]:65535/x"),
    ("http://[2001:DB8::1]", "http://[2001:db8::1]"),
    ("http://10.0.0.1:1", "http://10.0.0.1:1"),
    ("http://graph_service", "http://graph_service"),
    ("https://3com.example", "https://3com.example"),
  ])
  func normalises(_ text: String, _ normal: String) {
    #expect(BaseURL.parse(text)?.text == normal)
  }

  @Test(arguments: [
    "", "localhost", "localhost:8080", "//localhost", "ftp://nova.social", "file:///etc/passwd", "https:/nova.social",
    "https://", "https:///path", "https://:443", "https://nova.social:", "https://nova.social:0",
    "https://nova.social:65536", "https://nova.social:12a", "https://nova.social:-1", "https://nova.social:000443",
    "https://nova.social:443:443", "https://user@nova.social", "https://user:password@nova.social",
    "https://nova.social?x=1", "https://nova.social/?x", "https://nova.social#part", "https://nova.social/#",
    " https://nova.social", "https://nova.social ", "https://nova .social", "https://nova.social/a b",
    "https://nova.social\r\nX: y", "https://nova.social/\u{0}", "https://nova.social/\u{7F}", "https://nova\\.social",
    "https://nova.social/\\x", "https://nova.social/a/../b", "https://nova.social/.", "https://nova.social/%zz",
    "https://nova.social/%2", "https://növa.social", "https://nova..social", "https://nova.social.",
    "https://-nova.social", "https://nova-.social", "https://[::1", "https://::1", "https://[nova]", "https://[::1]x",
    "https://[fe80::1%25eth0]", "https://[::1\u{0}@x]", "https://127.1", "https://1234", "https://0x7f.0x1",
    "https://256.1.1.1",
    "https://\(String(repeating: "a", count: 64)).social", "https://nova.social/\(String(repeating: "a", count: 2000))",
  ])
  func refuses(_ text: String) {
    #expect(BaseURL.parse(text) == nil)
  }

  @Test(arguments: [
    ("http://localhost", true), ("http://LOCALHOST:1", true), ("http://127.0.0.1", true), ("http://127.9.8.7", true),
    ("http://[::1]", true), ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
    ("http://128.0.0.1", false), ("http://[::2]", false), ("http://10.0.0.1", false),
  ])
  func knowsThisMachine(_ text: String, _ isLoopback: Bool) {
    #expect(BaseURL.parse(text)?.origin.isLoopback == isLoopback)
    #expect(BaseURL.parse(text)?.origin.protectsSecrets == isLoopback)
  }

  @Test(arguments: [
    ("https://user:secret@nova.social", "https://****@nova.social"),
    ("https://user:se?cr#et@nova.social", "https://****@nova.social"),
    ("https://a@secret@nova.social", "https://****@nova.social"),
    ("user:secret@nova.social", "****@nova.social"),
    ("https://nova.social/?key=secret", "https://nova.social/?****"),
    ("https://nova.social/#secret", "https://nova.social/#****"),
    ("https://nova.social?", "https://nova.social?"),
    ("nova.social", "nova.social"),
  ])
  func hidesSecretsInWhatIsNoBaseURL(_ text: String, _ masked: String) {
    #expect(BaseURL.masked(text) == masked)
  }
}
