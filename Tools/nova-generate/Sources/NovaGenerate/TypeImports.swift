import SwiftProtobufPluginLibrary

/// What generated files import because of the types that they name.
///
/// In a module of your own, an import of each type says which one is meant where NovaCore or NovaTesting has a type of the
/// same name: `struct AcmeShop.Page`. The module's name before the type would not do: a type can have the module's name.
struct TypeImports {
  let types: TypeNames

  /// For the messages of a package.
  func modules(of messages: [Descriptor], in package: String) -> Set<String> {
    imports(of: messages.flatMap(\.fields).flatMap(\.usedTypes), in: package)
  }

  /// For the calls of a service, in its own module.
  func modules(of service: ServiceDescriptor) -> Set<String> {
    imports(of: service.usedTypes, in: service.file.package)
  }

  /// For the calls of a service, in another module: its requests and responses.
  func types(of service: ServiceDescriptor) -> Set<String> { types(service.usedTypes) }

  /// The modules of types that are not in the package's own, and those types themselves.
  private func imports(of used: [UsedType], in package: String) -> Set<String> {
    let own = [types.module(package).name, "NovaCore"]
    let others = used.filter { !$0.isWellKnown && !own.contains(types.module($0.package).name) }
    return Set(others.map { types.module($0.package).name }).union(types(others))
  }

  private func types(_ used: [UsedType]) -> Set<String> {
    guard types.gateway.onlyModule != nil else { return [] }
    return Set(
      used.filter { !$0.isWellKnown }.map { type in
        "struct \(types.module(type.package).name).\(name(of: type).prefix { $0 != "." })"
      })
  }

  private func name(of type: UsedType) -> String {
    switch type {
    case .message(let message): types.name(of: message)
    case .enumeration(let enumeration): types.name(of: enumeration)
    }
  }
}

/// A message or enum of a field, request or response.
private enum UsedType {
  case message(Descriptor), enumeration(EnumDescriptor)

  var package: String {
    switch self {
    case .message(let message): message.file.package
    case .enumeration(let enumeration): enumeration.file.package
    }
  }

  var isWellKnown: Bool { package == "google.protobuf" || package.hasPrefix("google.protobuf.") }
}

extension ServiceDescriptor {
  fileprivate var usedTypes: [UsedType] {
    methods.flatMap { [$0.inputType, $0.outputType] }.compactMap(\.self).map { .message($0) }
  }
}

extension SwiftProtobufPluginLibrary.FieldDescriptor {
  /// The message or enum that the field holds, map values included.
  fileprivate var usedTypes: [UsedType] {
    if let entry = mapEntry { return entry.value.usedTypes }
    return [messageType.map(UsedType.message), enumType.map(UsedType.enumeration)].compactMap(\.self)
  }
}
