import NovaHTTP
import Testing

@Suite struct HTTPURLTests {
  @Test(
    arguments: [
      ("/a.jpg?b=1#c", "http://gateway:8080/base/a.jpg?b=1"), ("/", "http://gateway:8080/base/"),
      ("https://CDN.example/a", "https://cdn.example/a"), ("//cdn.example/a", nil), ("a.jpg", nil), ("", nil),
      ("/a b", nil), ("/@cdn.example", "http://gateway:8080/base/@cdn.example"), ("ftp://a/b", nil),
    ] as [(String, String?)])
  func pathsAreOnTheGateway(text: String, expected: String?) {
    #expect((try? HTTPURL(parsing: text, pathsOn: "http://gateway:8080/base"))?.text == expected)
  }

  @Test(
    arguments: [
      ("/a.jpg?b=1#c", nil), ("/a b.mp4", "/a%20b.mp4"), ("/media/ä.mp4?n=ö", "/media/%C3%A4.mp4?n=%C3%B6"),
      ("https://cdn.example/a \"b\"", "https://cdn.example/a%20%22b%22"), ("/a%20b", nil), ("/a%zz", nil),
      ("https://cdn.example?q={x}", "https://cdn.example?q=%7Bx%7D"), ("/💡", "/%F0%9F%92%A1"),
      ("/a\\b", nil), ("/a\nb", nil), ("https://exämple/a", nil), ("https://a b/c", nil), ("/a\u{7F}", nil), ("", nil),
    ] as [(String, String?)])
  func pathsAreEncodedAsBrowsersDo(text: String, expected: String?) {
    #expect(HTTPURL.encodingTarget(of: text) == expected ?? text)
    let again = HTTPURL.encodingTarget(of: HTTPURL.encodingTarget(of: text))
    #expect(again == expected ?? text)
  }

  @Test(arguments: [
    ("http://Example.COM", "example.com", 80, false),
    ("https://a-b_c.example/x?y=http://z@w:1", "a-b_c.example", 443, true),
    ("HTTPS://h:8443?q", "h", 8443, true), ("http://[::1]:9/", "[::1]", 9, false),
    ("http://[FE80::1%25eth0]/", "[fe80::1%25eth0]", 80, false),
  ])
  func findsItsParts(text: String, host: String, port: Int, isSecure: Bool) throws {
    let url = try HTTPURL(parsing: text)
    #expect(url.origin.host == host)
    #expect(url.origin.port == port)
    #expect(url.origin.isSecure == isSecure)
    #expect(try HTTPURL(parsing: url.text) == url)
  }

  @Test func losesItsFragment() throws {
    #expect(try HTTPURL(parsing: "http://h/a?b#c?d#e").text == "http://h/a?b")
    #expect(try HTTPURL(parsing: "http://h#@evil/").origin.host == "h")
  }

  @Test func comparesOrigins() throws {
    let url = try HTTPURL(parsing: "https://h/a")
    for same in ["https://H:443/b", "https://h?c"] { try #expect(url.origin == HTTPURL(parsing: same).origin) }
    for other in ["http://h:443/", "https://h:444/", "https://h.h/"] {
      try #expect(url.origin != HTTPURL(parsing: other).origin)
    }
  }

  @Test func knowsLoopback() throws {
    for here in ["localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "127.1", "[::1]"] {
      try #expect(HTTPURL(parsing: "http://\(here)/").origin.isLoopback)
    }
    let names = [
      "127.evil.example", "localhost.example", "notlocalhost", "localhost.",
    ]
    for there in names + ["128.0.0.1", "[::2]"] {
      try #expect(!HTTPURL(parsing: "http://\(there)/").origin.isLoopback)
    }
  }

  /// An address in any spelling is normalized, so that no program reads it as another host.
  @Test(arguments: [
    ("http://127.1", "http://127.0.0.1"), ("http://0x7f.1/a", "http://127.0.0.1/a"),
    ("http://0X71", "http://0.0.0.113"), ("https://2852039166:443/", "https://169.254.169.254/"),
    ("HTTP://LOCALHOST:80?Q", "http://localhost?Q"), ("https://[FE80::1%25Eth0]:80", "https://[fe80::1%25Eth0]:80"),
    ("http://h:00080/A%2f", "http://h/A%2f"), ("http://127.0.0.1.", "http://127.0.0.1"),
  ])
  func writesItsNormalForm(_ text: String, _ normal: String) throws {
    let url = try HTTPURL(parsing: text)
    #expect(url.text == normal)
    #expect(try HTTPURL(parsing: normal) == url)
    #expect("\(url)" == String(normal.prefix { $0 != "?" }))
  }

  @Test(arguments: [
    "127.1.2.3.4", "127..0.1", "127.0.0.256", "08", "-h", "h-", "[1.2.3.4]", "[::g]", "a..b", ".",
    String(repeating: "a", count: 64),
  ])
  func refusesWhatIsNoHost(_ host: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(parsing: "http://\(host)/") }
    #expect(error?.reason == "the URL's host is not a valid name or address")
  }

  @Test func takesPathAndQueryApart() throws {
    let url = try HTTPURL(parsing: "https://h/a/b?c=d?e")
    #expect(url.path == "/a/b" && url.query == "c=d?e")
    #expect(
      try HTTPURL(parsing: "https://h").path == "/" && HTTPURL(parsing: "https://h?").query == ""
        && HTTPURL(parsing: "https://h/").query == nil)
    #expect(try HTTPURL(parsing: "https://h/api").appending("/x?y").text == "https://h/api/x?y")
  }

  @Test(arguments: ["http://user@h/", "http://user:secret@h/", "https://@h", "http://[::1]@h/"])
  func namesWhatAURLMustNotHold(_ text: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(parsing: text) }
    #expect(error?.reason == "the URL must not contain a user name or a password")
  }

  @Test func saysNothingOfTheURLInItsError() {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(parsing: "https://user:secret@h/?token=secret") }
    #expect(error?.reason.contains("secret") == false)
  }
}
