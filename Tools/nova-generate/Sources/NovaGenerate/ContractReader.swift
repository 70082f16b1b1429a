import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// Turns protoc's descriptors and `gateway.yaml` into a ``Contract``, refusing what cannot be generated.
struct ContractReader {
  let descriptors: DescriptorSet
  let gateway: GatewayConfig
  private let types: TypeNames
  /// The full names of messages that are requests.
  private let requests: Set<String>
  /// Batch limits by the full name of their field.
  private let batchLimits: [String: GatewayConfig.BatchLimit]

  init(descriptors: DescriptorSet, gateway: GatewayConfig) {
    self.descriptors = descriptors
    self.gateway = gateway
    types = TypeNames(gateway: gateway)
    let methods = descriptors.files.flatMap(\.services).flatMap(\.methods)
    requests = Set(methods.map(\.inputType.fullName))
    var batchLimits: [String: GatewayConfig.BatchLimit] = [:]
    for method in methods {
      guard let limit = gateway.batchLimits[method.fullName] else { continue }
      batchLimits["\(method.inputType.fullName).\(limit.field)"] = limit
    }
    self.batchLimits = batchLimits
  }

  func read() throws -> Contract {
    var contract = Contract()
    let files = FileSelection(descriptors).files
    for package in Set(files.map(\.package)).sorted() {
      contract.packages += try packages(files.filter { $0.package == package })
    }
    try NameCheck(contract: contract).run()
    try GatewayCheck(contract: contract, gateway: gateway, descriptors: descriptors).run()
    return contract
  }

  /// The files of one package. Its only service is named after the package; several keep their own names, each with files
  /// of its own.
  private func packages(_ files: [FileDescriptor]) throws -> [Package] {
    for file in files { try check(file) }
    guard let name = files.first?.package else { return [] }
    let messages = files.flatMap(\.messages).flatMap(\.withNested)
    let enums = files.flatMap(\.enums) + messages.flatMap(\.enums)
    var whole = Package(
      name: name, shortName: SwiftNames.service(ofPackage: name), module: types.module(name),
      file: files.map(\.name).joined(separator: ", "), messages: try messages.map(message),
      enums: enums.map(enumeration), imports: imports(of: messages, in: name),
      isLowerCamelCase: gateway.isLowerCamelCase(name))
    var others: [Package] = []
    let services = files.flatMap(\.services)
    for service in services {
      var part = whole
      (part.messages, part.enums, part.imports, part.file) = ([], [], [], service.file.name)
      part.shortName = SwiftNames.lowercasedFirst(SwiftNames.stem(ofService: service.name))
      part.service = try self.service(service)
      if services.count == 1 || part.swiftName.lowercased() == whole.swiftName.lowercased() {
        whole.service = part.service
      } else {
        others.append(part)
      }
    }
    return (whole.hasMessages || whole.service != nil ? [whole] : []) + others
  }

  private func check(_ file: FileDescriptor) throws {
    guard file.edition == .proto3 else { throw error(file, at: file.package, "is not proto3") }
    guard !file.package.isEmpty else { throw error(file, at: "the file", "has no package") }
  }

  /// The modules of the fields' types.
  private func imports(of messages: [Descriptor], in package: String) -> Set<String> {
    let used = messages.flatMap(\.fields).flatMap(\.typePackages).filter { !$0.hasPrefix("google.protobuf") }
    return Set(used.map { types.module($0).name }).subtracting([types.module(package).name, "NovaCore"])
  }

  /// The modules of the requests' and responses' types.
  private func imports(of service: ServiceDescriptor) -> Set<String> {
    let used = service.methods.flatMap { [$0.inputType, $0.outputType] }.compactMap(\.self).filter { !$0.isWellKnown }
    return Set(used.map { types.module($0.file.package).name })
      .subtracting([types.module(service.file.package).name, "NovaCore"])
  }

  private func message(_ message: Descriptor) throws -> Message {
    Message(
      name: types.name(of: message), fullName: message.fullName, documentation: documentation(message),
      fields: try message.fields.map { field in
        try FieldReader(
          field: field, gateway: gateway, batchLimits: batchLimits,
          isInRequest: requests.contains(message.fullName)
        ).read()
      },
      oneofs: message.realOneofs.map { oneof in
        Oneof(
          name: oneof.name, swiftName: SwiftNames.property(oneof.name), typeName: types.name(of: oneof),
          documentation: documentation(oneof))
      },
      file: message.file.name)
  }

  private func enumeration(_ enumeration: EnumDescriptor) -> Enum {
    Enum(
      name: types.name(of: enumeration), fullName: enumeration.fullName, documentation: documentation(enumeration),
      values: enumeration.values.map { value in
        Enum.Value(
          name: value.name, swiftName: SwiftNames.enumCase(value.name, of: enumeration.name), number: value.number,
          documentation: documentation(value))
      },
      file: enumeration.file.name)
  }

  private func service(_ service: ServiceDescriptor) throws -> Service {
    Service(
      fullName: service.fullName, documentation: documentation(service), methods: try service.methods.map(method),
      imports: imports(of: service),
      composedCalls: gateway.composedCalls[service.fullName] ?? [])
  }

  private func method(_ method: MethodDescriptor) throws -> Method {
    guard !method.clientStreaming else {
      throw error(method.file, at: method.fullName, "streams its requests, which is not supported")
    }
    let package = method.file.package
    let effect =
      switch method.options.idempotencyLevel {
      case .noSideEffects: "noSideEffects"
      case .idempotent: "idempotent"
      case .idempotencyUnknown: "notIdempotent"
      }
    return Method(
      name: method.name, documentation: documentation(method), request: try type(method.inputType, of: method),
      response: try type(method.outputType, of: method), effect: effect, binding: try binding(of: method),
      endpointName: gateway.endpointNames[method.fullName] ?? SwiftNames.lowercasedFirst(method.name),
      successStatus: gateway.successStatus[method.fullName] ?? 200, isServerStreaming: method.serverStreaming,
      requiresAuthentication: !gateway.unauthenticated.contains(method.fullName),
      lowerCamelCase: gateway.isLowerCamelCase(package), int64AsString: gateway.int64AsString,
      timeout: gateway.timeouts[package], pageLimit: gateway.pageLimits[method.fullName],
      batchLimit: gateway.batchLimits[method.fullName],
      echoesRequest: gateway.echoedRequests.contains(method.fullName), list: gateway.lists[method.fullName])
  }

  /// The request or response of an RPC.
  private func type(_ message: Descriptor, of method: MethodDescriptor) throws -> String {
    if message.fullName == "google.protobuf.Empty" { return "ProtoEmpty" }
    guard !message.isWellKnown, message.fullName != "google.api.HttpBody" else {
      throw error(
        method.file, at: method.fullName,
        "takes or returns \(message.fullName); supported are messages of your own and google.protobuf.Empty")
    }
    return types.reference(to: message, from: nil)
  }

  /// The binding of `gateway.yaml`, or else that of the .proto file.
  private func binding(of method: MethodDescriptor) throws -> GatewayConfig.Binding? {
    if let binding = gateway.bindings[method.fullName] { return binding }
    do {
      return try HTTPAnnotation.binding(of: method)
    } catch {
      throw self.error(method.file, at: method.fullName, error.reason)
    }
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
