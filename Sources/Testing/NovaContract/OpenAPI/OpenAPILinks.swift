import NovaCore
import NovaRegistry

/// The links of an operation that creates a record, to the operations that need its ID.
struct OpenAPILinks {
  private let rpc: RPCDescriptor
  private let registry: RPCRegistry
  private let texts: ContractTexts

  init(of rpc: RPCDescriptor, in registry: RPCRegistry, texts: ContractTexts) {
    (self.rpc, self.registry, self.texts) = (rpc, registry, texts)
  }

  /// The links by the operations to which they lead; nil for none.
  var json: JSONValue? {
    guard let created else { return nil }
    var links = registry.rpcs.compactMap { target in
      link(to: target, created).map { JSONValue.Member(name: target.id, value: $0) }
    }
    // Bytes are sent to an operation that is no RPC.
    if created.key == "upload_id" {
      let link: JSONValue = ["operationId": "media.UploadBytes", "parameters": ["id": .string(created.expression)]]
      links.append(.init(name: "media.UploadBytes", value: link))
    }
    return links.isEmpty ? nil : .object(links)
  }

  private struct Created {
    /// The name that requests have for its ID: `post_id`.
    let key: String
    /// Where the response has the ID.
    let expression: String
  }

  /// The record that the operation creates: one whose ID is in the response and not in the request.
  private var created: Created? {
    guard rpc.effect != .noSideEffects, !rpc.isServerStreaming, rpc.http.responseField == nil else { return nil }
    let response = rpc.responseType.descriptor
    if let id = response.field(named: "id") {
      return created(response, expression: "$response.body#/\(id.writtenName(rpc.http.names))")
    }
    for field in response.fields where field.cardinality == .singular || field.cardinality == .optional {
      guard let name = field.messageName, let record = registry.message(named: name)?.descriptor,
        let id = record.field(named: "id")
      else { continue }
      let path = "\(field.writtenName(rpc.http.names))/\(id.writtenName(rpc.http.names))"
      return created(record, expression: "$response.body#/\(path)")
    }
    return nil
  }

  private func created(_ record: MessageDescriptor, expression: String) -> Created? {
    let key = "\((record.name.split(separator: ".").last ?? "").lowercased())_id"
    let request = rpc.requestType.descriptor
    // A user is who calls, and every request names one.
    guard key != "user_id", request.field(named: key) == nil, variables(of: rpc).isEmpty else { return nil }
    return Created(key: key, expression: expression)
  }

  private func link(to target: RPCDescriptor, _ created: Created) -> JSONValue? {
    let request = target.requestType.descriptor
    guard target.id != rpc.id else { return nil }
    if variables(of: target) == ["id"], target.package == rpc.package {
      return ["operationId": .string(target.id), "parameters": ["id": .string(created.expression)]]
    }
    guard let field = request.field(named: created.key), texts.isRequired(field, in: request) else { return nil }
    var values = [JSONValue.Member(name: field.writtenName(target.http.names), value: .string(created.expression))]
    if rpc.http.hasBody { values += shared(with: target) }
    return [
      "operationId": .string(target.id), "requestBody": target.http.hasBody ? .object(values) : nil,
      "parameters": target.http.hasBody ? nil : .object(values),
    ]
  }

  /// What both requests require, such as the ID of the caller.
  private func shared(with target: RPCDescriptor) -> [JSONValue.Member] {
    let (own, other) = (rpc.requestType.descriptor, target.requestType.descriptor)
    return other.fields.filter { $0.name.hasSuffix("_id") && texts.isRequired($0, in: other) }.compactMap {
      field -> JSONValue.Member? in
      guard let same = own.field(named: field.name), texts.isRequired(same, in: own) else { return nil }
      let expression = "$request.body#/\(same.writtenName(rpc.http.names))"
      return .init(name: field.writtenName(target.http.names), value: .string(expression))
    }
  }

  private func variables(of rpc: RPCDescriptor) -> [String] { PathTemplate(rpc.http.path).variables }
}
