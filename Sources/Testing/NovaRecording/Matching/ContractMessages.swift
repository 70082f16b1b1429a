package import NovaCore
import NovaRegistry

/// Decodes JSON as the contract's messages, and encodes them in the canonical form for comparisons.
package struct ContractMessages: Sendable {
  package static let nova = ContractMessages(.nova)

  let registry: RPCRegistry
  let routes: RPCRoutes
  /// Names and paths, which are no secrets.
  package let words: ContractWords

  init(_ registry: RPCRegistry) {
    self.registry = registry
    routes = RPCRoutes(registry)
    words = ContractWords(registry)
  }

  /// Returns the message of a request; nil if it does not match the contract.
  func message(_ route: RPCRoutes.Route, query: String, body: [UInt8]) -> JSONValue? {
    let rpc = route.rpc
    guard
      let message = try? HTTPTranscoder.message(
        rpc.requestType, rpc.http, variables: route.variables, query: query, body: body)
    else { return nil }
    var raw = route.variables.sorted { $0.key < $1.key }
      .map { JSONValue.Member(name: $0.key, value: .string($0.value)) }
    let pairs = PercentEncoding.pairs(query).map { JSONValue.Member(name: $0.name, value: .string($0.value)) }
    if rpc.http.hasBody {
      raw += (try? JSONValue(jsonUTF8: body))?.memberList ?? []
      // Such an RPC has no query parameters, so any parameter is a difference.
      raw += pairs.map { JSONValue.Member(name: "?\($0.name)", value: $0.value) }
    } else {
      raw += pairs
    }
    return canonical(message, raw: .object(raw))
  }

  /// Returns the canonical form of a message: names of `Proto/`, default values, and the unknown members of `raw`.
  ///
  /// - Parameter raw: the JSON of the message.
  package func canonical(_ message: any ProtoMessage, raw: JSONValue) -> JSONValue? {
    guard let bytes = try? message.jsonUTF8(.response), let json = try? JSONValue(jsonUTF8: bytes) else { return nil }
    return withUnknown(json, from: raw, message: type(of: message).descriptor)
  }

  /// Adds the members of `raw` that the message does not have to `known`.
  private func withUnknown(_ known: JSONValue, from raw: JSONValue, message: MessageDescriptor) -> JSONValue {
    guard var members = known.memberList, let rawMembers = raw.memberList else { return known }
    for member in rawMembers {
      guard let field = message.field(named: member.name) else {
        members.append(member)
        continue
      }
      guard case .message(let name) = field.kind, let inner = registry.message(named: name)?.descriptor,
        let place = members.firstIndex(where: { $0.name == field.name })
      else { continue }
      members[place].value = withUnknown(
        members[place].value, from: member.value, message: inner, cardinality: field.cardinality)
    }
    return .object(members)
  }

  private func withUnknown(
    _ known: JSONValue, from raw: JSONValue, message: MessageDescriptor, cardinality: FieldCardinality
  ) -> JSONValue {
    switch (cardinality, known, raw) {
    case (.repeated, .array(let known), .array(let raw)) where known.count == raw.count:
      .array(zip(known, raw).map { withUnknown($0, from: $1, message: message) })
    case (.map, .object(let known), .object):
      .object(
        known.map { member in
          let value = raw[member.name].map { withUnknown(member.value, from: $0, message: message) }
          return JSONValue.Member(name: member.name, value: value ?? member.value)
        })
    default: withUnknown(known, from: raw, message: message)
    }
  }

  /// Returns the names of secret fields in an RPC's messages, at any depth, as ``SecretText/plain(_:)`` returns them.
  package func secretNames(_ rpc: RPCDescriptor?) -> Set<String> {
    guard let rpc else { return [] }
    return SecretText.names(in: rpc.requestType).union(SecretText.names(in: rpc.responseType))
  }
}

/// Finds the RPC of a request.
struct RPCRoutes: Sendable {
  /// A call's RPC with its path variables.
  struct Route: Sendable {
    let rpc: RPCDescriptor
    let variables: [String: String]
  }

  private let router: RPCRouter

  init(_ registry: RPCRegistry) { router = RPCRouter(registry) }

  /// Returns the RPC with a method and path, ignoring a path prefix of the gateway.
  func route(_ method: HTTPMethod, _ path: String) -> Route? {
    if let route = exactRoute(method, path) { return route }
    guard let inner = Self.pathOnGateway(path), inner != path else { return nil }
    return exactRoute(method, inner)
  }

  /// Returns the path from `/api/` on.
  static func pathOnGateway(_ path: String) -> String? {
    var rest = path[...]
    while !rest.isEmpty {
      if rest.hasPrefix("/api/") { return String(rest) }
      rest = rest.dropFirst()
    }
    return nil
  }

  private func exactRoute(_ method: HTTPMethod, _ path: String) -> Route? {
    guard case .rpc(let rpc, let variables) = router.route(method, path) else { return nil }
    return Route(rpc: rpc, variables: variables)
  }
}
