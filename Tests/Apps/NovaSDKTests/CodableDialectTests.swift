import Foundation
import NovaCore
import NovaRegistry
import Testing

/// Foundation's coders see the JSON that goes over the wire, for every message of the contract.
@Suite struct CodableDialectTests {
  /// Every message with the dialect of its service: from the RPCs' bindings, not from the messages themselves.
  private static let messages = RPCRegistry.nova.rpcs.flatMap { rpc in
    [(rpc.requestType, rpc.http), (rpc.responseType, rpc.http)]
  }

  private static func sample(_ message: any ProtoMessage.Type, depth: Int = 0) -> JSONValue {
    .object(
      message.descriptor.fields.map { field in
        let value: JSONValue =
          switch field.cardinality {
          case .singular, .optional: sample(field.kind, depth)
          case .repeated: .array(depth > 2 ? [] : [sample(field.kind, depth), sample(field.kind, depth)])
          case .map: .object(depth > 2 ? [] : [JSONValue.Member(name: "7", value: sample(field.kind, depth))])
          }
        return JSONValue.Member(name: field.name, value: value)
      })
  }

  private static func sample(_ kind: FieldKind, _ depth: Int) -> JSONValue {
    switch kind {
    case .double, .float: .number("1.5")
    case .bool: .bool(true)
    case .string: .string("a \"text\"")
    case .bytes: .string("AQID")
    case .timestamp: .string("2026-11-22T02:41:54.151632Z")
    case .enumeration: .number("1")
    case .message(let name): RPCRegistry.nova.message(named: name).map { sample($0, depth: depth + 1) } ?? .null
    default: .number("1795315314")
    }
  }

  private func foundationJSON(_ message: some ProtoMessage) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(message)) as? NSObject
  }

  @Test func foundationWritesWhatGoesOverTheWire() throws {
    for (type, binding) in Self.messages {
      for message in [try type.init(jsonUTF8: Self.sample(type).jsonUTF8), type.init()] {
        let wire = try message.jsonUTF8(binding.json(includesDefaults: true))
        let expected = try JSONSerialization.jsonObject(with: Data(wire)) as? NSObject
        #expect(try foundationJSON(message) == expected, "\(type.descriptor.name)")
        #expect(try decoded(message, from: wire), "\(type.descriptor.name)")
      }
    }
  }

  private func decoded<Message: ProtoMessage>(_ message: Message, from json: [UInt8]) throws -> Bool {
    try JSONDecoder().decode(Message.self, from: Data(json)) == message
  }
}
