/// The contract as the emitters need it: checked, named and typed for Swift.
struct Contract {
  var packages: [Package] = []

  /// The packages of one module.
  func packages(ofModule name: String) -> [Package] { packages.filter { $0.module.name == name } }

  /// The message with this Swift name.
  func message(named name: String) -> Message? {
    packages.lazy.flatMap(\.messages).first { $0.name == name }
  }

  /// The message that a field of this type holds; nil for other types, well-known ones included.
  func message(ofType type: FieldType) -> Message? {
    guard type.codec == ".message(\(type.swift).self)" else { return nil }
    return packages.lazy.flatMap(\.messages).first { FieldType.message($0.fullName, "").kind == type.kind }
  }
}

/// What one set of generated files is about: the messages of a package with the service that is named like it, or one of
/// its other services.
struct Package {
  /// `nova.graph_service.v1`
  var name: String
  /// `graph`
  var shortName: String
  var module: GatewayConfig.Module
  var file: String
  var messages: [Message]
  var enums: [Enum]
  var service: Service? = nil
  /// Modules that hold messages used here.
  var imports: Set<String>

  /// Whether JSON is written in lowerCamelCase.
  var isLowerCamelCase: Bool
  /// Whether messages have a place for fields that they do not declare.
  var keepsUnknownFields = false

  /// Whether there is anything for a file of messages.
  var hasMessages: Bool { !messages.isEmpty || !enums.isEmpty }

  /// What generated types are named after: `Graph`.
  var swiftName: String { Self.swiftName(shortName) }

  /// `graph` → `Graph`; `nova` → `NovaAPI`, since NovaCore has a `NovaService`.
  static func swiftName(_ shortName: String) -> String {
    let name = SwiftNames.capitalised(SwiftNames.lowerCamelCase(shortName))
    return TakenNames.generated(name).contains(where: TakenNames.types.contains) ? "\(name)API" : name
  }

  /// What its service's calls are in: `GraphService`.
  var serviceName: String { "\(swiftName)Service" }
}

struct Message {
  /// The Swift type, in its scope: `Order.Line`.
  var name: String
  var fullName: String
  var documentation: [String]
  var fields: [Field]
  var oneofs: [Oneof] = []
  /// Fields that it needs if another field has certain values.
  var requirements: [Requirement] = []
  /// The field with the id of a record, without which a response cannot be used.
  var recordID: String?
  /// Whether its fields hold such records.
  var holdsRecords = false
  var file = ""

  /// A field, and when the message needs it.
  struct Requirement {
    var field: String
    var condition: GatewayConfig.Requirement
  }
}

/// At most one of some fields: an enum inside the message, and a property of that type.
struct Oneof {
  /// `payment_method`
  var name: String
  /// `paymentMethod`
  var swiftName: String
  /// `PaymentMethod`
  var typeName: String
  var documentation: [String]
}

struct Field {
  var name: String
  var jsonName: String
  var number: Int
  var swiftName: String
  var documentation: [String]
  var type: FieldType
  var cardinality: Cardinality
  var aliases: [String]
  var isSecret: Bool
  /// A case of `FieldRule`, as source.
  var rule: String?
  /// The Swift type of its values in calls with plain arguments, where that is not ``swiftType``.
  var valueType: GatewayConfig.ValueType?
  /// The name of the oneof that it belongs to.
  var oneof: String?
  /// Whether its message can contain the message that it is in: a struct that stored it in place would have no size.
  var isIndirect = false
  /// Whether a list of numbers is written as one value in the binary format.
  var isPacked = true

  enum Cardinality: Equatable {
    case singular, optional, repeated
    case map(key: FieldType)
  }

  var swiftType: String {
    switch cardinality {
    case .singular: type.swift
    case .optional: "\(type.swift)?"
    case .repeated: "[\(type.swift)]"
    case .map(let key): "[\(key.swift): \(type.swift)]"
    }
  }

  var swiftDefault: String {
    switch cardinality {
    case .singular: type.swiftDefault
    case .optional: "nil"
    case .repeated: "[]"
    case .map: "[:]"
    }
  }

  /// Whether it has at most one value.
  var isSingle: Bool { cardinality == .singular || cardinality == .optional }

  /// Whether it has at most one value, which is a text.
  var isSingleText: Bool { isSingle && type.isText }

  /// `.string`, or `.string, .bool` for a map.
  var codec: String {
    if case .map(let key) = cardinality { "keys: \(key.codec), values: \(type.codec)" } else { "as: \(type.codec)" }
  }
}

/// A field's type: its name in protobuf and what it is in Swift.
struct FieldType: Equatable {
  /// The case of `FieldKind`.
  var kind: String
  var swift: String
  var swiftDefault: String
  var codec: String

  static func scalar(
    _ kind: String, swift: String, swiftDefault: String, codec: String? = nil
  ) -> FieldType {
    FieldType(kind: ".\(kind)", swift: swift, swiftDefault: swiftDefault, codec: ".\(codec ?? kind)")
  }

  static let text = scalar("string", swift: "String", swiftDefault: "\"\"")

  /// A text with a Swift type of its own, which is in the message's module.
  static func typedText(_ swift: String) -> FieldType {
    FieldType(kind: text.kind, swift: swift, swiftDefault: text.swiftDefault, codec: ".text(\(swift).self)")
  }

  /// Whether values are texts, of whatever Swift type.
  var isText: Bool { kind == Self.text.kind }

  /// A type of `google.protobuf` with a codec of its own.
  static func wellKnown(_ name: String, swift: String, swiftDefault: String, codec: String) -> FieldType {
    FieldType(
      kind: ".message(\(SwiftNames.literal("google.protobuf.\(name)")))", swift: swift, swiftDefault: swiftDefault,
      codec: ".\(codec)")
  }

  static func message(_ fullName: String, _ swift: String) -> FieldType {
    FieldType(
      kind: ".message(\(SwiftNames.literal(fullName)))", swift: swift, swiftDefault: "\(swift)()",
      codec: ".message(\(swift).self)")
  }

  static func enumeration(_ fullName: String, _ swift: String) -> FieldType {
    FieldType(
      kind: ".enumeration(\(SwiftNames.literal(fullName)))", swift: swift, swiftDefault: "\(swift)()",
      codec: ".enumeration(\(swift).self)")
  }
}

struct Enum {
  /// The Swift type, in its scope: `Order.Status`.
  var name: String
  var fullName: String
  var documentation: [String]
  var values: [Value]
  var file = ""

  struct Value {
    var name: String
    var swiftName: String
    var number: Int32
    var documentation: [String]
  }

  /// The values without aliases that have the Swift name of the value that they stand for: `COLOR_RED` and `RED`.
  var namedValues: [Value] {
    var numbers: [String: Int32] = [:]
    return values.filter { numbers.updateValue($0.number, forKey: $0.swiftName) != $0.number }
  }
}

struct Service {
  var fullName: String
  var file: String
  var documentation: [String]
  var methods: [Method]
  /// Modules that hold requests and responses.
  var imports: Set<String>
  /// The requests and responses: `struct AcmeShop.Page`. Where NovaCore or NovaTesting has a type of the same name, an
  /// import of the type itself says which one is meant. Empty in the SDK, whose names are its own.
  var typeImports: Set<String>
  /// Calls of several RPCs, written by hand.
  var composedCalls: [ComposedCall]

  /// Everything that stands in for the service must answer.
  var calls: [any ServiceCall] { methods + composedCalls }
}

/// What a service's protocol asks for: one request, one response.
protocol ServiceCall {
  /// `GetFollowers`
  var name: String { get }
  var documentation: [String] { get }
  /// Swift types.
  var request: String { get }
  var response: String { get }
  var result: String { get }
}

extension ServiceCall {
  /// `getFollowers`, in backticks where Swift reserves the word.
  var swiftName: String { SwiftNames.escaped(SwiftNames.lowercasedFirst(name)) }

  /// What a call returns.
  var result: String { response }

  /// `func getFollowers(_ request: GetFollowersRequest) async throws -> GetFollowersResponse`
  var signature: String { "func \(swiftName)(_ request: \(request)) async throws -> \(result)" }
}

/// A call of several RPCs: `gateway.yaml` names it, and its service has it by hand.
struct ComposedCall: ServiceCall {
  var name: String
  var documentation: [String]
  var request: String
  var response: String
}

struct Method: ServiceCall {
  var name: String
  var documentation: [String]
  var request: String
  var response: String
  /// The case of `RPCEffect`.
  var effect: String
  /// Nil for an RPC that has no HTTP form.
  var binding: GatewayConfig.Binding?
  /// The constant of the path in `APIConfig`.
  var endpointName: String
  var successStatus: Int
  /// Whether a call is answered with any number of responses.
  var isServerStreaming: Bool
  var requiresAuthentication: Bool
  var lowerCamelCase: Bool
  var int64AsString: Bool
  var timeout: Int?
  var pageLimit: (default: Int?, maximum: Int)?
  var batchLimit: GatewayConfig.BatchLimit?
  /// Whether a response contains the values of the request.
  var echoesRequest: Bool
  /// What the items of a response belong to.
  var itemOwner: GatewayConfig.ItemOwner?
  /// How the items of its pages are read; nil where it is not a list.
  var list: GatewayConfig.List?
}

extension Method {
  var result: String { isServerStreaming ? "ServerStream<\(response)>" : response }
}
