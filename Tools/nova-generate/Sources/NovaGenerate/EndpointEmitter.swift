/// Writes every RPC's path as a constant: `APIConfig.Graph.followers`.
struct EndpointEmitter {
  let contract: Contract

  func source() -> String {
    var source = SourceText(imports: [])
    source.add(
      "", "/// The gateway's paths, by service and name: `APIConfig.Graph.followers`.", "public enum APIConfig {")
    for package in contract.packages {
      guard let service = package.service else { continue }
      if package.name != contract.packages.first(where: { $0.service != nil })?.name { source.add("") }
      source.add("/// The paths of `\(service.fullName)`.", "public enum \(package.swiftName) {", depth: 1)
      for method in service.methods { add(method, to: &source) }
      source.add("}", depth: 1)
    }
    source.add("}")
    return source.text
  }

  private func add(_ method: Method, to source: inout SourceText) {
    guard let binding = method.binding else { return }
    let (name, path) = (SwiftNames.escaped(method.endpointName), SwiftNames.literal(binding.path))
    source.add("/// `\(method.name)`, with \(binding.method.uppercased()).", depth: 2)
    source.add("public static let \(name) = \(path)", depth: 2)
  }
}
