import NovaGenerate
import Testing

/// What services that are not NovaSocial's get, and what their HTTP form cannot be.
@Suite struct OwnServiceTests {
  private static let service = "nova.demo_service.v1.DemoService"

  private static let types = """
    message Item { string id = 1; }
    message Nothing {}
    message Node { string id = 1; Node next = 2; map<string, string> labels = 3; }
    message Filter { string language = 1; repeated Item items = 2; }
    message Holder { Holder self_again = 1; Filter filter = 2; }
    enum Color { NONE = 0; }
    """
  private static let imports = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"].map {
    "google/protobuf/\($0).proto"
  }

  private func contract(_ field: String, response: String = "Item") -> [String: String] {
    demo(
      """
      \(Self.types)
      message Request { string id = 1; \(field) }
      service DemoService { rpc Get(Request) returns (\(response)); }
      """, imports: Self.imports)
  }

  private func gateway(_ rule: String, _ nova: String = "int64: number") -> String {
    "http: {rules: [{selector: \(Self.service).Get, \(rule)}]}\nnova: {\(nova)}"
  }

  @Test(arguments: [
    ("repeated Item items = 2;", "items", "a list of messages"),
    ("map<string, Item> items = 2;", "items", "a map of messages"),
    ("google.protobuf.Struct x = 2;", "x", "a google.protobuf.Struct"),
    ("google.protobuf.Value x = 2;", "x", "a google.protobuf.Value"),
    ("repeated google.protobuf.Value x = 2;", "x", "a google.protobuf.Value"),
    ("map<string, google.protobuf.Any> x = 2;", "x", "a google.protobuf.Any"),
    ("google.protobuf.ListValue x = 2;", "x", "a google.protobuf.ListValue"),
    ("google.protobuf.Empty x = 2;", "x", "a google.protobuf.Empty"),
    ("google.protobuf.NullValue x = 2;", "x", "a google.protobuf.NullValue"),
    ("Nothing x = 2;", "x", "a message without fields"),
    ("oneof o { string s = 2; Nothing x = 3; }", "x", "a message without fields"),
    ("Filter filter = 2;", "filter.items", "a list of messages"),
    ("Holder holder = 2;", "holder.filter.items", "a list of messages"),
  ])
  func aQueryLosesNothing(_ field: String, _ path: String, _ kind: String) throws {
    for rule in ["get: /a", "post: '/a/{id}'", "put: /a, body: id"] {
      #expect(
        try refusal(contract(field), gateway: gateway(rule))
          == "gateway.yaml: \(Self.service).Get: has \(path) in its query, which cannot hold \(kind); put it into the body",
        "\(rule)")
    }
    #expect(try refusal(contract(field), gateway: gateway("post: /a, body: '*'")) == "nothing")
    guard !field.hasPrefix("oneof") else { return }
    let name = path.prefix { $0 != "." }
    #expect(try refusal(contract(field), gateway: gateway("post: /a, body: \(name)")) == "nothing")
  }

  @Test(arguments: [
    "repeated string x = 2;", "repeated Color x = 2;", "map<string, string> x = 2;", "map<int32, Color> x = 2;",
    "Node x = 2;", "google.protobuf.Timestamp x = 2;", "repeated google.protobuf.Duration x = 2;", "Item x = 2;",
    "google.protobuf.FieldMask x = 2;", "google.protobuf.BoolValue x = 2;", "bytes x = 2;",
    "map<string, google.protobuf.Timestamp> x = 2;", "oneof o { Item x = 2; string y = 3; }",
  ])
  func theseFitIntoAQuery(_ field: String) throws {
    #expect(try refusal(contract(field), gateway: gateway("get: /a")) == "nothing")
  }

  @Test func theFileOfAnAnnotationIsNamed() throws {
    let files = demo(
      """
      \(Self.types)
      message Request { Filter filter = 1; }
      service DemoService { rpc Get(Request) returns (Item) { option (google.api.http) = { get: "/a" }; } }
      """, imports: ["google/api/annotations.proto"])
    #expect(
      try refusal(files)
        == "demo.proto: \(Self.service).Get: has filter.items in its query, which cannot hold a list of messages; "
        + "put it into the body")
  }

  // MARK: Rules

  private func generated(_ nova: String) throws -> String {
    let body = """
      message Order { string id = 1; string user_id = 2; int32 limit = 3; string note = 4; }
      service DemoService { rpc Create(Order) returns (Order) {} }
      """
    let files = try generate(demo(body), gateway: "nova: {\(nova)}")
    return files.values.joined()
  }

  @Test func rulesAreExplicit() throws {
    #expect(try !generated("int64: number").contains("rule:"))
    #expect(try !generated("implicit_rules: false").contains("rule:"))
    let implicit = try generated("implicit_rules: true, optional_ids: [nova.demo_service.v1.Order.user_id]")
    #expect(implicit.contains(#"FieldDescriptor("id", number: 1, kind: .string, rule: .notEmpty)"#))
    #expect(implicit.contains(#"FieldDescriptor("user_id", number: 2, kind: .string),"#))
    #expect(implicit.contains(#"FieldDescriptor("limit", number: 3, kind: .int32, rule: .notNegative)"#))
    let explicit = try generated("text_lengths: [{field: nova.demo_service.v1.Order.id, minimum: 1}]")
    #expect(explicit.contains("rule: .length(minimum: 1, maximum: nil)") && !explicit.contains(".notNegative"))
  }

  @Test func optionalIDsNeedTheRules() throws {
    let error = try #require(throws: GenerationError.self) {
      try generated("optional_ids: [nova.demo_service.v1.Order.id]")
    }
    #expect(error.description == "gateway.yaml: nova (line 1): has optional_ids, which need implicit_rules: true")
  }

  @Test func onlyListedResponsesAreCompared() throws {
    #expect(try !generated("int64: number").contains("echoesRequest"))
    let listed = try generated("echoed_requests: [{selector: \(Self.service).Create}]")
    #expect(listed.contains("effect: .notIdempotent,\n    http: .unbound,\n    echoesRequest: true,"))
  }

  @Test(arguments: [
    ("Create", "Other", "Create: is in echoed_requests, but Other has no field of Order"),
    ("Creates", "Order", "Creates: is not an RPC"),
    ("Create", "stream Order", "Create: streams, so its responses cannot echo the request"),
  ])
  func echoesMakeSense(_ name: String, _ response: String, _ text: String) throws {
    let body = """
      message Order { string id = 1; }
      message Other { string name = 1; repeated Order orders = 2; }
      service DemoService { rpc Create(Order) returns (\(response)); }
      """
    let yaml = "nova: {echoed_requests: [{selector: \(Self.service).\(name)}]}"
    #expect(try refusal(demo(body), gateway: yaml) == "gateway.yaml: \(Self.service).\(text)")
  }

  @Test(arguments: [
    ("order_id", "id", nil), ("id", "id", nil),
    ("total", "id", "total, which is no single string of the items of Page"),
    ("none", "id", "none, which is no single string of the items of Page"),
    ("id", "none", "none, which is no single string of Order"),
  ])
  func ownersOfItemsMakeSense(_ field: String, _ requestField: String, _ problem: String?) throws {
    let body = """
      message Order { string id = 1; }
      message Line { string id = 1; string order_id = 2; int32 total = 3; }
      message Page { repeated Line lines = 1; }
      service DemoService { rpc List(Order) returns (Page); }
      """
    let yaml =
      "nova: {item_owners: [{selector: \(Self.service).List, field: \(field), request_field: \(requestField)}]}"
    if let problem {
      let text = "gateway.yaml: \(Self.service).List: is in item_owners with \(problem)"
      #expect(try refusal(demo(body), gateway: yaml) == text)
    } else {
      let source = try generate(demo(body), gateway: yaml).values.joined()
      #expect(source.contains(#"itemOwner: ItemOwner(field: "\#(field)", requestField: "\#(requestField)"),"#))
    }
  }

  // MARK: Streams

  @Test(arguments: [
    ("stream Holder", "filter", "nothing"), ("stream Node", "next", "nothing"),
    (
      "stream Filter", "items",
      "gateway.yaml: \(service).Get: streams items as its response_body, which is no plain message; leave response_body out"
    ),
    (
      "stream Node", "labels",
      "gateway.yaml: \(service).Get: streams labels as its response_body, which is no plain message; leave response_body out"
    ),
    ("Node", "labels", "nothing"),
  ])
  func responseBodiesOfStreams(_ response: String, _ field: String, _ text: String) throws {
    let yaml = gateway("get: /a, response_body: \(field)")
    #expect(try refusal(contract("string name = 2;", response: response), gateway: yaml) == text)
  }

  // MARK: Secrets

  @Test func aOneofHidesItsSecrets() throws {
    let body = "message M { oneof kind { string pin = 1; int32 init = 2; } string description = 3; }"
    let name = "nova.demo_service.v1.M"
    let secrets = "nova: {secrets: [\(name).pin, \(name).description]}"
    let messages = try generate(demo(body), gateway: secrets).values.joined()
    #expect(messages.contains("public enum Kind: SecretHoldingOneof {"))
    #expect(messages.contains(#"case .pin: OneofCase("pin")"#))
    #expect(messages.contains(#"case .`init`(let value): OneofCase("init", value)"#))
    #expect(messages.contains("public var descriptionField: String"), "else the message is printed as its secret")
    let plain = try generate(demo(body), gateway: "nova: {secrets: [\(name).description]}").values.joined()
    #expect(plain.contains("public enum Kind: Sendable, Hashable {") && !plain.contains("shownCase"))
  }
}
