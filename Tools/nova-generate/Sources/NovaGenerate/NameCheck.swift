/// Refuses names that would clash in Swift, where the compiler's complaint would point at generated code.
struct NameCheck {
  let contract: Contract

  func run() throws {
    try files()
    try types()
    for package in contract.packages {
      try members(of: package)
      try moduleName(of: package)
    }
  }

  /// Two packages or services whose files would overwrite each other, or differ only in case.
  private func files() throws {
    var owners: [String: String] = [:]
    for package in contract.packages {
      let (file, name) = (package.service?.file ?? package.file, package.service?.fullName ?? package.name)
      guard package.swiftName.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
        throw error(file, at: name, "would be named \"\(package.swiftName)\" in Swift; give it a name with letters")
      }
      if let owner = owners.updateValue(name, forKey: "\(package.module.folder)/\(package.swiftName.lowercased())") {
        throw error(
          file, at: name,
          "has the same Swift files as \(owner); rename one, or generate each into a module of its own")
      }
    }
  }

  /// Messages and enums share one space over all packages: modules import one another, and the registry finds messages
  /// by their short names, regardless of case.
  private func types() throws {
    var owners: [String: String] = [:]
    for package in contract.packages {
      for name in TakenNames.generated(package.swiftName) { owners[name.lowercased()] = "the generated \(name)" }
    }
    for package in contract.packages {
      let messages = package.messages.map { ($0.name, $0.fullName, $0.file) }
      for (name, fullName, file) in messages + package.enums.map({ ($0.name, $0.fullName, $0.file) }) {
        let (_, own) = SwiftNames.scopeAndName(of: name)
        guard own.contains(where: { $0 != "_" }) else { throw error(file, at: fullName, Self.namelessReason) }
        if let owner = owners.updateValue(fullName, forKey: name.lowercased()) {
          throw error(file, at: name, "has the same name in Swift as \(owner)")
        }
      }
    }
    try oneofs()
  }

  /// The enums of oneofs: exactly, since the registry does not have them.
  private func oneofs() throws {
    let types = contract.packages.flatMap { $0.messages.map { ($0.name, $0.fullName) } }
    let enums = contract.packages.flatMap { $0.enums.map { ($0.name, $0.fullName) } }
    var owners = Dictionary(types + enums) { first, _ in first }
    for message in contract.packages.flatMap(\.messages) {
      for oneof in message.oneofs {
        let (name, fullName) = ("\(message.name).\(oneof.typeName)", "\(message.fullName).\(oneof.name)")
        if let owner = owners.updateValue(fullName, forKey: name) {
          throw error(
            message.file, at: "\(message.name).\(oneof.name)", "would be \(name) in Swift, as \(owner)")
        }
      }
    }
  }

  private func members(of package: Package) throws {
    for message in package.messages {
      let properties = message.fields.map { ($0.name, $0.swiftName) } + message.oneofs.map { ($0.name, $0.swiftName) }
      let taken = package.keepsUnknownFields ? [SwiftNames.unknownFields] : []
      try unique(properties, at: "\(message.name).", in: message.file, taken: taken)
    }
    for enumeration in package.enums {
      let values = enumeration.namedValues.map { ($0.name, $0.swiftName) }
      try unique(values, at: "\(enumeration.name).", in: enumeration.file, taken: TakenNames.values)
    }
    guard let service = package.service else { return }
    let calls = service.calls.map { ($0.name, SwiftNames.lowercasedFirst($0.name)) }
    try unique(calls, at: "\(service.fullName).", in: service.file, taken: TakenNames.calls)
  }

  /// A type with its module's name hides the module, whose name generated code needs where a nested type hides another.
  private func moduleName(of package: Package) throws {
    let module = package.module.name
    let types = contract.packages.flatMap { package in
      package.messages.map(\.name) + package.enums.map(\.name)
        + (package.service == nil ? [] : TakenNames.generated(package.swiftName))
    }
    guard types.contains(module) else { return }
    for message in package.messages {
      if let field = message.fields.first(where: {
        $0.type.swift.hasPrefix("\(module).") && !types.contains($0.type.swift)
      }) {
        throw error(
          message.file, at: "\(message.name).\(field.name)",
          "needs the name \(field.type.swift), but \(module) is also the name of a type; name the module differently")
      }
    }
  }

  private func unique(
    _ names: [(proto: String, swift: String)], at place: String, in file: String, taken: [String] = []
  ) throws {
    var owners = Dictionary(uniqueKeysWithValues: taken.map { ($0, "what is generated beside it") })
    for name in names {
      guard name.swift.contains(where: { $0 != "_" }) else {
        throw error(file, at: place + name.proto, Self.namelessReason)
      }
      if let owner = owners.updateValue(name.proto, forKey: name.swift) {
        throw error(file, at: place + name.proto, "would be \(name.swift) in Swift, as \(owner)")
      }
    }
  }

  private static let namelessReason = "has no letter or digit, from which its Swift name is made"

  private func error(_ file: String, at place: String, _ reason: String) -> GenerationError {
    GenerationError(file: file, place: place, reason: reason)
  }
}
