package import NovaCore

/// A request in canonical form: equivalent requests have equal values.
///
/// For an RPC of the contract the value is its message: names, formats of numbers, absent defaults, and the order of
/// fields make no difference. Unknown fields must be equal.
package struct CanonicalRequest: Sendable {
  /// The RPC with the request's method and path, if any.
  package let rpc: RPCDescriptor?
  /// The method and path, or the RPC, with the content.
  package let value: JSONValue

  package init(_ request: HTTPRequest) {
    self.init(
      method: request.method, path: request.url.path, query: request.url.query ?? "", body: request.body.inMemory)
  }

  init(method: HTTPMethod, path: String, query: String, body: [UInt8]) {
    let contract = ContractMessages.nova
    let route = contract.routes.route(method, path)
    rpc = route?.rpc
    if let route, let message = contract.message(route, query: query, body: body) {
      value = .members(("rpc", .string(route.rpc.id)), ("request", message))
    } else {
      value = .members(
        ("method", .string(method.rawValue)),
        ("path", .string(PercentEncoding.decode(RPCRoutes.pathOnGateway(path) ?? path) ?? path)),
        ("query", Self.query(query)), ("body", RecordedBody(body).canonical))
    }
  }

  private static func query(_ query: String) -> JSONValue? {
    let pairs = PercentEncoding.pairs(query)
    // Sorted by name, because only the order of values of one name matters.
    let names = Set(pairs.map(\.name)).sorted()
    if names.isEmpty { return nil }
    return .object(
      names.map { name in
        let values = pairs.filter { $0.name == name }.map { JSONValue.string($0.value) }
        return JSONValue.Member(name: name, value: values.count == 1 ? values[0] : .array(values))
      })
  }
}
