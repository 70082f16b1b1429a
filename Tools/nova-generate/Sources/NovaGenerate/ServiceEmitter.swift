/// Writes a package's RPC descriptors and its service's typed calls.
struct ServiceEmitter {
  let package: Package
  let service: Service

  private var rpcs: String { "\(package.swiftName)RPC" }

  func descriptors() -> String {
    var source = SourceText(imports: ["NovaCore"] + service.imports)
    source.add("", "/// The RPCs of `\(service.fullName)`.", "public enum \(rpcs) {")
    for method in service.methods { add(method, to: &source) }
    source.add("/// Every RPC, in the contract's order.", "public static let all: [RPCDescriptor] = [", depth: 1)
    for method in service.methods { source.add("\(method.swiftName).descriptor,", depth: 2) }
    source.add("]", depth: 1)
    source.add("}")
    return source.text
  }

  private func add(_ method: Method, to source: inout SourceText) {
    source.document(method.documentation, fallback: "`\(method.name)`.", depth: 1)
    source.add(
      "public static let \(method.swiftName) = RPC<\(method.request), \(method.response)>(", depth: 1)
    source.add(
      "service: \(SwiftNames.literal(package.shortName)), package: \(SwiftNames.literal(service.fullName)), "
        + "method: \(SwiftNames.literal(method.name)),", depth: 2)
    source.add("effect: .\(method.effect),", depth: 2)
    source.add("http: \(binding(method)),", depth: 2)
    if method.isServerStreaming { source.add("isServerStreaming: true,", depth: 2) }
    if !method.requiresAuthentication { source.add("requiresAuthentication: false,", depth: 2) }
    if let timeout = method.timeout { source.add("timeout: .seconds(\(timeout)),", depth: 2) }
    if let limit = method.pageLimit {
      let standard = limit.default.map(String.init) ?? "nil"
      source.add("pageLimit: PageLimit(default: \(standard), maximum: \(limit.maximum)),", depth: 2)
    }
    if let limit = method.batchLimit {
      source.add(
        "batchLimit: BatchLimit(field: \(SwiftNames.literal(limit.field)), maximum: \(limit.maximum)),", depth: 2)
    }
    if method.echoesRequest { source.add("echoesRequest: true,", depth: 2) }
    if let owner = method.itemOwner {
      source.add(
        "itemOwner: ItemOwner(field: \(SwiftNames.literal(owner.field)), "
          + "requestField: \(SwiftNames.literal(owner.requestField))),", depth: 2)
    }
    source.add("summary: \(SwiftNames.literal(summary(method))))", "", depth: 2)
  }

  private func binding(_ method: Method) -> String {
    guard let binding = method.binding else { return ".unbound" }
    var arguments = [".\(binding.method)", SwiftNames.literal(binding.path)]
    if binding.body == nil { arguments.append("hasBody: false") }
    if let field = binding.body, field != "*" { arguments.append("bodyField: \(SwiftNames.literal(field))") }
    if let field = binding.responseBody { arguments.append("responseField: \(SwiftNames.literal(field))") }
    if method.successStatus != 200 { arguments.append("successStatus: \(method.successStatus)") }
    if method.lowerCamelCase { arguments.append("names: .lowerCamelCase") }
    if method.int64AsString { arguments.append("writesInt64AsString: true") }
    return "HTTPBinding(\(arguments.joined(separator: ", ")))"
  }

  func calls() -> String {
    let name = package.serviceName
    var source = SourceText(imports: ["NovaCore"] + service.imports)
    source.add("")
    source.document(service.documentation, fallback: "`\(service.fullName)`.")
    source.add("public struct \(name): NovaService, \(name)Protocol {")
    source.add(
      "/// The client that carries the calls.", "public let client: APIClient",
      "/// The options of every call made through this value.", "public var options: CallOptions", "", depth: 1)
    source.add(
      "/// Creates the service on a client.",
      "public init(client: APIClient, options: CallOptions = CallOptions()) {", depth: 1)
    source.add("self.client = client", "self.options = options", depth: 2)
    source.add("}", depth: 1)
    for method in service.methods {
      source.add("")
      source.document(call: method)
      source.add("public \(method.signature) {", depth: 1)
      let normalized = method.list == nil ? "" : ".normalized(for: request)"
      let call = method.isServerStreaming ? "stream" : "call"
      source.add(
        "try await client.\(call)(\(rpcs).\(method.swiftName), request, options: options)\(normalized)", depth: 2)
      source.add("}", depth: 1)
    }
    source.add("}")
    return source.text
  }

  private func summary(_ method: Method) -> String {
    method.documentation.prefix { !$0.isEmpty }.joined(separator: " ")
  }
}
