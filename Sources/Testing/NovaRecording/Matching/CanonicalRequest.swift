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

  package init(_ request: HTTPRequest) { self.init(request, RecordedBody(request.body.inMemory)) }

  /// - Parameter content: the body, which need not be in memory.
  init(_ request: HTTPRequest, _ content: RecordedBody) {
    self.init(method: request.method, path: request.url.path, query: request.url.query ?? "", content: content)
  }

  init(method: HTTPMethod, path: String, query: String, content: RecordedBody) {
    let contract = ContractMessages.nova
    let route = contract.routes.route(method, path)
    rpc = route?.rpc
    if let route, let message = contract.message(route, query: query, body: content.bytes) {
      value = ["rpc": .string(route.rpc.id), "request": message]
    } else {
      value = [
        "method": .string(method.rawValue),
        "path": .string(PercentEncoding.decode(RPCRoutes.pathOnGateway(path) ?? path) ?? path),
        "query": .parameters(query) { $0.count == 1 ? $0[0] : .array($0) }, "body": content.canonical,
      ]
    }
  }
}

extension JSONValue {
  /// The parameters of a query; nil for none. `value` gets all values of a name.
  static func parameters(_ query: String, _ value: ([JSONValue]) -> JSONValue) -> JSONValue? {
    let pairs = PercentEncoding.pairs(query)
    if pairs.isEmpty { return nil }
    // Sorted by name, because only the order of values of one name matters.
    return .object(
      Set(pairs.map(\.name)).sorted().map { name in
        Member(name: name, value: value(pairs.filter { $0.name == name }.map { .string($0.value) }))
      })
  }
}
