import NovaCore
import NovaCrypto
import NovaRegistry

/// The schema of the binary files in one file: the contract's messages with their names and numbers, and for each file
/// a message with all of its records.
struct SchemaText {
  /// The package of all messages, so that the file needs no imports of the contract.
  static let package = "nova.fixtures.v1"

  let entities: [FixtureEntity]

  /// Returns the name of a file's message.
  static func fileMessage(_ entity: FixtureEntity) -> String {
    entity.rawValue.prefix(1).uppercased() + entity.rawValue.dropFirst()
  }

  var text: String {
    let lists = entities.map { entity in
      """
      // \(FixtureFormat.protoBinary.fileName(of: entity))
      message \(Self.fileMessage(entity)) {
        repeated \(Self.shortName(entity.message.name)) \(entity.rawValue) = 1;
      }
      """
    }
    return """
      // The schema of the .binpb files beside this one:
      //   protoc --decode=\(Self.package).Users \(FixtureFormat.schemaName) < users.binpb
      syntax = "proto3";

      package \(Self.package);

      import "google/protobuf/timestamp.proto";

      \((lists + messages.map(Self.text)).joined(separator: "\n\n"))

      """
  }

  /// The SHA-256 of the text.
  var digest: String {
    get throws(FixtureError) {
      var hash = try FixtureDigest.sha256()
      hash.update(Array(text.utf8))
      return try Hexadecimal.encode(hash.finalized())
    }
  }

  /// The messages of the entities and their nested messages, without duplicates.
  private var messages: [MessageDescriptor] {
    var found: [MessageDescriptor] = []
    func add(_ message: MessageDescriptor) {
      guard !found.contains(where: { $0.name == message.name }) else { return }
      found.append(message)
      for case .message(let name) in message.fields.map(\.kind) {
        if let inner = RPCRegistry.nova.message(named: name) { add(inner.descriptor) }
      }
    }
    for entity in entities { add(entity.message) }
    return found
  }

  private static func text(_ message: MessageDescriptor) -> String {
    let fields = message.fields.map { field in "  \(type(field)) \(field.name) = \(field.number);" }
    return "message \(shortName(message.name)) {\n\(fields.joined(separator: "\n"))\n}"
  }

  private static func type(_ field: FieldDescriptor) -> String {
    switch field.cardinality {
    case .singular: name(field.kind)
    case .optional: "optional \(name(field.kind))"
    case .repeated: "repeated \(name(field.kind))"
    case .map(let key): "map<\(name(key)), \(name(field.kind))>"
    }
  }

  private static func name(_ kind: FieldKind) -> String {
    switch kind {
    case .unixSeconds: "int64"
    case .timestamp: "google.protobuf.Timestamp"
    case .message(let name): shortName(name)
    // The files contain the numbers of enumerations.
    case .enumeration: "int32"
    default: "\(kind)"
    }
  }

  private static func shortName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}
