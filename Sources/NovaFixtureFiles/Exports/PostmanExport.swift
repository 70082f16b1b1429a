import NovaCore

/// A Postman collection by schema v2.1.0: a folder for each service with a folder for each RPC, which has a request for
/// each exchange with the response as its example. Requests use the variable `base_url`.
struct PostmanExport {
  private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

  private let exchanges: [FixtureExchange]

  init(_ exchanges: [FixtureExchange]) { self.exchanges = exchanges.map { $0.withPlainPlaceholders() } }

  var json: JSONValue {
    .members(
      (
        "info",
        .members(
          ("_postman_id", .string(StableUUID.of("postman collection"))), ("name", .string("NovaSocial")),
          ("schema", .string(Self.schema)))
      ),
      (
        "item",
        .array(
          Self.folders(exchanges, by: { String($0.rpc.prefix { $0 != "." }) }) { service in
            Self.folders(service, by: \.rpc) { $0.map(Self.item) }
          })
      ),
      (
        "variable",
        .array([.members(("key", .string("base_url")), ("value", .string(FixtureExchange.baseURL.text)))])
      ))
  }

  /// Returns folders in the order of first occurrence of their names.
  private static func folders(
    _ exchanges: [FixtureExchange], by name: (FixtureExchange) -> String,
    _ items: ([FixtureExchange]) -> [JSONValue]
  ) -> [JSONValue] {
    let groups = Dictionary(grouping: exchanges, by: name)
    var seen: Set<String> = []
    return exchanges.map(name).filter { seen.insert($0).inserted }.map { name in
      .members(("name", .string(name)), ("item", .array(items(groups[name] ?? []))))
    }
  }

  private static func item(_ exchange: FixtureExchange) -> JSONValue {
    let request = request(exchange)
    let response = exchange.response
    let example = JSONValue.members(
      ("name", .string("\(response.status)")), ("originalRequest", request),
      ("status", .string(response.isSuccess ? "OK" : "Error")), ("code", .number("\(response.status)")),
      ("header", headers(response.headers)), ("cookie", .array([])),
      ("body", .string(String(decoding: response.body.inMemory, as: UTF8.self))))
    return .members(
      ("name", .string(exchange.name)), ("request", request), ("response", .array([example])))
  }

  private static func request(_ exchange: FixtureExchange) -> JSONValue {
    let parts = ExportedRequest(exchange)
    let raw = "{{base_url}}\(exchange.target)"
    let query = parts.query.map { JSONValue.members(("key", .string($0.name)), ("value", .string($0.value))) }
    let url = JSONValue.members(
      ("raw", .string(raw)), ("host", .array([.string("{{base_url}}")])),
      ("path", .array(parts.path.split(separator: "/").map { .string(String($0)) })),
      ("query", query.isEmpty ? nil : .array(query)))
    let language = JSONValue.members(("raw", .members(("language", .string("json")))))
    let body = JSONValue.members(
      ("mode", .string("raw")), ("raw", .string(parts.body)), ("options", language))
    return .members(
      ("method", .string(parts.method)), ("header", headers(exchange.request.headers)), ("url", url),
      ("body", parts.body.isEmpty ? nil : body))
  }

  private static func headers(_ headers: HTTPHeaders) -> JSONValue {
    .array(headers.map { .members(("key", .string($0.name)), ("value", .string($0.value))) })
  }
}
