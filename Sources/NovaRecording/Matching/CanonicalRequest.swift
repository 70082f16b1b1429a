package import NovaCore

/// What a request asks for, in a form in which equal requests are equal values.
///
/// For an RPC of the contract that is its message, wherever its fields travel: names, forms of numbers, absent defaults
/// and the order of fields make no difference. What the contract does not know stays as it is and must be the same.
package struct CanonicalRequest: Sendable {
  /// The RPC, if there is one with this verb and path.
  package let rpc: RPCDescriptor?
  /// The verb, the path or RPC, and the content.
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
    // In order within a name, and by name: the order of different names says nothing.
    let names = Set(pairs.map(\.name)).sorted()
    if names.isEmpty { return nil }
    return .object(
      names.map { name in
        let values = pairs.filter { $0.name == name }.map { JSONValue.string($0.value) }
        return JSONValue.Member(name: name, value: values.count == 1 ? values[0] : .array(values))
      })
  }
}
