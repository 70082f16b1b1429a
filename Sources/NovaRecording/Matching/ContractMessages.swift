package import NovaCore
import NovaRegistry

/// Reads JSON as the contract's messages, and writes them in the one form in which they are compared.
package struct ContractMessages: Sendable {
  package static let nova = ContractMessages(.nova)

  let registry: RPCRegistry
  let routes: RPCRoutes

  init(_ registry: RPCRegistry) {
    self.registry = registry
    routes = RPCRoutes(registry)
  }

  /// The message of a request; nil for what does not fit the contract.
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
      // No field of such an RPC stands in a query, so none may go unnoticed.
      raw += pairs.map { JSONValue.Member(name: "?\($0.name)", value: $0.value) }
    } else {
      raw += pairs
    }
    return canonical(message, raw: .object(raw))
  }

  /// The message in one form: names of `Proto/`, defaults written, and what `raw` has besides.
  ///
  /// - Parameter raw: the JSON that the message was read from.
  package func canonical(_ message: any ProtoMessage, raw: JSONValue) -> JSONValue? {
    guard let bytes = try? message.jsonUTF8(.response), let json = try? JSONValue(jsonUTF8: bytes) else { return nil }
    return withUnknown(json, raw, type(of: message).descriptor)
  }

  /// Adds to `known` the members of `raw` that the message does not have.
  private func withUnknown(_ known: JSONValue, _ raw: JSONValue, _ message: MessageDescriptor) -> JSONValue {
    guard var members = known.memberList, let rawMembers = raw.memberList else { return known }
    for member in rawMembers {
      guard let field = message.field(named: member.name) else {
        members.append(member)
        continue
      }
      guard case .message(let name) = field.kind, let inner = registry.message(named: name)?.descriptor,
        let place = members.firstIndex(where: { $0.name == field.name })
      else { continue }
      members[place].value = withUnknown(members[place].value, member.value, inner, field.cardinality)
    }
    return .object(members)
  }

  private func withUnknown(
    _ known: JSONValue, _ raw: JSONValue, _ message: MessageDescriptor, _ cardinality: FieldCardinality
  ) -> JSONValue {
    switch (cardinality, known, raw) {
    case (.repeated, .array(let known), .array(let raw)) where known.count == raw.count:
      .array(zip(known, raw).map { withUnknown($0, $1, message) })
    case (.map, .object(let known), .object):
      .object(
        known.map { member in
          let value = raw[member.name].map { withUnknown(member.value, $0, message) }
          return JSONValue.Member(name: member.name, value: value ?? member.value)
        })
    default: withUnknown(known, raw, message)
    }
  }

  /// The names of what is secret in an RPC's messages, at any depth, as ``SecretText/plain(_:)`` has them.
  package func secretNames(_ rpc: RPCDescriptor?) -> Set<String> {
    guard let rpc else { return [] }
    var seen: Set<String> = []
    var names: Set<String> = []
    var waiting = [rpc.requestType.descriptor, rpc.responseType.descriptor]
    while let message = waiting.popLast() {
      guard seen.insert(message.name).inserted else { continue }
      names.formUnion(SecretText.names(in: message))
      for field in message.fields {
        if case .message(let name) = field.kind, let type = registry.message(named: name) {
          waiting.append(type.descriptor)
        }
      }
    }
    return names
  }
}

/// Finds the RPC that a request is a call of.
struct RPCRoutes: Sendable {
  /// A call's RPC, and the fields that stand in its path.
  struct Route: Sendable {
    let rpc: RPCDescriptor
    let variables: [String: String]
  }

  private let router: RPCRouter

  init(_ registry: RPCRegistry) { router = RPCRouter(registry) }

  /// The RPC with this verb and path; a gateway may stand below a path of its own, which does not count.
  func route(_ method: HTTPMethod, _ path: String) -> Route? {
    if let route = exactRoute(method, path) { return route }
    guard let inner = Self.pathOnGateway(path), inner != path else { return nil }
    return exactRoute(method, inner)
  }

  /// The path from `/api/` on.
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
