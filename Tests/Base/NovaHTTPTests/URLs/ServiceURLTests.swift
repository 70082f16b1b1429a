import NovaHTTP
import Testing

/// URLs of services that speak gRPC.
@Suite struct ServiceURLTests {
  @Test(
    arguments: [
      ("grpc://Host:50051", "grpc://host:50051", ["host:50051"], false),
      ("GRPCS://host", "grpcs://host", ["host:443"], true), ("grpc://host/", "grpc://host", ["host:80"], false),
      ("grpc://a:1,b:2,a:1", "grpc://a:1,b:2", ["a:1", "b:2"], false),
      ("grpcs://[::1]:7,10.1", "grpcs://[::1]:7,10.0.0.1", ["[::1]:7", "10.0.0.1:443"], true),
      ("https://host:8443/v1", "https://host:8443/v1", ["host:8443"], true),
    ])
  func namesItsServers(text: String, normal: String, servers: [String], isSecure: Bool) throws {
    let url = try HTTPURL(parsingService: text)
    #expect(url.text == normal)
    #expect(url.origin.servers.map(\.description) == servers)
    #expect(url.origin.isSecure == isSecure)
    #expect(url.origin.usesGRPC == !text.hasPrefix("http"))
    #expect(url.origin.place == servers.joined(separator: ","))
    #expect(try HTTPURL(parsingService: url.text) == url)
  }

  @Test(arguments: [
    "grpc://", "grpc://a:1,", "grpc://,a:1", "grpc://a:0", "grpc://a:1,b:65536", "grpc://user@a:1", "grpc://a:1/v1",
    "grpc://a:1?b", "grpc://a b", "grpcx://a", "http://a:1,b:2", "dns:///a",
  ])
  func refusesOtherText(text: String) {
    #expect(throws: HTTPURLError.self) { try HTTPURL(parsingService: text) }
  }

  /// URLs that a server names are never those of services.
  @Test(arguments: ["grpc://host:1", "grpcs://host/x"])
  func isNoURLOfMedia(text: String) {
    #expect(throws: HTTPURLError.self) { try HTTPURL(parsing: text) }
  }

  @Test func protectsSecretsOnlyIfAllServersDo() throws {
    func isProtected(_ text: String) throws -> Bool { try HTTPURL(parsingService: text).origin.protectsSecrets }
    #expect(try isProtected("grpc://localhost:1,127.0.0.1:2,[::1]:3"))
    #expect(try !isProtected("grpc://localhost:1,other:2"))
    #expect(try isProtected("grpcs://localhost:1,other:2"))
  }

  @Test func isAnotherOriginThanTheGateway() throws {
    let services = try HTTPURL(parsingService: "grpc://h:8080").origin
    #expect(try services != HTTPURL(parsing: "http://h:8080").origin)
    #expect(try services != HTTPURL(parsingService: "grpc://h:8080,h:8081").origin)
    let pair = try HTTPURL(parsingService: "grpc://a:1,b:2").origin
    #expect(try pair.only(pair.servers[1]) == HTTPURL(parsingService: "grpc://b:2").origin)
  }
}
