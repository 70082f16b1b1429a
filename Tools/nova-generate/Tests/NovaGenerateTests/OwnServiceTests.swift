import NovaGenerate
import Testing

/// What services that are not NovaSocial's get, and what their HTTP form cannot be.
@Suite struct OwnServiceTests {
  private static let service = "nova.demo_service.v1.DemoService"

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
