/// Refuses names that would clash in Swift, where the compiler's complaint would point at generated code.
struct NameCheck {
  let contract: Contract

  func run() throws {
    try files()
    try types()
    for package in contract.packages {
      for message in package.messages {
        let properties = message.fields.map { ($0.name, $0.swiftName) } + message.oneofs.map { ($0.name, $0.swiftName) }
        try unique(properties, at: "\(message.name).", in: message.file)
      }
      for enumeration in package.enums {
        let values = enumeration.values.map { ($0.name, $0.swiftName) }
        try unique(values, at: "\(enumeration.name).", in: enumeration.file, taken: ["names", "`self`"])
      }
      let calls = (package.service?.calls ?? []).map { ($0.name, SwiftNames.lowercasedFirst($0.name)) }
      try unique(calls, at: "\(package.service?.fullName ?? "").", in: package.file, taken: Self.takenCalls)
    }
  }

  /// Two packages whose files would overwrite each other.
  private func files() throws {
    var owners: [String: String] = [:]
    for package in contract.packages {
      if let owner = owners.updateValue(package.name, forKey: "\(package.module.folder)/\(package.swiftName)") {
        throw error(package.file, at: package.name, "has the same Swift files as \(owner)")
      }
    }
  }

  /// Messages and enums share one space over all packages: modules import one another, and the registry finds messages
  /// by their short names, regardless of case.
  private func types() throws {
    var owners: [String: String] = [:]
    for package in contract.packages {
      let generated =
        ["Messages", "RPC", "Service", "ServiceProtocol"].map { "\(package.swiftName)\($0)" }
        + ["Fake\(package.serviceName)"]
      for name in generated { owners[name.lowercased()] = "the generated \(name)" }
    }
    for name in Self.takenTypes { owners[name.lowercased()] = "Swift's or NovaCore's \(name)" }
    for package in contract.packages {
      let messages = package.messages.map { ($0.name, $0.fullName, $0.file) }
      for (name, fullName, file) in messages + package.enums.map({ ($0.name, $0.fullName, $0.file) }) {
        let parts = name.split(separator: ".").map(String.init)
        guard !parts.contains(where: SwiftNames.isReserved) else {
          throw error(file, at: name, "is a keyword of Swift")
        }
        if let owner = owners.updateValue(fullName, forKey: name.lowercased()) {
          throw error(file, at: name, "has the same name in Swift as \(owner)")
        }
      }
    }
  }

  private func unique(
    _ names: [(proto: String, swift: String)], at place: String, in file: String, taken: [String] = []
  ) throws {
    var owners = Dictionary(uniqueKeysWithValues: taken.map { ($0, "what is generated beside it") })
    for name in names {
      if let owner = owners.updateValue(name.proto, forKey: name.swift) {
        throw error(file, at: place + name.proto, "would be \(name.swift) in Swift, as \(owner)")
      }
    }
  }

  private func error(_ file: String, at place: String, _ reason: String) -> GenerationError {
    GenerationError(file: file, place: place, reason: reason)
  }

  /// What services and their fakes have beside their calls.
  private static let takenCalls = [
    "all", "self", "client", "options", "respond", "log", "calls", "waitForCalls", "verify",
  ]

  /// The types that generated code names.
  static let takenTypes = [
    "Any", "APIClient", "APIConfig", "BatchLimit", "Bool", "CallOptions", "Double", "FieldDescriptor", "FieldSink",
    "FieldMask", "FieldSource", "FakeLog", "FakeRPC", "FakeService", "Float", "HTTPBinding", "Identifiable", "Indirect",
    "Int",
    "Int32", "Int64", "JSONValue",
    "MessageDescriptor", "NovaService", "OneofCase", "PageLimit",
    "Protocol", "ProtoAny", "ProtoEmpty", "ProtoEnum", "ProtoMessage", "ProtoNull", "RPC", "RPCDescriptor",
    "RPCRegistry", "SecretHolding", "SecretHoldingOneof", "Self", "ServiceProtocol", "Sink",
    "Source", "String",
    "Timestamp", "Type", "UInt64", "UInt8",
  ]
}
