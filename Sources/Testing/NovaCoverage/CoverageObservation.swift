package import NovaCore

/// What one request tried.
package struct CoverageObservation: Sendable {
  package private(set) var points: Set<CoveragePoint> = []

  /// A request over HTTP.
  ///
  /// - Parameters:
  ///   - variables: the variables of the path.
  ///   - query: the query without its question mark.
  ///   - body: the body; nil if it is not known.
  ///   - status: the status of the response; nil without one.
  package init(
    _ rpc: RPCDescriptor, variables: [String: String], query: String, body: [UInt8]?, status: Int?
  ) {
    if let status { points.insert(CoveragePoint(.status(status), of: rpc.id, over: .http)) }
    let json = rpc.http.hasBody ? body.map { $0.isEmpty ? .object([]) : try? JSONValue(jsonUTF8: $0) } : .object([])
    var parameters: [String: [String]] = [:]
    if !rpc.http.hasBody {
      for pair in PercentEncoding.pairs(query) { parameters[pair.name, default: []].append(pair.value) }
    }
    let carrier: WayIn = rpc.http.hasBody ? .body : .query
    let message = try? HTTPTranscoder.message(
      rpc.requestType, rpc.http, variables: variables, query: query, body: body ?? [])
    if message == nil, body != nil {
      points.insert(CoveragePoint(.constraint(field: "", rule: CoverageRule.readable), of: rpc.id, over: carrier))
    }
    // The fields of a body that is not JSON are not known.
    guard let object = json ?? nil, object.memberList != nil else { return }
    add(rpc) { field in
      switch rpc.wayOverHTTP(of: field) {
      case .path: (variables[field.name].map { .string($0) }, .path)
      case .query: (Self.value(of: field) { parameters[$0] }, .query)
      default: (Self.value(of: field, in: object), .body)
      }
    }
  }

  /// A message over gRPC.
  ///
  /// - Parameters:
  ///   - message: the message; nil if it could not be decoded.
  ///   - status: the HTTP status that corresponds to the call's; nil without a response.
  package init(_ rpc: RPCDescriptor, message: (any ProtoMessage)?, status: Int?) {
    if let status { points.insert(CoveragePoint(.status(status), of: rpc.id, over: .grpc)) }
    guard let message, let object = try? JSONValue(jsonUTF8: message.jsonUTF8(.request)) else {
      points.insert(CoveragePoint(.constraint(field: "", rule: CoverageRule.readable), of: rpc.id, over: .grpc))
      return
    }
    add(rpc) { (Self.value(of: $0, in: object), .grpc) }
  }

  /// A WebSocket handshake.
  package init(_ rpc: RPCDescriptor, handshake status: Int?) {
    if let status { points.insert(CoveragePoint(.status(status), of: rpc.id, over: .socket)) }
  }

  /// - Parameter value: returns the value of a field, and how it came.
  private mutating func add(_ rpc: RPCDescriptor, value: (FieldDescriptor) -> (JSONValue?, WayIn)) {
    for field in rpc.requestType.descriptor.fields {
      let (value, way) = value(field)
      let isNull = value.map { $0 == .null } ?? true
      if !isNull { points.insert(CoveragePoint(.field(field.name), of: rpc.id, over: way)) }
      for rule in CoverageRule.broken(by: isNull ? nil : value, of: field) {
        points.insert(CoveragePoint(.constraint(field: field.name, rule: rule), of: rpc.id, over: way))
      }
    }
  }

  /// The value of a field in an object, under any of its names.
  private static func value(of field: FieldDescriptor, in object: JSONValue) -> JSONValue? {
    object[field.name] ?? object[field.jsonName] ?? field.aliases.lazy.compactMap { object[$0] }.first
  }

  private static func value(of field: FieldDescriptor, in parameters: (String) -> [String]?) -> JSONValue? {
    guard let values = parameters(field.name) ?? parameters(field.jsonName), let first = values.first else {
      return nil
    }
    return field.cardinality == .repeated ? .strings(values) : .string(first)
  }
}
