public import NovaCore
public import NovaRegistry

/// The contract as an OpenAPI 3.1 document: each RPC with its messages, limits, errors, and authentication.
///
/// The document is computed from the descriptors of the contract, and is the same for the same registry and servers.
///
/// ```swift
/// let document = OpenAPIDocument(servers: [.init(url: "http://localhost:8080")])
/// let json = document.json.jsonUTF8
/// ```
public struct OpenAPIDocument: Sendable {
  /// Where the described gateway is.
  public struct Server: Sendable, Hashable {
    /// The base URL, without a slash at the end.
    public let url: String
    /// The purpose of the server; nil for no description.
    public let description: String?

    /// Creates a server.
    public init(url: String, description: String? = nil) { (self.url, self.description) = (url, description) }

    /// The gateways of the built-in environments.
    public static let environments: [Server] = [APIEnvironment.development, .staging, .production].compactMap {
      environment in
      let configuration = try? APIConfiguration(ConfigurationOverrides(environment: environment))
      return configuration.map { Server(url: $0.baseURL.text, description: "\(environment)") }
    }
  }

  private let registry: RPCRegistry
  private let servers: [Server]
  private let requiresTokens: Bool
  private let texts = ContractTexts.nova

  /// Describes all RPCs of a registry.
  ///
  /// - Parameters:
  ///   - registry: the RPCs. Default: those of the contract.
  ///   - servers: the gateways. Default: those of the built-in environments.
  ///   - requiresTokens: whether calls that need a token in the contract fail without one. Default: true; false describes
  ///     `nova serve` without `--require-tokens`.
  public init(
    _ registry: RPCRegistry = .nova, servers: [Server] = Server.environments, requiresTokens: Bool = true
  ) {
    (self.registry, self.servers, self.requiresTokens) = (registry, servers, requiresTokens)
  }

  /// The document.
  public var json: JSONValue {
    let schemas = OpenAPISchemas(registry, texts)
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "NovaSocial gateway", "version": "1.0.0",
        "summary": "HTTP/JSON in front of the gRPC services of NovaSocial.", "description": .string(Self.conventions),
      ],
      "servers": .array(
        servers.map { ["url": .string($0.url), "description": $0.description.map { .string($0) }] }),
      "tags": .array(tags),
      "security": requiresTokens ? [OpenAPISecurity.bearer] : [[:], OpenAPISecurity.bearer],
      "paths": .object(paths(schemas)),
      "components": [
        "schemas": .object(schemas.components + (OpenAPIErrors.schemas.memberList ?? [])),
        "responses": OpenAPIErrors.responses,
        "parameters": OpenAPIHeaders.parameters,
        "headers": OpenAPIHeaders.responseHeaders,
        "securitySchemes": OpenAPISecurity.schemes,
      ],
    ]
  }

  private static let conventions = """
    Schemas of requests describe what clients should send. Servers also read lowerCamelCase names, 64-bit integers as \
    decimal strings, `null` as an absent field, and ignore unknown fields. Schemas of responses describe what the gateway \
    writes. A text with a set of known values can have others in future responses.

    Length limits count characters as people do (extended grapheme clusters). `maxLength` counts code points, and is \
    therefore stricter for some emoji and accents.

    Times are Unix seconds unless their schema says otherwise. Clients can retry operations without side effects \
    (`x-nova-effect: noSideEffects`) and idempotent ones, and all others with the same `Idempotency-Key`. Responses with \
    429 and 503 can have a `Retry-After`.
    """

  private var tags: [JSONValue] {
    registry.services.map { service in
      let paragraphs = texts.comment(of: service.package)
      return [
        "name": .string(service.name),
        "description": paragraphs.isEmpty ? nil : .string(paragraphs.joined(separator: "\n\n")),
      ]
    }
  }

  /// All paths, in the contract's order.
  private func paths(_ schemas: OpenAPISchemas) -> [JSONValue.Member] {
    var paths: [JSONValue.Member] = []
    func add(_ operation: JSONValue, _ method: String, at path: String) {
      let member = JSONValue.Member(name: method, value: operation)
      if let index = paths.firstIndex(where: { $0.name == path }) {
        paths[index] = .init(name: path, value: .object((paths[index].value.memberList ?? []) + [member]))
      } else {
        paths.append(.init(name: path, value: .object([member])))
      }
    }
    for rpc in registry.rpcs {
      let operation = OpenAPIOperation(rpc, schemas: schemas, texts: texts)
      add(operation.json, rpc.http.method.rawValue.lowercased(), at: operation.path)
    }
    for (path, method, operation) in OpenAPIMedia(registry, schemas).operations { add(operation, method, at: path) }
    return paths
  }
}

extension RPCRegistry {
  /// The services with the full names of their packages, in the contract's order.
  fileprivate var services: [(name: String, package: String)] {
    var services: [(name: String, package: String)] = []
    for rpc in rpcs where services.last?.name != rpc.service { services.append((rpc.service, rpc.package)) }
    return services
  }
}

/// How operations are authenticated.
enum OpenAPISecurity {
  static let bearer: JSONValue = ["bearer": []]

  static let schemes: JSONValue = [
    "bearer": [
      "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
      "description": "The access token of `auth.Login` or `auth.Register`, valid for an hour.",
    ]
  ]
}
