import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// Turns protoc's descriptors and `gateway.yaml` into a ``Contract``, refusing what cannot be generated.
struct ContractReader {
  let descriptors: DescriptorSet
  let gateway: GatewayConfig
  private let files: [FileSelection.File]
  private let types: TypeNames
  /// The full names of messages that are requests.
  private let requests: Set<String>
  /// Batch limits by the full name of their field.
  private let batchLimits: [String: GatewayConfig.BatchLimit]

  /// - Parameter ownFiles: the names of the contract's own files; nil for all.
  init(descriptors: DescriptorSet, gateway: GatewayConfig, ownFiles: Set<String>? = nil) {
    self.descriptors = descriptors
    self.gateway = gateway
    files = FileSelection(descriptors, ownFiles: ownFiles).files
    types = TypeNames(gateway: gateway, generated: Self.generatedTypes(files))
    let methods = files.flatMap(\.services).flatMap(\.methods)
    requests = Set(methods.map(\.inputType.fullName))
    var batchLimits: [String: GatewayConfig.BatchLimit] = [:]
    for method in methods {
      guard let limit = gateway.batchLimits[method.fullName] else { continue }
      batchLimits["\(method.inputType.fullName).\(limit.field)"] = limit
    }
    self.batchLimits = batchLimits
  }

  /// The types of packages and services that are not messages or enums.
  private static func generatedTypes(_ files: [FileSelection.File]) -> Set<String> {
    let packages = Dictionary(grouping: files, by: \.descriptor.package)
    let names = packages.flatMap { package, files in
      let services = files.flatMap(\.services)
      let others = services.count == 1 ? [] : services.map { SwiftNames.stem(ofService: $0.name) }
      return [SwiftNames.service(ofPackage: package)] + others.map(SwiftNames.lowercasedFirst)
    }
    return Set(names.map(Package.swiftName).flatMap(TakenNames.generated))
  }

  private var imports: TypeImports { TypeImports(types: types) }

  func read() throws -> Contract {
    var contract = Contract()
    for package in Set(files.map(\.descriptor.package)).sorted() {
      contract.packages += try packages(files.filter { $0.descriptor.package == package })
    }
    try NameCheck(contract: contract).run()
    try GatewayCheck(contract: contract, gateway: gateway, descriptors: descriptors).run()
    return contract
  }

  /// The files of one package. Its only service is named after the package; several keep their own names, each with files
  /// of its own.
  private func packages(_ files: [FileSelection.File]) throws -> [Package] {
    for file in files { try check(file.descriptor) }
    guard let name = files.first?.descriptor.package else { return [] }
    let messages = files.flatMap(\.messages).flatMap(\.withNested)
    let enums = files.flatMap(\.enums) + messages.flatMap(\.enums)
    var whole = Package(
      name: name, shortName: SwiftNames.service(ofPackage: name), module: types.module(name),
      file: files.map(\.descriptor.name).joined(separator: ", "), messages: try messages.map(message),
      enums: enums.map(enumeration), imports: imports.modules(of: messages, in: name),
      isLowerCamelCase: gateway.isLowerCamelCase(name), keepsUnknownFields: gateway.keepsUnknownFields)
    var others: [Package] = []
    let services = files.flatMap(\.services)
    for service in services {
      var part = whole
      (part.messages, part.enums, part.imports, part.file) = ([], [], [], service.file.name)
      part.shortName = SwiftNames.lowercasedFirst(SwiftNames.stem(ofService: service.name))
      part.service = try self.service(service)
      let isWhole = services.count == 1 || part.swiftName.lowercased() == whole.swiftName.lowercased()
      if isWhole, whole.service == nil {
        whole.service = part.service
      } else {
        others.append(part)
      }
    }
    return (whole.hasMessages || whole.service != nil ? [whole] : []) + others
  }

  private func check(_ file: FileDescriptor) throws {
    guard file.edition == .proto3 else {
      throw error(
        file, at: file.package.isEmpty ? "the file" : file.package,
        "is not proto3, which is required; if the file is not yours, move it to a folder of --import-path")
    }
    guard !file.package.isEmpty else { throw error(file, at: "the file", "has no package") }
  }

  private func message(_ message: Descriptor) throws -> Message {
    Message(
      name: types.name(of: message), fullName: message.fullName, documentation: documentation(message),
      fields: try message.fields.map { field in
        try FieldReader(
          field: field, gateway: gateway, types: types, batchLimits: batchLimits,
          isInRequest: requests.contains(message.fullName)
        ).read()
      },
      oneofs: message.realOneofs.map { oneof in
        Oneof(
          name: oneof.name, swiftName: SwiftNames.property(SwiftNames.oneof(oneof.name)),
          typeName: types.name(of: oneof),
          documentation: documentation(oneof))
      },
      requirements: message.fields.compactMap { field in
        gateway.requirements[field.fullName].map { Message.Requirement(field: field.name, condition: $0) }
      },
      recordID: recordID(of: message),
      holdsRecords: message.fields.contains { $0.messageType.flatMap(recordID) != nil },
      file: message.file.name)
  }

  private func recordID(of message: Descriptor) -> String? {
    message.fields.first { gateway.recordIDs.contains($0.fullName) }?.name
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
      fullName: service.fullName, file: service.file.name, documentation: documentation(service),
      methods: try service.methods.map(method),
      imports: imports.modules(of: service), typeImports: imports.types(of: service),
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
      echoesRequest: gateway.echoedRequests.contains(method.fullName),
      itemOwner: gateway.itemOwners[method.fullName], list: gateway.lists[method.fullName])
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
