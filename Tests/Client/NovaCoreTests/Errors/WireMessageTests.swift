import NovaCore
import Testing

@Suite struct WireMessageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    let bytes: [UInt8]
    /// The numbers of the fields that can be read.
    let numbers: [Int]
    var isWhole = true

    var testDescription: String { what }
  }

  private static let cases = [
    Case(what: "nothing", bytes: [], numbers: []),
    Case(
      what: "each type", bytes: [8, 1, 0x12, 1, 65, 0x1D, 0, 0, 0, 0] + [0x21] + .init(repeating: 0, count: 8),
      numbers: [1, 2, 3, 4]),
    Case(what: "the largest number", bytes: [0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 0], numbers: [536_870_911]),
    Case(what: "one more", bytes: [8, 1, 0x82, 0x80, 0x80, 0x80, 0x10, 0], numbers: [1], isWhole: false),
    Case(what: "the number 0", bytes: [8, 1, 0, 1, 8, 1], numbers: [1], isWhole: false),
    Case(what: "a group", bytes: [8, 1, 0x13, 0x14], numbers: [1], isWhole: false),
    Case(what: "half a key", bytes: [8, 1, 0x80], numbers: [1], isWhole: false),
    Case(what: "half a number", bytes: [8, 1, 8, 0x80], numbers: [1], isWhole: false),
    Case(what: "half a text", bytes: [8, 1, 0x12, 2, 65], numbers: [1], isWhole: false),
    Case(what: "half of four bytes", bytes: [8, 1, 0x1D, 0, 0], numbers: [1], isWhole: false),
    Case(
      what: "a length of 2^63", bytes: [8, 1, 0x12] + .init(repeating: 0x80, count: 9) + [1], numbers: [1],
      isWhole: false),
    Case(
      what: "a number of eleven bytes", bytes: [8] + .init(repeating: 0x80, count: 10) + [1], numbers: [],
      isWhole: false),
  ]

  @Test(arguments: cases) func aMessageIsReadAsFarAsItGoes(_ given: Case) {
    #expect(WireMessage(readable: given.bytes).fields.map(\.number) == given.numbers)
    #expect((WireMessage(given.bytes) != nil) == given.isWhole)
  }
}
