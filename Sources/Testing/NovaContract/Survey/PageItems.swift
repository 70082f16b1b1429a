import NovaCore

/// The items of a page, to compare pages with.
enum PageItems {
  /// Whether a page that follows another one begins with the same item.
  static func areRepeated(_ first: HTTPResponse?, _ second: HTTPResponse?, of rpc: RPCDescriptor) -> Bool {
    guard let first = first.flatMap({ self.first(in: $0, of: rpc) }) else { return false }
    return first == second.flatMap { self.first(in: $0, of: rpc) }
  }

  /// How many items the list of a response has; nil if it is none.
  static func count(in response: HTTPResponse, of rpc: RPCDescriptor) -> Int? {
    guard let json = Self.json(of: response, rpc) else { return nil }
    let lists = rpc.responseType.descriptor.fields.filter { $0.cardinality == .repeated }
    return lists.compactMap { json[$0.name]?.elements?.count }.max()
  }

  /// How many items a list has in total; nil if the response does not say so.
  static func total(in response: HTTPResponse, of rpc: RPCDescriptor) -> Int? {
    let json = Self.json(of: response, rpc)
    return (json?["total_count"] ?? json?["total"])?.integerValue
  }

  private static func json(of response: HTTPResponse, _ rpc: RPCDescriptor) -> JSONValue? {
    guard response.isSuccess,
      let message = ReadableParts.response(rpc.responseType, from: response.body.inMemory, rpc.http)
    else { return nil }
    return JSONValue(message)
  }

  private static func first(in response: HTTPResponse, of rpc: RPCDescriptor) -> JSONValue? {
    guard let json = Self.json(of: response, rpc) else { return nil }
    let lists = rpc.responseType.descriptor.fields.filter { $0.cardinality == .repeated }
    guard let item = lists.lazy.compactMap({ json[$0.name]?.elements?.first }).first else { return nil }
    // Counts can change between two requests. Items without their ID, which is a difference of its own, are not the same.
    guard let id = item["id"], id != "" else { return item }
    return id
  }
}
