import NovaCore

/// A Mockoon environment in the format of migration 29 (version 4); later versions migrate it when they open it.
struct MockoonExport {
  private let exchanges: [FixtureExchange]

  init(_ exchanges: [FixtureExchange]) { self.exchanges = exchanges }

  var json: JSONValue {
    let routes = routes
    let children: [JSONValue] = routes.map { route in
      ["type": "route", "uuid": route["uuid"]]
    }
    return [
      "uuid": .string(StableUUID.of("mockoon environment")), "lastMigration": 29, "name": "NovaSocial",
      "endpointPrefix": "", "latency": 0, "port": 8080, "hostname": "", "folders": [], "routes": .array(routes),
      "rootChildren": .array(children), "proxyMode": false, "proxyHost": "", "proxyRemovePrefix": false,
      "tlsOptions": Self.tlsOptions, "cors": true, "headers": [], "proxyReqHeaders": [], "proxyResHeaders": [],
      "data": [],
    ]
  }

  private static let tlsOptions: JSONValue = [
    "enabled": false, "type": "CERT", "pfxPath": "", "certPath": "", "keyPath": "", "caPath": "", "passphrase": "",
  ]

  /// One route for each method and path, in the order of first occurrence.
  private var routes: [JSONValue] {
    var order: [String] = []
    var groups: [String: [(exchange: FixtureExchange, request: ExportedRequest)]] = [:]
    for pair in exchanges.distinguishable {
      let key = "\(pair.request.method) \(pair.request.path)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(pair)
    }
    return order.compactMap { key in groups[key].flatMap { Self.route(key, $0) } }
  }

  private static func route(
    _ key: String, _ pairs: [(exchange: FixtureExchange, request: ExportedRequest)]
  ) -> JSONValue? {
    guard let first = pairs.first else { return nil }
    // Mockoon uses the first response whose rules match, so responses with more rules come first.
    let answers = pairs.map { MockoonAnswer($0.exchange, $0.request) }.enumerated()
      .sorted { ($1.element.rules.count, $0.offset) < ($0.element.rules.count, $1.offset) }.map(\.element)
    let standard = answers.firstIndex { $0.exchange.name == first.exchange.name } ?? 0
    return [
      "uuid": .string(StableUUID.of("mockoon route \(key)")), "type": "http",
      "documentation": .string(first.exchange.rpc), "method": .string(first.request.method.lowercased()),
      "endpoint": .string(String(first.request.path.dropFirst())),
      "responses": .array(answers.enumerated().map { $1.json(isDefault: $0 == standard) }), "enabled": true,
      "responseMode": .null,
    ]
  }
}
