import Foundation
import NovaCoding
import NovaSupport
import Testing

/// For any bytes, reading ends with a message or an error. A message that was read survives writing, and its JSON is
/// valid for Foundation, too.
@Suite struct FuzzTests {
  private static let types: [any ProtoMessage.Type] = [
    Scalars.self, Optionals.self, Repeated.self, Maps.self, Node.self, Nothing.self, Order.self, Choice.self,
    WellKnown.self, Wrappers.self,
  ]

  /// Returns whether the bytes were accepted.
  @discardableResult
  private func check<M: ProtoMessage>(_ type: M.Type, _ json: [UInt8], hint: String) throws -> Bool {
    let message: M
    do {
      message = try M(jsonUTF8: json)
    } catch {
      #expect(error.offset >= 0 && error.offset <= json.count && error.line >= 1 && error.column >= 1, "\(error)")
      return false
    }
    let written = try message.jsonUTF8()
    let again = try M(jsonUTF8: written)
    // NaN differs from itself, so the JSON is compared.
    try #require(try again.jsonUTF8() == written, "\(hint): \(readable(json))")
    do {
      _ = try JSONSerialization.jsonObject(with: Data(json))
    } catch  where !"\(error)".contains("is not representable") {
      Issue.record("Foundation refuses, \(hint): \(readable(json)): \(error)")
    } catch {
      // An unknown field with a number beyond the range of doubles: valid JSON that Foundation cannot represent.
    }
    return true
  }

  @Test(arguments: 0..<types.count) func randomBytes(_ index: Int) throws {
    var random = SeededGenerator(seed: 100 + UInt64(index))
    for round in 0..<4000 {
      let bytes = (0..<random.int(below: 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try check(Self.types[index], bytes, hint: "round \(round)")
      try check(Self.types[index], Array("{\"".utf8) + bytes, hint: "round \(round)")
    }
  }

  /// Bytes that resemble JSON get further than arbitrary bytes.
  @Test(arguments: 0..<types.count) func randomTokens(_ index: Int) throws {
    let type = Self.types[index]
    var tokens = [
      "{", "}", "[", "]", ",", ":", " ", "null", "true", "false", "0", "-1", "1.5", "1e3", "\"\"", "\"a\"", "\"1\"",
    ]
    tokens += [
      "\"NaN\"", "\"COLOR_RED\"", "\"2025-12-01T10:30:00Z\"", "\"QQ==\"", "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"",
    ]
    tokens += type.descriptor.fields.flatMap { ["\"\($0.name)\":", "\"\($0.jsonName)\":"] }
    var random = SeededGenerator(seed: 200 + UInt64(index))
    for round in 0..<4000 {
      let text = (0..<random.int(below: 12)).map { _ in tokens[random.int(below: tokens.count)] }.joined()
      try check(type, Array("{\(text)}".utf8), hint: "round \(round)")
    }
  }

  @Test(arguments: 0..<types.count) func mutations(_ index: Int) throws {
    try mutations(of: Self.types[index], seed: 300 + UInt64(index))
  }

  private func mutations<M: ProtoMessage>(of type: M.Type, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for round in 0..<40 {
      let options = ProtoJSONOptions.all[random.int(below: ProtoJSONOptions.all.count)]
      let json = try M.random(seed: random.next()).jsonUTF8(options)
      for _ in 0..<50 {
        if try check(M.self, mutated(json, &random), hint: "round \(round)") { accepted += 1 }
      }
    }
    #expect(accepted > 20, "only \(accepted) mutations were accepted: the test tests little")
  }

  private func mutated(_ json: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var json = json
    let interesting =
      Array("{}[]\",:\\ 0123456789.eE+-nulltrefas\u{0}\u{7F}".utf8) + [0x80, 0xC2, 0xE2, 0xED, 0xF0, 0xFF]
    for _ in 0...random.int(below: 2) where !json.isEmpty {
      let place = random.int(below: json.count)
      let byte = interesting[random.int(below: interesting.count)]
      switch random.int(below: 7) {
      case 0: json[place] ^= 1 << UInt8(random.int(below: 8))
      case 1: json[place] = byte
      case 2: json.insert(byte, at: place)
      case 3: json.remove(at: place)
      case 4: json.removeSubrange(place..<min(json.count, place + 1 + random.int(below: 8)))
      case 5:
        let copy = Array(json[place..<min(json.count, place + 1 + random.int(below: 20))])
        json.insert(contentsOf: copy, at: random.int(below: json.count))
      default: json.removeLast(random.one(in: 4) ? json.count - place : 1)
      }
    }
    return json
  }

  /// If both accept an input, they read the same message. (Foundation also accepts input that we refuse, such as a
  /// repeated name.)
  @Test func acceptedMutationsMeanTheSameToFoundation() throws {
    var random = SeededGenerator(seed: 400)
    var compared = 0
    for _ in 0..<3000 {
      let json = mutated(try Optionals.random(seed: random.next()).jsonUTF8(), &random)
      guard let own = try? Optionals(jsonUTF8: json) else { continue }
      // Foundation refuses a number that is too small for a double, which we read as 0.
      guard own.doubleValue?.magnitude ?? 1 >= Double.leastNormalMagnitude else { continue }
      let other = try? JSONDecoder().decode(Optionals.self, from: Data(json))
      #expect(try own.jsonUTF8() == other?.jsonUTF8(), "\(readable(json))")
      compared += 1
    }
    #expect(compared > 100)
  }
}
