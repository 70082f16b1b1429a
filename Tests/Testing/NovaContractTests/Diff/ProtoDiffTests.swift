import NovaContract
import NovaCore
import NovaTestSupport
import Testing

@Suite struct ProtoDiffTests {
  @Test(
    arguments: [
      ("int32 total = 2", "int32 sum = 2", ["breaking renamedField Order.total: total → sum"]),
      ("int32 total = 2", "string total = 2", ["breaking type Order.total: integer (int32) → string"]),
      ("int32 total = 2", "int64 total = 2", ["dangerous type Order.total: integer (int32) → integer (int64)"]),
      (
        "int32 total = 2", "repeated int32 total = 2",
        ["breaking type Order.total: integer (int32) → list of integer (int32)"]
      ),
      ("int32 total = 2", "int32 total = 20", ["dangerous fieldNumber Order.total: 2 → 20"]),
      ("int32 total = 2;", "", ["breaking removedField Order.total: integer (int32) → "]),
      ("int64: number", "int64: string", ["breaking type Item.counts{}: integer (int64) → string (int64)"]),
      ("SMALL = 1 [deprecated = true];", "SMALL = 1; MEDIUM = 3;", ["dangerous addedValue Order.size:  → MEDIUM"]),
      ("SMALL = 1 [deprecated = true];", "", ["compatible removedValue Order.size: SMALL → "]),
      ("[open, paid]", "[open, paid, sent]", ["dangerous addedValue Order.status:  → sent"]),
      (
        "rpc GetOrder(GetOrderRequest) returns (Order);", "",
        ["breaking removedRPC order.GetOrder: GET /orders/{id} → "]
      ),
      ("rpc GetOrder(", "rpc ReadOrder(", ["breaking removedRPC order.GetOrder: GET /orders/{id} → "]),
      ("get: /orders/{id}", "get: /order/{id}", ["breaking path order.GetOrder: /orders/{id} → /order/{id}"]),
      ("get: /orders/{id}", "put: /orders/{id}", ["breaking method order.GetOrder: GET → PUT"]),
      (
        "rpc GetOrder(GetOrderRequest) returns (Order)", "rpc GetOrder(GetOrderRequest) returns (stream Order)",
        ["breaking stream order.GetOrder: one response → a stream of events"]
      ),
      (
        "NOT_FOUND when", "PERMISSION_DENIED when",
        ["breaking errors order.ListOrders: 404 NOT_FOUND → 403 PERMISSION_DENIED"]
      ),
      ("INVALID_ARGUMENT when", "nothing when", ["dangerous errors order.ListOrders: 400 INVALID_ARGUMENT → "]),
      (
        "OrderService.Watch\n", "OrderService.Unknown\n",
        ["breaking authentication order.Watch: without a token → with a token"]
      ),
      (
        "string text = 3", "string text = 3; string shop_id = 4",
        ["breaking addedField ListOrdersRequest.shop_id:  → string, required"]
      ),
      (
        "string text = 3", "string text = 3; string sort = 4",
        ["compatible addedField ListOrdersRequest.sort:  → string"]
      ),
      (
        "minimum: 0", "minimum: 1",
        [
          "breaking required ListOrdersRequest.text: optional → required",
          "breaking tightened ListOrdersRequest.text: at least 0 characters → at least 1 characters",
        ]
      ),
      (
        "maximum: 200", "maximum: 100",
        ["breaking tightened ListOrdersRequest.text: at most 200 characters → at most 100 characters"]
      ),
      (
        "maximum: 200", "maximum: 300",
        ["compatible loosened ListOrdersRequest.text: at most 200 characters → at most 300 characters"]
      ),
      ("default: 20", "default: 10", ["dangerous standard ListOrdersRequest.limit: 20 → 10"]),
      (
        "maximum: 100\n", "maximum: 50\n",
        [
          "dangerous tightened ListOrdersRequest.limit: pages of at most 100 items → pages of at most 50 items"
        ]
      ),
      (#"[json_name = "remark"]"#, "", []),
      ("// Its own id.", "/* Its id. */", []),
      ("reserved 10, 11;", "reserved 10 to 20; reserved \"old\";", []),
    ] as [(String, String, [String])])
  func changesHaveTheGradeOfJSONClients(text: String, other: String, lines: [String]) throws {
    let changes = try ProtoVersion.changes(text, to: other)
    // An RPC with another name and the same path is also a new one for clients without it.
    let relevant = other.contains("ReadOrder") ? changes.filter { $0.kind == .removedRPC } : changes
    if other.contains("ReadOrder") {
      #expect(changes.contains { $0.kind == .removedRPC || $0.kind == .renamedRPC }, "\(changes.map(\.line))")
    } else {
      #expect(relevant.map(\.line) == lines, "\(text) → \(other)")
    }
    for change in changes { #expect(change.meaning.hasSuffix("."), "\(change.meaning)") }
  }

  /// A message that several RPCs return changes once, with all of them.
  @Test func aChangeOfASharedMessageIsOne() throws {
    let changes = try ProtoVersion.changes("int32 total = 2", to: "double total = 2")
    #expect(changes.map(\.rpcs) == [["order.ListOrders", "order.GetOrder", "order.Watch"]])
  }

  @Test(arguments: [
    ("message Order {", "message Order", "order.proto:23: expected {"),
    ("int32 total = 2;", "int32 total;", "order.proto:24: expected ="),
    ("int32 total = 2", "Missing total = 2", "shop.order_service.v1.Order.total: the type Missing is not declared"),
    ("int64: number", "int64: [", "gateway.yaml:"),
    ("Orders.\n", "Orders.\n}", "order.proto:6: expected package, message"),
  ]) func whatCannotBeReadHasAPlace(text: String, other: String, problem: String) throws {
    let error = #expect(throws: DescriptionError.self) { try ProtoVersion.changes(text, to: other) }
    #expect(error.map { "\($0)" }?.contains(problem.prefix(12)) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// The contract of this repository is read completely, and equals itself.
  @Test func theContractIsRead() throws {
    let names = [
      "analytics", "announcements", "auth", "capture", "content", "event", "feed", "graph", "media", "social", "user",
    ]
    var files = try names.map { name in
      let path = "nova/\(name)_service/v1/\(name)_service.proto"
      return (name: path, text: try Checkout.text(of: "Proto/\(path)"))
    }
    let common = "nova/common/v1/common.proto"
    files.append((common, try Checkout.text(of: "Proto/\(common)")))
    let gateway = try Checkout.text(of: "Proto/gateway.yaml")
    let contract = try DescribedContract(protoFiles: files, gateway: gateway)
    #expect(ContractDiff(from: contract, to: contract).changes.isEmpty)
    let renamed = gateway.replacing("post: /api/v1/graph/follow\n", with: "post: /api/v2/graph/follow\n")
    let other = try DescribedContract(protoFiles: files, gateway: renamed)
    #expect(
      ContractDiff(from: contract, to: other).changes.map(\.line) == [
        "breaking path graph.CreateFollow: /api/v1/graph/follow → /api/v2/graph/follow"
      ])
  }
}
