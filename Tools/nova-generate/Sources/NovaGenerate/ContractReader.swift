import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// Turns protoc's descriptors and `gateway.yaml` into a ``Contract``, refusing what cannot be generated.
struct ContractReader {
  let descriptors: DescriptorSet
  let gateway: GatewayConfig
  /// The full names of messages that are requests.
  private let requests: Set<String>
  /// Batch limits by the full name of their field.
  private let batchMaximums: [String: Int]

  init(descriptors: DescriptorSet, gateway: GatewayConfig) {
    self.descriptors = descriptors
    self.gateway = gateway
    let methods = descriptors.files.flatMap(\.services).flatMap(\.methods)
    requests = Set(methods.map(\.inputType.fullName))
    var maximums: [String: Int] = [:]
    for method in methods {
      guard let limit = gateway.batchLimits[method.fullName] else { continue }
      maximums["\(method.inputType.fullName).\(limit.field)"] = limit.maximum
    }
    batchMaximums = maximums
  }

  func read() throws -> Contract {
    var contract = Contract()
    for file in descriptors.files where !file.package.hasPrefix("google.protobuf") {
      contract.packages.append(try package(file))
    }
    contract.packages.sort { $0.name < $1.name }
    for (one, next) in zip(contract.packages, contract.packages.dropFirst()) where one.name == next.name {
      throw GenerationError(file: next.file, place: next.name, reason: "is a second file of this package")
    }
    try NameCheck(contract: contract).run()
    try GatewayCheck(contract: contract, gateway: gateway, descriptors: descriptors).run()
    return contract
  }

  private func package(_ file: FileDescriptor) throws -> Package {
    guard file.edition == .proto3 else { throw error(file, at: file.package, "is not proto3") }
    guard !file.package.isEmpty else { throw error(file, at: "the file", "has no package") }
    guard file.extensions.isEmpty, file.messages.allSatisfy(\.extensions.isEmpty) else {
      throw error(file, at: file.package, "extends messages, which is not supported")
    }
    guard file.services.count <= 1 else {
      throw error(file, at: file.services[1].name, "is a second service; one per package is supported")
    }
    var imports: Set<String> = []
    for message in file.messages {
      try RecursionCheck.run(message)
      for field in message.fields {
        for used in field.typePackages where used != file.package && !used.hasPrefix("google.protobuf") {
          imports.insert(module(used).name)
        }
      }
    }
    imports.remove(module(file.package).name)
    imports.remove("NovaCore")
    return Package(
      name: file.package, shortName: SwiftNames.service(ofPackage: file.package), module: module(file.package),
      file: file.name, messages: try file.messages.map(message), enums: try file.enums.map(enumeration),
      service: try file.services.first.map(service), imports: imports,
      isLowerCamelCase: gateway.lowerCamelCasePackages.contains(file.package))
  }

  private func module(_ package: String) -> GatewayConfig.Module {
    if let module = gateway.modules[package] { return module }
    let name = "Nova" + SwiftNames.capitalised(SwiftNames.service(ofPackage: package))
    return GatewayConfig.Module(name: name, folder: "Sources/\(name)/Generated")
  }

  private func message(_ message: Descriptor) throws -> Message {
    if let nested = message.messages.first(where: { !$0.options.mapEntry }) {
      throw error(message.file, at: nested.fullName, "is nested; declare messages at top level")
    }
    if let nested = message.enums.first {
      throw error(message.file, at: nested.fullName, "is nested; declare enums at top level")
    }
    if let oneof = message.realOneofs.first {
      throw error(message.file, at: "\(message.name).\(oneof.name)", "is a oneof, which is not supported")
    }
    guard message.fields.count <= 64 else {
      throw error(message.file, at: message.name, "has \(message.fields.count) fields; at most 64 are supported")
    }
    return Message(
      name: message.name, fullName: message.fullName, documentation: documentation(message),
      fields: try message.fields.map { field in
        try FieldReader(
          field: field, gateway: gateway, batchMaximums: batchMaximums,
          isInRequest: requests.contains(message.fullName)
        ).read()
      })
  }

  private func enumeration(_ enumeration: EnumDescriptor) throws -> Enum {
    Enum(
      name: enumeration.name, fullName: enumeration.fullName, documentation: documentation(enumeration),
      values: enumeration.values.map { value in
        Enum.Value(
          name: value.name, swiftName: SwiftNames.enumCase(value.name, of: enumeration.name), number: value.number,
          documentation: documentation(value))
      })
  }

  private func service(_ service: ServiceDescriptor) throws -> Service {
    Service(
      fullName: service.fullName, documentation: documentation(service), methods: try service.methods.map(method),
      composedCalls: gateway.composedCalls[service.fullName] ?? [])
  }

  private func method(_ method: MethodDescriptor) throws -> Method {
    guard !method.clientStreaming else {
      throw error(method.file, at: method.fullName, "streams its requests, which is not supported")
    }
    guard let binding = gateway.bindings[method.fullName] else {
      throw GenerationError(file: "gateway.yaml", place: method.fullName, reason: "has no HTTP binding")
    }
    let types: [Descriptor] = [method.inputType, method.outputType]
    for type in types where type.file.package != method.file.package {
      throw error(
        method.file, at: method.fullName, "takes or returns \(type.fullName); messages of its own package are supported"
      )
    }
    let package = method.file.package
    let effect =
      switch method.options.idempotencyLevel {
      case .noSideEffects: "noSideEffects"
      case .idempotent: "idempotent"
      case .idempotencyUnknown: "notIdempotent"
      }
    return Method(
      name: method.name, documentation: documentation(method), request: method.inputType.name,
      response: method.outputType.name, effect: effect, binding: binding,
      endpointName: gateway.endpointNames[method.fullName] ?? SwiftNames.lowercasedFirst(method.name),
      successStatus: gateway.successStatus[method.fullName] ?? 200, isServerStreaming: method.serverStreaming,
      requiresAuthentication: !gateway.unauthenticated.contains(method.fullName),
      lowerCamelCase: gateway.lowerCamelCasePackages.contains(package), int64AsString: gateway.int64AsString,
      timeout: gateway.timeouts[package], pageLimit: gateway.pageLimits[method.fullName],
      batchLimit: gateway.batchLimits[method.fullName], list: gateway.lists[method.fullName])
  }

  private func error(_ file: FileDescriptor, at place: String, _ reason: String) -> GenerationError {
    GenerationError(file: file.name, place: place, reason: reason)
  }
}

extension SwiftProtobufPluginLibrary.FieldDescriptor {
  /// The packages of the message or enum this field holds, map values included.
  fileprivate var typePackages: [String] {
    if let entry = mapEntry { return entry.value.typePackages }
    return [messageType?.file.package, enumType?.file.package].compactMap(\.self)
  }

  /// Key and value, if the field is a map.
  var mapEntry: (key: SwiftProtobufPluginLibrary.FieldDescriptor, value: SwiftProtobufPluginLibrary.FieldDescriptor)? {
    isMap ? messageType.mapKeyAndValue : nil
  }
}

/// The leading comment as lines without their slashes.
func documentation(_ element: some ProvidesSourceCodeLocation) -> [String] {
  guard let comment = element.sourceCodeInfoLocation?.leadingComments else { return [] }
  // By any line break: in a file with CRLF, "\n" alone separates nothing, and the rest would be code.
  var lines = comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
    String(line.hasPrefix(" ") ? line.dropFirst() : line)
  }
  while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
  return lines
}

/// A struct that holds itself has no size.
private enum RecursionCheck {
  static func run(_ message: Descriptor) throws { try visit(message, [message.fullName]) }

  private static func visit(_ message: Descriptor, _ path: [String]) throws {
    for field in message.fields where !field.isRepeated {
      guard let inner = field.messageType else { continue }
      guard !path.contains(inner.fullName) else {
        throw GenerationError(
          file: message.file.name, place: "\(message.name).\(field.name)",
          reason: "makes \(inner.name) contain itself; only repeated fields may do that")
      }
      try visit(inner, path + [inner.fullName])
    }
  }
}
