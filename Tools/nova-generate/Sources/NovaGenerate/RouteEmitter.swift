/// Writes the routes of a mock backend whose answers are an implementation of the service's protocol.
struct RouteEmitter {
  let package: Package
  let service: Service

  func source() -> String {
    var source = SourceText(imports: [package.module.name, "NovaTesting"])
    source.add(
      "", "extension \(package.serviceName)Protocol {",
      "  /// The routes of a mock backend that answers with this implementation, for ``ServiceTransport``.")
    let streams = service.methods.filter { $0.binding != nil && $0.isServerStreaming }.map { "`\($0.name)`" }
    if !streams.isEmpty {
      source.add("///", "/// Without the streams: \(streams.joined(separator: ", ")).", depth: 1)
    }
    // A class can implement several services.
    let name = SwiftNames.lowercasedFirst(package.swiftName)
    source.add("public var \(name)Routes: [ServiceRoute] {", "  [", depth: 1)
    for method in service.methods where method.binding != nil && !method.isServerStreaming {
      source.add(
        "ServiceRoute(\(package.swiftName)RPC.\(method.swiftName)) { try await self.\(method.swiftName)($0) },",
        depth: 3)
    }
    source.add("  ]", "}", depth: 1)
    source.add("}")
    return source.text
  }
}
