/// Writes what a service's callers may ask of it, so that something else can stand in for it: a protocol, and a fake.
struct ProtocolEmitter {
  let package: Package
  let service: Service

  func source() -> String {
    var source = SourceText(imports: ["NovaCore"] + service.imports)
    source.add("")
    source.document(service.documentation, fallback: "`\(service.fullName)`.")
    source.add(
      "///",
      "/// ``\(package.serviceName)`` makes these calls; tests can use another implementation. A call that an",
      "/// implementation leaves out throws an ``APIError`` with the code `unimplemented`.")
    source.add("public protocol \(package.serviceName)Protocol: ServiceProtocol {")
    for (index, call) in service.calls.enumerated() {
      if index > 0 { source.add("") }
      source.document(call: call)
      source.add(call.signature, depth: 1)
    }
    source.add("}")
    addDefaults(to: &source)
    return source.text
  }

  private func addDefaults(to source: inout SourceText) {
    source.add("", "extension \(package.serviceName)Protocol {")
    for (index, call) in service.calls.enumerated() {
      if index > 0 { source.add("") }
      source.document(call: call)
      source.add("public \(call.signature) {", depth: 1)
      source.add(
        "throw APIError(unimplemented: \(SwiftNames.literal("\(package.shortName).\(call.name)")), by: self)", depth: 2)
      source.add("}", depth: 1)
    }
    source.add("}")
  }

  /// - Parameter module: where it goes.
  func fake(in module: String) -> String {
    let name = "Fake\(package.serviceName)"
    var source = SourceText(
      imports: [package.module.name] + service.imports.union(service.typeImports) + ["NovaCore"]
        + (module == "NovaTesting" ? [] : ["NovaTesting"]))
    source.add(
      "",
      "/// Replaces ``\(package.serviceName)`` in tests: records every call and returns the responses that you set; see",
      "/// ``FakeService``.",
      "public final class \(name): \(package.serviceName)Protocol, FakeService {")
    source.add("public let log: FakeLog", "private let options: CallOptions", depth: 1)
    for call in service.calls {
      source.add("/// The responses of `\(call.name)`, and the requests it received.", depth: 1)
      source.add("public let \(call.swiftName): FakeRPC<\(call.request), \(call.result)>", depth: 1)
    }
    addInitialiser(to: &source)
    for call in service.calls {
      source.add("", "public \(call.signature) {", depth: 1)
      source.add("try await self.\(call.swiftName).answer(request, options: options)", depth: 2)
      source.add("}", depth: 1)
    }
    source.add("}")
    return source.text
  }

  /// A copy has the responses and the log of its original.
  private func addCopy(to source: inout SourceText) {
    let name = "Fake\(package.serviceName)"
    source.add("", "private init(_ fake: \(name), options: CallOptions) {", depth: 1)
    source.add("self.log = fake.log", "self.options = options", depth: 2)
    for call in service.calls { source.add("self.\(call.swiftName) = fake.\(call.swiftName)", depth: 2) }
    source.add("}", depth: 1)
    source.add(
      "", "/// Returns a fake with the same responses and log, whose calls are recorded with changed options.",
      "public func with(_ change: (inout CallOptions) throws -> Void) rethrows -> \(name) {", depth: 1)
    source.add(
      "var options = options", "try change(&options)", "return \(name)(self, options: options)", depth: 2)
    source.add("}", depth: 1)
  }

  private func addInitialiser(to source: inout SourceText) {
    source.add(
      "", "/// Creates a fake whose calls fail until you set a response.", "///",
      "/// - Parameter log: where calls are recorded. Default: a new log. Fakes that share a log share one order of calls.",
      "public init(log: FakeLog = FakeLog()) {", depth: 1)
    source.add("self.log = log", "self.options = CallOptions()", depth: 2)
    for call in service.calls {
      let id = SwiftNames.literal("\(package.shortName).\(call.name)")
      source.add("self.\(call.swiftName) = FakeRPC(\(id), log: log)", depth: 2)
    }
    source.add("}", depth: 1)
    addCopy(to: &source)
  }
}
