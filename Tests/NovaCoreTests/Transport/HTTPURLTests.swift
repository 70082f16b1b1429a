import NovaCore
import Testing

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("http://Example.COM", "example.com", 80, false),
    ("https://a-b_c.example/x?y=http://z@w:1", "a-b_c.example", 443, true),
    ("HTTPS://h:8443?q", "h", 8443, true), ("http://[::1]:9/", "[::1]", 9, false),
    ("http://[FE80::1%25eth0]/", "[fe80::1%25eth0]", 80, false),
  ])
  func findsItsParts(text: String, host: String, port: Int, isSecure: Bool) throws {
    let url = try HTTPURL(text)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.isSecure == isSecure)
    #expect(url.place == "\(host):\(port)")
    #expect(url.text == text)
  }

  @Test func losesItsFragment() throws {
    #expect(try HTTPURL("http://h/a?b#c?d#e").text == "http://h/a?b")
    #expect(try HTTPURL("http://h#@evil/").host == "h")
  }

  @Test func comparesOrigins() throws {
    let url = try HTTPURL("https://h/a")
    for same in ["https://H:443/b", "https://h?c"] { try #expect(url.hasSameOrigin(as: HTTPURL(same))) }
    for other in ["http://h:443/", "https://h:444/", "https://h.h/"] {
      try #expect(!url.hasSameOrigin(as: HTTPURL(other)))
    }
  }

  @Test func knowsLoopback() throws {
    for here in ["localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "127.1", "[::1]"] {
      try #expect(HTTPURL("http://\(here)/").isLoopback)
    }
    let names = [
      "127.evil.example", "localhost.example", "notlocalhost", "127.1.2.3.4", "127..0.1", "127.0.0.256",
    ]
    for there in names + ["128.0.0.1", "[::2]"] {
      try #expect(!HTTPURL("http://\(there)/").isLoopback)
    }
  }

  @Test(arguments: ["http://user@h/", "http://user:secret@h/", "https://@h", "http://[::1]@h/"])
  func namesWhatAURLMustNotHold(_ text: String) {
    let error = #expect(throws: TransportError.self) { try HTTPURL(text) }
    #expect(error?.message == "the URL must not hold a user name or a password")
  }

  @Test func saysNothingOfTheURLInItsError() {
    let error = #expect(throws: TransportError.self) { try HTTPURL("https://user:secret@h/?token=secret") }
    #expect(error?.message.contains("secret") == false)
  }
}
