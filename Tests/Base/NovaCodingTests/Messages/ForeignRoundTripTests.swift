import Foundation
import NovaCoding
import NovaSupport
import Testing

// The Swift half of Tools/check-generator, which compares generated messages with Google's protobuf. Does nothing when
// run by itself.

private enum GeneratorCheck {
  private static let environment = ProcessInfo.processInfo.environment
  static let folder = environment["NOVA_GENERATOR_CHECK"].map { URL(filePath: $0) }
  static let phase = environment["NOVA_GENERATOR_PHASE"]
  static let seed = environment["NOVA_GENERATOR_SEED"].flatMap { UInt64($0) } ?? 1
  static let messagesOfEachType: UInt64 = 60
}

@Suite struct ForeignRoundTripTests {

  private struct Line: Codable {
    var message: String
    var json: String
    /// The binary format as base64.
    var binary: String?
    /// The seed of a random message.
    var seed: UInt64?
  }

  private func message(_ name: String) throws -> any ProtoMessage.Type {
    try #require(TestingMessages.all.first { $0.descriptor.name == name }, "\(name)")
  }

  private func random<M: ProtoMessage>(_ type: M.Type, seed: UInt64) -> M {
    var source = RandomSource(random: SeededGenerator(seed: seed))
    source.hasUnknownNames = false
    return .random(from: &source)
  }

  private func json(of message: some ProtoMessage, _ number: UInt64) throws -> String {
    try message.json(ProtoJSONOptions.all[Int(number % UInt64(ProtoJSONOptions.all.count))])
  }

  @Test(.enabled(if: GeneratorCheck.phase == "write")) func writes() throws {
    var lines: [Line] = []
    for type in TestingMessages.all {
      for number in 0..<GeneratorCheck.messagesOfEachType {
        let seed = GeneratorCheck.seed &* 1000 &+ number
        let text = try json(of: random(type, seed: seed), number)
        let bytes = try binary(of: random(type, seed: seed))
        lines.append(Line(message: type.descriptor.name, json: text, binary: bytes, seed: seed))
      }
    }
    try write(lines, to: "swift-messages.jsonl")
  }

  @Test(.enabled(if: GeneratorCheck.phase == "answer")) func answers() throws {
    let folder = try #require(GeneratorCheck.folder)
    let text = try String(contentsOf: folder.appending(path: "python-messages.jsonl"), encoding: .utf8)
    var answers: [Line] = []
    for (number, line) in text.split(separator: "\n").enumerated() {
      let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      let type = try message(line.message)
      let binary = try binaryAnswer(line, as: type)
      guard let answer = try answer(line, as: type, number: UInt64(number)) else { continue }
      answers.append(Line(message: line.message, json: answer, binary: binary))
    }
    try write(answers, to: "swift-answers.jsonl")
  }

  /// Compares our message with the one that came back, and returns the JSON of a foreign message.
  private func answer<M: ProtoMessage>(_ line: Line, as type: M.Type, number: UInt64) throws -> String? {
    let read: M
    do {
      read = try M(jsonUTF8: Array(line.json.utf8))
    } catch {
      Issue.record("\(line.message): \(error)\n\(line.json)")
      return line.seed == nil ? "{}" : nil
    }
    guard let seed = line.seed else { return try json(of: read, number) }
    let expected = random(type, seed: seed)
    // Numbers in any JSON, and therefore in well-known types, may come back in a different notation.
    let difference = try JSONValue(jsonUTF8: expected.jsonUTF8()).differences(
      from: JSONValue(jsonUTF8: read.jsonUTF8()))
    let ours = try expected.json()
    #expect(difference.isEmpty, "seed \(seed), \(line.message): \(line.json)\nours: \(ours)")
    return nil
  }

  #if GRPC
    init() { ProtoAny.register(TestingMessages.all) }

    private func binary(of message: some ProtoMessage) throws -> String? {
      Data(try message.protobuf()).base64EncodedString()
    }

    /// Compares our message with the bytes that came back, and returns the bytes of a foreign message.
    private func binaryAnswer<M: ProtoMessage>(_ line: Line, as type: M.Type) throws -> String? {
      let read: M
      do {
        read = try M(protobuf: Array(try #require(line.binary.flatMap { Data(base64Encoded: $0) })))
      } catch {
        Issue.record("\(line.message): \(error)\n\(line.binary ?? "")")
        return nil
      }
      if let seed = line.seed {
        let difference = try JSONValue(jsonUTF8: random(type, seed: seed).jsonUTF8()).differences(
          from: JSONValue(jsonUTF8: read.jsonUTF8()))
        #expect(difference.isEmpty, "seed \(seed), \(line.message) in the binary format: \(line.binary ?? "")")
      }
      return try binary(of: read)
    }
  #else
    private func binary(of message: some ProtoMessage) throws -> String? { nil }
    private func binaryAnswer<M: ProtoMessage>(_ line: Line, as type: M.Type) throws -> String? { nil }
  #endif

  private func write(_ lines: [Line], to name: String) throws {
    let folder = try #require(GeneratorCheck.folder)
    let text = try lines.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }.joined()
    try Data(text.utf8).write(to: folder.appending(path: name))
  }
}
