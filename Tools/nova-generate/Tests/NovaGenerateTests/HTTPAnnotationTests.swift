import NovaGenerate
import Testing

/// `google.api.http` in the .proto file: the same bindings as in `gateway.yaml`, which takes precedence.
@Suite struct HTTPAnnotationTests {
  private func contract(_ option: String, get: String = "Request") -> [String: String] {
    demo(
      """
      message Item { string id = 1; string name = 2; }
      message Request { string id = 1; Item item = 2; int32 limit = 3; }
      service DemoService { rpc Get(\(get)) returns (Item) { option (google.api.http) = { \(option) }; } }
      """, imports: ["google/api/annotations.proto", "google/protobuf/empty.proto"])
  }

  @Test(arguments: [
    (#"get: "/v1/items/{id}""#, #"HTTPBinding(.get, "/v1/items/{id}", hasBody: false)"#),
    (#"post: "/v1/items" body: "*""#, #"HTTPBinding(.post, "/v1/items")"#),
    (#"put: "/v1/items/{id}" body: "item""#, #"HTTPBinding(.put, "/v1/items/{id}", bodyField: "item")"#),
    (#"patch: "/a" body: "*" response_body: "name""#, #"HTTPBinding(.patch, "/a", responseField: "name")"#),
    (#"delete: "/a""#, #"HTTPBinding(.delete, "/a", hasBody: false)"#),
    (
      #"get: "/a" additional_bindings { post: "/b" body: "*" } additional_bindings { put: "/c" }"#,
      #"HTTPBinding(.get, "/a", hasBody: false)"#
    ),
  ])
  func options(_ option: String, _ binding: String) throws {
    let files = try generate(contract(option))
    let rpcs = try #require(files["Sources/NovaDemo/Generated/DemoRPCs.swift"])
    #expect(rpcs.contains("http: \(binding),"), "\(rpcs)")
    // Nothing is generated for the packages of the option itself.
    #expect(files.keys.allSatisfy { $0.hasPrefix("Sources/NovaDemo/") }, "\(files.keys.sorted())")
  }

  /// `option (google.api.http).post` and the like, in any order.
  @Test(arguments: [
    ([#"body = "*""#, #"post = "/v1/items""#], #"HTTPBinding(.post, "/v1/items")"#),
    ([#"post = "/v1/items""#, #"body = "*""#], #"HTTPBinding(.post, "/v1/items")"#),
    (
      [#"response_body = "name""#, #"put = "/v1/items""#, #"body = "item""#],
      #"HTTPBinding(.put, "/v1/items", bodyField: "item", responseField: "name")"#
    ),
    ([#"get = "/v1/items""#], #"HTTPBinding(.get, "/v1/items", hasBody: false)"#),
  ])
  func optionsOnLinesOfTheirOwn(_ lines: [String], _ binding: String) throws {
    let options = lines.map { "option (google.api.http).\($0);" }.joined(separator: " ")
    let protos = contract(#"get: "/a""#).mapValues {
      $0.replacing(#"option (google.api.http) = { get: "/a" };"#, with: options)
    }
    let rpcs = try #require(try generate(protos)["Sources/NovaDemo/Generated/DemoRPCs.swift"])
    #expect(rpcs.contains("http: \(binding),"), "\(rpcs)")
  }

  /// Of several bindings, the first counts, in `gateway.yaml` as in .proto files.
  @Test func moreBindingsInTheGateway() throws {
    let yaml = """
      http:
        rules:
          - selector: nova.demo_service.v1.DemoService.Get
            post: /first
            body: '*'
            additional_bindings: [{get: "/{id}"}, {put: /third, body: '*'}]
      """
    let rpcs = try generate(contract(#"get: "/here""#), gateway: yaml)["Sources/NovaDemo/Generated/DemoRPCs.swift"]
    #expect(rpcs?.contains(#"http: HTTPBinding(.post, "/first"),"#) == true, "\(rpcs ?? "")")
  }

  @Test func theGatewayTakesPrecedence() throws {
    let yaml = "http: {rules: [{selector: nova.demo_service.v1.DemoService.Get, post: /there, body: '*'}]}"
    let rpcs = try generate(contract(#"get: "/here""#), gateway: yaml)["Sources/NovaDemo/Generated/DemoRPCs.swift"]
    #expect(rpcs?.contains(#"http: HTTPBinding(.post, "/there"),"#) == true)
  }

  @Test(arguments: [
    (#"custom { kind: "HEAD" path: "/a" }"#, "is bound to a custom HTTP method; supported are get, put, post"),
    (#"body: "*""#, "has an option google.api.http without a path"),
    (#"get: "/v1/{id=items/*}""#, "has the path \"/v1/{id=items/*}\"; supported are segments"),
    (#"get: "/v1/{item.id}""#, "has the path \"/v1/{item.id}\"; supported are segments"),
    (#"post: "/v1/items:search" body: "*""#, "nothing"),
    (#"get: "/v1/{item}""#, "has {item} in its path, which is no plain field of Request"),
    (#"get: "/a" body: "*""#, "has a body, which get requests do not carry"),
    (#"post: "/a" body: "other""#, "has body other, which is no field of Request"),
    (#"get: "/a" response_body: "other""#, "has response_body other, which is no field of Item"),
  ])
  func refusals(_ option: String, _ text: String) throws {
    let said = try refusal(contract(option))
    let expected = text == "nothing" ? text : "demo.proto: nova.demo_service.v1.DemoService.Get: \(text)"
    #expect(said.hasPrefix(expected), "\(said)")
  }

  @Test func anRPCCanHaveNoBinding() throws {
    let body = "message M {} service DemoService { rpc Get(M) returns (google.protobuf.Empty); }"
    let files = try generate(demo(body, imports: ["google/protobuf/empty.proto"]), registry: "NovaRegistry")
    let rpcs = try #require(files["Sources/NovaDemo/Generated/DemoRPCs.swift"])
    #expect(rpcs.contains("RPC<M, ProtoEmpty>(") && rpcs.contains("http: .unbound,"))
    #expect(files["Sources/NovaRegistry/Generated/APIConfig.swift"]?.contains("static let get") == false)
  }
}
