/// Names that declarations of a contract cannot have in Swift, because generated code needs them for something else.
enum TakenNames {
  /// The types that generated code names, of Swift, NovaCore and NovaTesting.
  static let types: Set<String> = [
    "APIClient", "APIConfig", "APIError", "AcknowledgedResponse", "Any", "BatchLimit", "Bool", "BooleanLiteralType",
    "CallOptions", "Copyable", "Double", "FakeLog", "FakeRPC", "FakeService", "FieldDescriptor", "FieldMask",
    "FieldRequirement", "FieldSink", "FieldSource", "Float", "FloatLiteralType", "HTTPBinding", "Hashable",
    "Identifiable", "Indirect",
    "Int", "Int32", "Int64", "IntegerLiteralType", "JSONValue", "MessageDescriptor", "NovaService", "OneofCase",
    "PageLimit",
    "Protocol", "ProtoAny", "ProtoEmpty", "ProtoEnum", "ProtoMessage", "ProtoNull", "RPC", "RPCDescriptor",
    "RPCRegistry", "SecretHolding", "SecretHoldingOneof", "Self", "Sendable", "ServerStream", "ServiceProtocol",
    "ServiceRoute", "Sink", "Source", "String", "StringLiteralType", "Swift", "Timestamp", "Type", "UInt64", "UInt8",
    "UnknownFieldKeeping", "UnknownFields",
  ]

  /// The same, in contracts with lists.
  static let typesOfLists: Set<String> = ["PageShift", "PagedRequest", "PagedResponse", "PagedSequence", "Void"]

  /// What services and their fakes have beside their calls.
  static let calls = ["all", "self", "client", "options", "respond", "log", "calls", "waitForCalls", "verify", "with"]

  /// What enums have beside their values.
  static let values = ["names", "`self`"]

  /// The types that are generated for a package or a service.
  static func generated(_ swiftName: String) -> [String] {
    ["Messages", "RPC", "Service", "ServiceProtocol"].map { "\(swiftName)\($0)" } + ["Fake\(swiftName)Service"]
  }
}
