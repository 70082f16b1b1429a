import NovaGenerate
import Testing

/// What `gateway.yaml` says is about something, or it stops the generator.
@Suite struct GatewayRefusalTests {
  private static let body = """
    message Request { string id = 1; int32 limit = 2; repeated string ids = 3; string display_name = 4; Inner inner = 5; }
    message Inner { string a = 1; }
    message Response { repeated Inner items = 1; }
    service DemoService {
      rpc Get(Request) returns (Response);
      rpc Put(Inner) returns (Response);
    }
    """
  private static let service = "nova.demo_service.v1.DemoService"
  private static let request = "nova.demo_service.v1.Request"

  private func gateway(_ get: String = "post: /get", nova: String = "") -> String {
    """
    http:
      rules:
        - selector: \(Self.service).Get
          \(get.split(separator: ";").joined(separator: "\n      "))
        - selector: \(Self.service).Put
          put: /put
          body: "*"
    nova:
      int64: number
    \(nova.split(separator: "\n").map { "  \($0)\n" }.joined())
    """
  }

  @Test func theExampleIsFine() throws {
    #expect(
      try refusal(demo(Self.body), gateway: gateway("post: /get/{id};body: \"*\";response_body: items")) == "nothing")
  }

  @Test(arguments: [
    ("get: /get;body: \"*\"", "\(service).Get: has a body, which get requests do not carry"),
    ("delete: /get;body: \"*\"", "\(service).Get: has a body, which delete requests do not carry"),
    ("post: /get;body: name", "\(service).Get: has body name, which is no field of Request"),
    ("post: /get;put: /get", "rules[0] (line 3): takes exactly one of get, put, post, delete, patch"),
    ("body: \"*\"", "rules[0] (line 3): takes exactly one of"),
    ("post: /get;bodi: \"*\"", "rules[0] (line 3): has the unknown key \"bodi\"; known are selector, body"),
    ("post: /get/{name}", "\(service).Get: has {name} in its path, which is no plain field of Request"),
    ("post: /get/{ids}", "\(service).Get: has {ids} in its path"),
    ("post: /get/{inner}", "\(service).Get: has {inner} in its path"),
    ("post: /get/{id}:do", "\(service).Get: has the path \"/get/{id}:do\"; supported are segments"),
    ("post: /get/{id=x/*}", "\(service).Get: has the path"),
    ("post: /get/x{id}", "\(service).Get: has the path"),
    ("post: get", "\(service).Get: has the path"),
    ("post: /get?x=1", "\(service).Get: has the path"),
    ("put: /put", "\(service).Put: is bound to the same verb and path as \(service).Get"),
    ("post: /get;response_body: item", "\(service).Get: has response_body item, which is no field of Response"),
  ])
  func bindings(_ get: String, _ text: String) throws {
    let said = try refusal(demo(Self.body), gateway: gateway(get))
    #expect(said.hasPrefix("gateway.yaml: \(text)"), "\(said)")
  }

  @Test(arguments: [
    ("timeout: 5", "nova (line 9): has the unknown key \"timeout\"; known are int64, requires_bindings, json_names"),
    ("read_aliases: [{field: \(request).nickname, names: [x]}]", "\(request).nickname: is not a field"),
    (
      "read_aliases: [{field: \(request).id, names: [limit]}]",
      "\(request).limit: is read from \"limit\", which is id's"
    ),
    (
      "read_aliases: [{field: \(request).id, names: [displayName]}]",
      "\(request).display_name: is read from \"displayName\""
    ),
    ("read_aliases: [{field: \(request).id, name: [x]}]", "read_aliases[0] (line 10): has the unknown key \"name\""),
    ("secrets: [\(request).password]", "\(request).password: is not a field"),
    ("explicit_presence: [\(request).nickname]", "\(request).nickname: is not a field"),
    ("typed_texts: [{field: \(request).nickname, type: X}]", "\(request).nickname: is not a field"),
    (
      "typed_texts: [{field: \(request).limit, type: X}]",
      "\(request).limit: has a type in typed_texts, but is not a string"
    ),
    (
      "secrets: [\(request).id]\ntyped_texts: [{field: \(request).id, type: X}]",
      "\(request).id: has a type in typed_texts, but is a secret"
    ),
    (
      "typed_texts: [{field: \(request).id, type: x.Y}]",
      "typed_texts[0] (line 10): has the type \"x.Y\"; supported are names in UpperCamelCase"
    ),
    ("http_urls: [\(request).nickname]", "\(request).nickname: is not a field"),
    ("http_urls: [\(request).ids]", "\(request).ids: is among http_urls, but is not a single string"),
    ("record_ids: [\(request).nickname]", "\(request).nickname: is not a field"),
    ("record_ids: [\(request).inner]", "\(request).inner: is among record_ids, but is not a single string or integer"),
    (
      "required_if: [{field: \(request).nickname, text: id, values: [x]}]", "\(request).nickname: is not a field"
    ),
    (
      "required_if: [{field: \(request).id, text: limit, values: [x]}]",
      "\(request).id: is required because of limit, which is no single string of Request"
    ),
    (
      "required_if: [{field: \(request).id, text: ids, values: [x]}]",
      "\(request).id: is required because of ids, which is no single string of Request"
    ),
    (
      "required_if: [{field: \(request).id, text: display_name, values: [\"\", x]}]",
      "required_if[0] (line 10): needs values, of which the first is not empty"
    ),
    ("secrets: {a: b}", "nova (line 9): secrets is not a list"),
    ("unauthenticated: [{selector: \(service).Post}]", "\(service).Post: is not an RPC"),
    ("success_status: [{selector: \(service).Gets, status: 201}]", "\(service).Gets: is not an RPC"),
    (
      "success_status: [{selector: \(service).Get, status: OK}]",
      "success_status[0] (line 10): status is not a whole number"
    ),
    (
      "success_status: [{selector: \(service).Get, status: 404}]",
      "success_status[0] (line 10): status is not a whole number"
    ),
    ("known_values: [{field: \(request).nickname, values: [x]}]", "\(request).nickname: is not a field"),
    ("known_values: [{field: \(request).id, values: [x, x]}]", "known_values[0] (line 10): needs values, each once"),
    ("maximum_lengths: [{field: \(request).nickname, maximum: 1}]", "\(request).nickname: is not a field"),
    (
      "maximum_lengths: [{field: \(request).id, maximum: 0}]",
      "maximum_lengths[0] (line 10): maximum is not a whole number"
    ),
    ("text_patterns: [{field: \(request).nickname, pattern: x}]", "\(request).nickname: is not a field"),
    ("text_patterns: [{field: \(request).id}]", "text_patterns[0] (line 10): lacks pattern"),
    ("number_bounds: [{field: \(request).count, minimum: 1}]", "\(request).count: is not a field"),
    ("number_bounds: [{field: \(request).limit}]", "number_bounds[0] (line 10): needs a minimum or a maximum"),
    (
      "number_bounds: [{field: \(request).limit, minimum: 2, maximum: 1}]",
      "number_bounds[0] (line 10): maximum is not a whole number"
    ),
    ("timeouts: [{package: nova.demo.v1, seconds: 5}]", "nova.demo.v1: is not a package"),
    ("timeouts: [{package: nova.demo_service.v1, seconds: 0}]", "timeouts[0] (line 10): seconds is not a whole number"),
    ("json_names: [{package: nova.demo.v1, style: lowerCamelCase}]", "nova.demo.v1: is not a package"),
    (
      "json_names: [{package: nova.demo_service.v1, style: kebab-case}]",
      "json_names[0] (line 10): style is \"kebab-case\""
    ),
    (
      "page_limits: [{selector: \(service).Put, maximum: 5}]",
      "\(service).Put: has a page limit but no plain field limit"
    ),
    (
      "page_limits: [{selector: \(service).Get, default: 9, maximum: 5}]",
      "page_limits[0] (line 10): maximum is not a whole"
    ),
    (
      "batch_limits: [{selector: \(service).Get, field: id, maximum: 5}]",
      "\(service).Get: has a batch limit on id, which is no"
    ),
    ("batch_limits: [{selector: \(service).Get, maximum: 5}]", "batch_limits[0] (line 10): lacks field"),
    (
      "batch_limits: [{selector: \(service).Get, field: id, minimum: 6, maximum: 5}]",
      "batch_limits[0] (line 10): minimum is not a whole number from 1 to 5"
    ),
    ("endpoint_names: [{selector: \(service).Gets, name: x}]", "\(service).Gets: is not an RPC"),
    ("endpoint_names: [{selector: \(service).Get}]", "endpoint_names[0] (line 10): lacks name"),
    (
      "endpoint_names: [{selector: \(service).Get, name: Get-it}]",
      "\(service).Get: has the endpoint name \"Get-it\"; supported are names in lowerCamelCase"
    ),
    (
      "endpoint_names: [{selector: \(service).Get, name: put}]",
      "\(service).Put: has the endpoint name put, as Get"
    ),
    (
      "composed_calls: [{service: nova.demo_service.v1.Service, name: A, request: B, response: C, comment: D}]",
      "nova.demo_service.v1.Service: is not a service"
    ),
    (
      "composed_calls: [{service: \(service), name: a(b), request: B, response: C, comment: D}]",
      "composed_calls[0] (line 10): has the name \"a(b)\"; supported are names in UpperCamelCase"
    ),
    ("composed_calls: [{service: \(service), name: A, request: B}]", "composed_calls[0] (line 10): lacks comment"),
    ("swift_modules: [{package: nova.demo.v1, module: X}]", "nova.demo.v1: is not a package"),
    (
      "swift_modules: [{package: nova.demo.v1, module: X, registry: 5}]",
      "swift_modules[0] (line 10): registry is not true or false"
    ),
    (
      "timeouts: [{package: nova.demo_service.v1, seconds: 5}, {package: nova.demo_service.v1, seconds: 6}]",
      "timeouts[1] (line 10): names its package again"
    ),
  ])
  func theRest(_ nova: String, _ text: String) throws {
    let said = try refusal(demo(Self.body), gateway: gateway(nova: nova))
    #expect(said.hasPrefix("gateway.yaml: \(text)"), "\(said)")
  }

  @Test(arguments: [
    ("", "the document: is empty"), ("[]", "the document (line 1): is not a mapping"),
    ("a: [", "the document: is no YAML"),
    ("htp: {}", "the document (line 1): has the unknown key \"htp\""),
    ("http: {rules: [], rulez: []}", "http (line 1): has the unknown key \"rulez\""),
    ("http: {rules: {}}", "http (line 1): rules is not a list"),
    ("nova: {int64: text}", "nova (line 1): int64 is \"text\""),
    (
      "http: {rules: [{selector: a.B, get: /a}, {selector: a.B, get: /b}]}",
      "rules[1] (line 1): binds a.B a second time"
    ),
    ("nova: {int64: number, int64: string}", "the document: is no YAML"),
  ])
  func texts(_ yaml: String, _ text: String) throws {
    let error = try #require(throws: GenerationError.self) { try GatewayConfig(yaml: yaml) }
    #expect(error.description.hasPrefix("gateway.yaml: \(text)"), "\(error)")
  }

  @Test(arguments: [
    ("likes.user_id", "nothing"),
    (
      "likes.owner",
      "gateway.yaml: \(service).Get: has the fallback likes.owner, which is no plain field of its records"
    ),
    ("owners.user_id", "gateway.yaml: \(service).Get: has the items owners, which is not a list in Page"),
  ])
  func fallbacksOfListsAreFields(_ fallback: String, _ text: String) throws {
    let body = """
      message Request { int32 limit = 1; int32 offset = 2; }
      message Like { string user_id = 1; }
      message Page { repeated string user_ids = 1; repeated Like likes = 2; int32 total_count = 3; bool has_more = 4; }
      service DemoService { rpc Get(Request) returns (Page); }
      """
    let yaml = """
      http: {rules: [{selector: \(Self.service).Get, post: /get, body: "*"}]}
      nova:
        lists: [{selector: \(Self.service).Get, items: user_ids, fallback: \(fallback), sequence: likers, label: of}]
      """
    #expect(try refusal(demo(body), gateway: yaml) == text)
  }

  /// Whatever its name is.
  @Test(arguments: [
    ("success_status: [{selector: a.B, status: 201}]", "a.B: is not an RPC"),
    ("int64: text", "nova (line 9): int64 is"),
    ("page_limits: [{selector: \(service).Put, maximum: 5}]", "\(service).Put: has a page limit"),
    ("endpoint_names: [{selector: \(service).Get, name: put}]", "\(service).Put: has the endpoint name put, as Get"),
  ])
  func errorsNameTheGatewaysFile(_ nova: String, _ text: String) throws {
    let yaml = gateway(nova: nova).replacing(
      "  int64: number\n", with: nova.hasPrefix("int64") ? "" : "  int64: number\n")
    let said = try refusal(demo(Self.body), gateway: yaml, gatewayFile: "config/api.yaml")
    #expect(said.hasPrefix("config/api.yaml: \(text)"), "\(said)")
  }

  @Test func bindingsNameTheGatewaysFile() throws {
    let said = try refusal(demo(Self.body), gateway: gateway("get: get"), gatewayFile: "config/api.yaml")
    #expect(said.hasPrefix("config/api.yaml: \(Self.service).Get: has the path"), "\(said)")
  }

  /// The names of RPCs are also those of their paths.
  @Test(arguments: ["Get_Item", "getItem", "_Get"])
  func namesOfRPCsAreFine(_ name: String) throws {
    let body = "message M {} service DemoService { rpc \(name)(M) returns (M); }"
    #expect(try refusal(demo(body)) == "nothing")
  }

  @Test func aMissingBindingWhereAllAreNeeded() throws {
    let yaml = "http: {rules: [{selector: \(Self.service).Get, get: /get}]}"
    #expect(try refusal(demo(Self.body), gateway: yaml) == "nothing")
    #expect(
      try refusal(demo(Self.body), gateway: "nova: {requires_bindings: true}\n\(yaml)")
        == "gateway.yaml: \(Self.service).Put: has no HTTP binding")
  }
}
