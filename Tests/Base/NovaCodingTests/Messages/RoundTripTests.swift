import Foundation
import NovaCoding
import NovaCore
import NovaRegistry
import NovaSupport
import Testing

/// Every message of the contract and of the codec tests, with random values in every field.
@Suite struct RoundTripTests {
  static let messages = (TestingMessages.all + RPCRegistry.nova.messages).map { AnyMessage(type: $0) }
  static let seeds: ClosedRange<UInt64> = 1...6

  @Test(arguments: messages) func jsonIsReadAsItWasWritten(_ message: AnyMessage) throws {
    for seed in Self.seeds { try roundTrip(message.type, seed: seed) }
  }

  private func roundTrip<M: ProtoMessage>(_ type: M.Type, seed: UInt64) throws {
    let message = M.random(seed: seed)
    for options in ProtoJSONOptions.all {
      let json = try message.jsonUTF8(options)
      let read = try M(jsonUTF8: json)
      try #require(read == message, "seed \(seed), \(options): \(readable(json))")
      // Also compares the bytes: for Swift, texts in different normal forms are equal.
      try #require(try read.jsonUTF8(options) == json, "seed \(seed), \(options): \(readable(json))")
      try #require(
        try M(jsonUTF8: shuffled(json, seed: seed)) == message, "seed \(seed), other order: \(readable(json))")
    }
  }

  /// The same object with its members in a different order, unknown members, and whitespace.
  private func shuffled(_ json: [UInt8], seed: UInt64) throws -> [UInt8] {
    guard case .object(var members) = try JSONValue(jsonUTF8: json) else { return json }
    var random = SeededGenerator(seed: seed)
    members.append(JSONValue.Member(name: "no such field", value: .array([.null, .number("-1.5e3"), .object([])])))
    members.shuffle(using: &random)
    let parts = members.map { member in
      JSONValue.string(member.name).jsonUTF8 + Array(" :\t".utf8) + member.value.jsonUTF8
    }
    return Array("{\n".utf8) + Array(parts.joined(separator: Array("\r\n, ".utf8))) + Array(" } ".utf8)
  }

  @Test(arguments: messages) func foundationWritesAndReadsTheSame(_ message: AnyMessage) throws {
    for seed in Self.seeds { try crosswise(message.type, seed: seed) }
  }

  private func crosswise<M: ProtoMessage>(_ type: M.Type, seed: UInt64) throws {
    let message = M.random(seed: seed)
    let own = try message.jsonUTF8(ProtoJSONOptions(names: M.descriptor.names))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let foundations = try encoder.encode(message)
    let hint: Comment = "seed \(seed)\nours: \(readable(own))\nFoundation's: \(readable(foundations))"
    try #require(try plain(own) == plain(Array(foundations)), hint)
    try #require(try M(jsonUTF8: Array(foundations)) == message, hint)
    for options in ProtoJSONOptions.all {
      let json = try message.jsonUTF8(options)
      try #require(
        try JSONDecoder().decode(M.self, from: Data(json)) == message, "seed \(seed), \(options): \(readable(json))")
    }
    try #require(try JSONDecoder().decode(M.self, from: foundations) == message, hint)
  }

  /// JSON as values that compare without regard to the order of members and the notation of numbers.
  private func plain(_ json: [UInt8]) throws -> JSONValue { normal(try JSONValue(jsonUTF8: json)) }

  private func normal(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let text):
      // Whole numbers keep all digits; other numbers are compared as doubles.
      Int64(text) != nil || UInt64(text) != nil ? value : .number("\(Double(text) ?? .nan)")
    case .array(let elements): .array(elements.map(normal))
    case .object(let members):
      .object(
        members.map { JSONValue.Member(name: $0.name, value: normal($0.value)) }
          .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) })
    default: value
    }
  }

  @Test(arguments: messages) func anEmptyMessageSurvives(_ message: AnyMessage) throws {
    func check<M: ProtoMessage>(_ type: M.Type) throws {
      #expect(try M().json(.request) == "{}")
      for options in ProtoJSONOptions.all { #expect(try M(jsonUTF8: M().jsonUTF8(options)) == M()) }
      #expect(try JSONDecoder().decode(M.self, from: Data("{}".utf8)) == M())
    }
    try check(message.type)
  }

  /// Checks the random values themselves: over some seeds, every field differs from its default.
  @Test(arguments: messages) func everyFieldIsFilled(_ message: AnyMessage) throws {
    func names<M: ProtoMessage>(_ type: M.Type) throws -> Set<String> {
      var names: Set<String> = []
      // Only one field of a oneof is set in each message.
      let seeds: UInt64 = M.descriptor.fields.contains { $0.oneof != nil } ? 300 : 40
      for seed in 1...seeds {
        guard case .object(let members) = try JSONValue(jsonUTF8: M.random(seed: seed).jsonUTF8(.request)) else {
          continue
        }
        names.formUnion(members.map(\.name))
      }
      return names
    }
    // Without presence, a null field is always at its default.
    let fields = message.type.descriptor.fields.filter {
      $0.kind != .enumeration("google.protobuf.NullValue") || $0.cardinality == .optional
    }
    #expect(try names(message.type) == Set(fields.map(\.name)))
  }

  @Test(arguments: messages) func aMessageNamesItsFieldsOnce(_ message: AnyMessage) {
    let descriptor = message.type.descriptor
    let names = descriptor.fields.flatMap { Set([$0.name, $0.jsonName]).union($0.aliases) }
    #expect(names.count == Set(names).count)
    #expect(Set(descriptor.fields.map(\.number)).count == descriptor.fields.count)
    for field in descriptor.fields {
      for name in [field.name, field.jsonName] + field.aliases { #expect(descriptor.field(named: name) == field) }
    }
    #expect(descriptor.field(named: "no such field") == nil)
  }
}
