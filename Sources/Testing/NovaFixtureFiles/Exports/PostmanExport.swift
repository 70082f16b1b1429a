import NovaCore
import NovaRegistry

/// A Postman collection by schema v2.1.0 that a runner can replay from its first request to its last.
///
/// After the login, the requests have the order in which they were recorded, because later ones depend on earlier ones:
/// numbered folders for each service, with folders for RPCs. A test of each request requires the recorded status. The
/// responses of edge cases, which no backend returns, are further examples.
struct PostmanExport {
  private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

  private let account: FixtureAccount?
  private let secrets: PostmanSecrets
  private let requests: [FixtureExchange]
  private let examples: [String: [FixtureExchange]]
  /// The names of exchanges that a collection cannot express.
  private let omitted: [String]

  init(_ all: [FixtureExchange], account: FixtureAccount?) {
    self.account = account
    let exchanges = all.compactMap { $0.withoutPostmanVariables() }
    let kept = Set(exchanges.map { "\($0.rpc): \($0.name)" })
    omitted = all.map { "\($0.rpc): \($0.name)" }.filter { !kept.contains($0) }
    let recorded = exchanges.filter { $0.origin != .edgeCase }.enumerated().sorted {
      ($0.element.origin.number, $0.offset) < ($1.element.origin.number, $1.offset)
    }.map(\.element)
    secrets = PostmanSecrets(recorded)
    requests = recorded.map { $0.withPlaceholders(PostmanSecrets.variable) }
    let edges = exchanges.filter { $0.origin == .edgeCase }.map { $0.withPlaceholders(PostmanSecrets.variable) }
    examples = Dictionary(grouping: edges, by: \.rpc)
  }

  var json: JSONValue {
    [
      "info": [
        "_postman_id": .string(StableUUID.of("postman collection")), "name": "NovaSocial",
        "description": .string(description), "schema": .string(Self.schema),
      ],
      "item": .array([PostmanLogin.item] + folders + edgeCases),
      "auth": ["type": "bearer", "bearer": [["key": "token", "value": "{{token}}", "type": "string"]]],
      "variable": .array(variables),
    ]
  }

  private var description: String {
    if omitted.isEmpty { return Self.usage }
    return Self.usage
      + "\n\nLeft out, because Postman would replace text in double braces: \(omitted.joined(separator: "; "))."
  }

  private static let usage = """
    Start `nova serve --fixtures` with the folder of this collection, and run the collection from its first request to \
    its last. The first request logs in and sets the variable token. Requests create accounts and posts: before another \
    run, restart the server.
    """

  private var variables: [JSONValue] {
    let values =
      [
        ("base_url", FixtureExchange.baseURL.text), ("email", account?.email ?? ""),
        ("password", account?.password ?? ""), ("token", ""),
      ] + secrets.values
    return values.map { ["key": .string($0.0), "value": .string($0.1)] }
  }

  // MARK: Folders

  /// A numbered folder for each run of requests to a service.
  private var folders: [JSONValue] {
    var seen: Set<String> = []
    return requests.runs { $0.service }.enumerated().map { index, run in
      let items = run.elements.runs(by: \.rpc).map { rpc in
        Self.folder(
          rpc.key,
          rpc.elements.map { exchange in
            // Edge cases are examples of the RPC's first request.
            let examples = seen.insert(exchange.rpc).inserted ? examples[exchange.rpc] ?? [] : []
            return PostmanItem(exchange, examples: examples, script: secrets.script(of: exchange)).json
          })
      }
      return Self.folder("\((index + 1).padded(to: 2)) \(run.key)", items)
    }
  }

  /// The edge cases of RPCs without another request, which would be lost.
  private var edgeCases: [JSONValue] {
    let known = Set(requests.map(\.rpc))
    let rest = RPCRegistry.nova.rpcs.map(\.id).filter { !known.contains($0) && examples[$0] != nil }
    if rest.isEmpty { return [] }
    let items = rest.map { rpc in
      let examples = examples[rpc] ?? []
      return Self.folder(rpc, examples.prefix(1).map { PostmanItem($0, examples: examples, script: nil).json })
    }
    return [Self.folder("edge cases", items)]
  }

  private static func folder(_ name: String, _ items: [JSONValue]) -> JSONValue {
    ["name": .string(name), "item": .array(items)]
  }
}

extension FixtureExchange {
  fileprivate var service: String { String(rpc.prefix { $0 != "." }) }
}

extension FixtureExchange.Origin {
  /// The place of the request; other requests follow those that were recorded.
  var number: Int { if case .recorded(let number) = self { number } else { .max } }
}

extension FixtureExchange {
  /// Whether the request changed something, or started a session.
  var isChange: Bool { response.isSuccess && RPCRegistry.nova.rpc(named: rpc)?.effect != .noSideEffects }
}

extension [FixtureExchange] {
  /// Returns the exchanges of RPCs, and the earlier ones that they depend on because these changed the world or started
  /// a session.
  func withPrerequisites(of rpcs: Set<String>) -> [FixtureExchange] {
    let last = lazy.filter { rpcs.contains($0.rpc) }.map(\.origin.number).max() ?? 0
    return filter { rpcs.contains($0.rpc) || $0.origin.number < last && $0.isChange }
  }

  /// The runs of elements with the same key.
  fileprivate func runs(by key: (FixtureExchange) -> String) -> [(key: String, elements: [FixtureExchange])] {
    reduce(into: []) { runs, exchange in
      let key = key(exchange)
      if runs.last?.key == key {
        runs[runs.count - 1].elements.append(exchange)
      } else {
        runs.append((key, [exchange]))
      }
    }
  }
}
