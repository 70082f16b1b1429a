import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// Generates the Swift sources of a contract.
public enum Generator {
  /// The files of a contract: path from the project's root to content. All of them, or an error.
  ///
  /// - Parameters:
  ///   - descriptorSet: what `protoc --include_imports --include_source_info --descriptor_set_out` wrote.
  ///   - gateway: `gateway.yaml`.
  ///   - registryModule: where the registry of everything goes; nil for none.
  ///   - namesModule: where the names of the services go; nil for none.
  ///   - fakesModule: where the services' fakes go; nil for none.
  ///   - textsModule: where the comments of the contract go; nil for none.
  ///   - offlineModule: where the rules of stored answers and waiting writes go; nil for none.
  ///   - routesModule: where the routes of mock backends go; nil for none.
  ///   - ownFiles: the names of the contract's own .proto files; of others, which those import, only messages and enums
  ///     that are used become code. Nil for all.
  ///   - module: where the code of packages goes that `gateway.yaml` names no module for; nil for a module for each.
  /// - Throws: ``GenerationError``, or SwiftProtobuf's error for bytes that are no descriptor set.
  public static func files(
    descriptorSet: [UInt8], gateway: GatewayConfig, registryModule: String?, namesModule: String? = nil,
    fakesModule: String? = nil, textsModule: String? = nil, offlineModule: String? = nil, routesModule: String? = nil,
    ownFiles: Set<String>? = nil, module: String? = nil
  ) throws -> [String: String] {
    var gateway = gateway
    gateway.onlyModule = module.map { GatewayConfig.Module(name: $0, folder: "Sources/\($0)/Generated") }
    let proto = try Google_Protobuf_FileDescriptorSet(serializedBytes: descriptorSet)
    let contract = try ContractReader(
      descriptors: DescriptorSet(proto: proto), gateway: gateway, ownFiles: ownFiles
    ).read()
    var files: [String: String] = [:]
    for package in contract.packages {
      let stem = "\(package.module.folder)/\(package.swiftName)"
      if package.hasMessages {
        files["\(stem)Messages.swift"] = MessageEmitter(package: package).source()
      }
      guard let service = package.service else { continue }
      let emitter = ServiceEmitter(package: package, service: service)
      files["\(stem)RPCs.swift"] = emitter.descriptors()
      files["\(stem)Service.swift"] = emitter.calls()
      let protocols = ProtocolEmitter(package: package, service: service)
      files["\(stem)ServiceProtocol.swift"] = protocols.source()
      if let lists = ListEmitter(package: package, contract: contract) { files["\(stem)Lists.swift"] = lists.source() }
      if let fakesModule {
        files["Sources/\(fakesModule)/Generated/Fake\(package.serviceName).swift"] = protocols.fake(in: fakesModule)
      }
      if let routesModule {
        let routes = RouteEmitter(package: package, service: service)
        files["Sources/\(routesModule)/Generated/\(package.serviceName)Routes.swift"] = routes.source()
      }
    }
    if let registryModule {
      files["Sources/\(registryModule)/Generated/Registry.swift"] = registry(contract)
      files["Sources/\(registryModule)/Generated/APIConfig.swift"] = EndpointEmitter(contract: contract).source()
      files["Sources/\(registryModule)/Generated/NovaServices.swift"] = AccessorEmitter(contract: contract).source()
    }
    if let namesModule {
      files["Sources/\(namesModule)/Generated/ContractServices.swift"] = serviceNames(contract, gateway)
    }
    if let textsModule {
      let emitter = TextEmitter(contract: contract, gateway: gateway)
      files["Sources/\(textsModule)/Generated/ContractComments.swift"] = try emitter.source()
    }
    if let offlineModule {
      for (name, content) in try offlineFiles(contract, gateway) {
        files["Sources/\(offlineModule)/Generated/\(name)"] = content
      }
    }
    guard let module else { return files }
    let firstLine = SourceText.firstLine(ofModule: module)
    return files.mapValues { $0.replacing(SourceText.firstLine, with: firstLine, maxReplacements: 1) }
  }

  private static func offlineFiles(_ contract: Contract, _ gateway: GatewayConfig) throws -> [String: String] {
    guard let config = gateway.offline else {
      throw GenerationError(file: gateway.file, place: "nova", reason: "has no section offline")
    }
    return try OfflineEmitter(contract: contract, config: config).files()
  }

  private static func serviceNames(_ contract: Contract, _ gateway: GatewayConfig) -> String {
    let packages = contract.packages.filter { $0.service != nil }
    let names = gateway.services.compactMap { name in packages.first { $0.service?.fullName == name }?.shortName }
    let others = packages.map(\.shortName).filter { !names.contains($0) }
    var source = SourceText(imports: [])
    source.add("", "/// The services of the contract.", "enum ContractServices {")
    source.add("/// Their short names, in the order of `gateway.yaml`.", "static let names = [", depth: 1)
    for name in names + others { source.add("\(SwiftNames.literal(name)),", depth: 2) }
    source.add("]", depth: 1)
    source.add("}")
    return source.text
  }

  private static func registry(_ contract: Contract) -> String {
    let packages = contract.packages.filter(\.module.isInRegistry)
    let modules = Set(packages.filter { $0.hasMessages || $0.service != nil }.map(\.module.name)).subtracting([
      "NovaCore"
    ])
    var source = SourceText(imports: ["NovaCore"], internalImports: Array(modules))
    source.add("", "extension RPCRegistry {", "  /// Every RPC and message of the NovaSocial contract.")
    source.add("public static let nova = RPCRegistry(rpcs: allRPCs, messages: allMessages)", depth: 1)
    source.add("", "private static let allRPCs: [RPCDescriptor] = [", depth: 1)
    for package in packages where package.service != nil {
      source.add("\(package.swiftName)RPC.all,", depth: 2)
    }
    source.add("].flatMap(\\.self)", depth: 1)
    source.add("", "private static let allMessages: [any ProtoMessage.Type] = [", depth: 1)
    for package in packages where package.hasMessages {
      source.add("\(package.swiftName)Messages.all,", depth: 2)
    }
    source.add("].flatMap(\\.self)", depth: 1)
    source.add("}")
    return source.text
  }
}
