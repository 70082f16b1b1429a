import SwiftProtobufPluginLibrary

/// The Swift types of messages, enums and oneofs.
struct TypeNames {
  let gateway: GatewayConfig
  /// The types that are generated for packages and services.
  let generated: Set<String>

  /// The type as its declaration names it: `Order.Line`.
  func name(of message: Descriptor) -> String { name(message.name, in: message.containingType, suffix: "Message") }

  func name(of enumeration: EnumDescriptor) -> String {
    name(enumeration.name, in: enumeration.containingType, suffix: "Enum")
  }

  /// The enum of a oneof: `PaymentMethod`, inside its message.
  func name(of oneof: OneofDescriptor) -> String {
    let name = SwiftNames.capitalised(SwiftNames.oneof(oneof.name))
    let taken = nested(in: oneof.containingType, withOneofs: false)
    return taken.contains(name) || isTaken(name, in: oneof.containingType) ? "\(name)Oneof" : name
  }

  /// The type as code inside `scope` names it.
  func reference(to message: Descriptor, from scope: Descriptor?) -> String {
    qualified(name(of: message), package: message.file.package, from: scope)
  }

  func reference(to enumeration: EnumDescriptor, from scope: Descriptor?) -> String {
    qualified(name(of: enumeration), package: enumeration.file.package, from: scope)
  }

  /// The module of a package.
  func module(_ package: String) -> GatewayConfig.Module {
    if let module = gateway.modules[package] { return module }
    if let module = gateway.onlyModule { return module }
    let name = "Nova" + SwiftNames.capitalised(SwiftNames.service(ofPackage: package))
    return GatewayConfig.Module(name: name, folder: "Sources/\(name)/Generated")
  }

  /// A type may have a name that generated code needs for something else; a suffix tells them apart.
  private func name(_ name: String, in parent: Descriptor?, suffix: String) -> String {
    let own = isTaken(name, in: parent) ? name + suffix : name
    return parent.map { "\(self.name(of: $0)).\(own)" } ?? own
  }

  private func isTaken(_ name: String, in parent: Descriptor?) -> Bool {
    if TakenNames.types.contains(name) || SwiftNames.isReserved(name) { return true }
    if !gateway.lists.isEmpty, TakenNames.typesOfLists.contains(name) { return true }
    guard let parent else { return generated.contains(name) }
    return name == "ID" && isIdentifiable(parent)
  }

  /// Whether the message is `Identifiable`, which gives it a type `ID`.
  private func isIdentifiable(_ message: Descriptor) -> Bool {
    message.fields.contains {
      $0.name == "id" && !$0.isRepeated && !$0.hasPresence && !gateway.explicitPresence.contains($0.fullName)
    }
  }

  /// With its module where a type nested in the scope has the same name.
  private func qualified(_ name: String, package: String, from scope: Descriptor?) -> String {
    let first = String(name.prefix { $0 != "." })
    var outer = scope
    while let message = outer {
      if nested(in: message, withOneofs: true).contains(first) || first == "ID" && isIdentifiable(message) {
        return "\(module(package).name).\(name)"
      }
      outer = message.containingType
    }
    return name
  }

  /// The names of the types inside a message.
  private func nested(in message: Descriptor, withOneofs: Bool) -> Set<String> {
    let types =
      message.messages.filter { !$0.options.mapEntry }.map { name(of: $0) } + message.enums.map { name(of: $0) }
    let names = types.map { SwiftNames.scopeAndName(of: $0).name }
    return Set(names + (withOneofs ? message.realOneofs.map { name(of: $0) } : []))
  }
}

extension Descriptor {
  /// The message and those nested in it, entries of maps left out.
  var withNested: [Descriptor] {
    [self] + messages.filter { !$0.options.mapEntry }.flatMap(\.withNested)
  }

  /// Whether a value can contain a value of `target` in singular fields.
  func canContain(_ target: Descriptor) -> Bool {
    var visited: Set<String> = []
    func visit(_ message: Descriptor) -> Bool {
      if message.fullName == target.fullName { return true }
      guard visited.insert(message.fullName).inserted else { return false }
      return message.fields.contains { field in
        guard !field.isRepeated, let inner = field.messageType, !inner.isWellKnown else { return false }
        return visit(inner)
      }
    }
    return visit(self)
  }

  var isWellKnown: Bool { fullName.hasPrefix("google.protobuf.") }
}
