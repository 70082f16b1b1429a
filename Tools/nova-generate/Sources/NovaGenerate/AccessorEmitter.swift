/// Writes an accessor for each service: `nova.graph`.
struct AccessorEmitter {
  let contract: Contract

  func source() -> String {
    let packages = contract.packages.filter { $0.module.isInRegistry && $0.service != nil }
    var source = SourceText(imports: Array(Set(["NovaCore"] + packages.map(\.module.name))))
    source.add(
      "",
      "/// A client with all services, such as `NovaClient`. The services make their calls with its client and its options.",
      "public protocol NovaServices {", "  /// The client that makes the calls.", "  var client: APIClient { get }",
      "  /// The options of the calls.", "  var options: CallOptions { get }", "}", "", "extension NovaServices {")
    for package in packages {
      if package.name != packages[0].name { source.add("") }
      let summary = package.service?.documentation.prefix { !$0.isEmpty } ?? []
      source.document(Array(summary), fallback: "`\(package.serviceName)`.", depth: 1)
      // Inlinable, because a generic accessor would look up the client and the options in each call.
      source.add(
        "@inlinable public var \(SwiftNames.escaped(name(of: package))): \(package.serviceName) {", depth: 1)
      source.add("\(package.serviceName)(client: client, options: options)", depth: 2)
      source.add("}", depth: 1)
    }
    source.add("}")
    return source.text
  }

  /// The name of the service's module without its prefix, `users`; the service's own if the module has several.
  private func name(of package: Package) -> String {
    let module = package.module.name
    let isAlone = contract.packages(ofModule: module).filter { $0.service != nil }.count == 1
    guard isAlone, module.hasPrefix("Nova") else { return SwiftNames.lowerCamelCase(package.shortName) }
    return SwiftNames.lowercasedFirst(String(module.dropFirst(4)))
  }
}
