import Testing

@testable import NovaWebSocket

@Suite struct UTF8CheckTests {
  private func accepts(_ parts: [[UInt8]]) -> Bool {
    var check = UTF8Check()
    return parts.allSatisfy { part in part.withUnsafeBytes { check.accepts($0) } } && check.isComplete
  }

  /// Checks all sequences after each possible first byte against Swift's own decoder, as a whole and byte by byte.
  @Test func agreesWithSwift() {
    let edges: [UInt8] = [0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xf4, 0xff]
    for first in UInt8.min...UInt8.max {
      for second in edges {
        for third in edges {
          for sequence in [[first], [first, second], [first, second, third], [first, second, third, 0x80]] {
            let isValid = String(validating: sequence, as: UTF8.self) != nil
            #expect(accepts([sequence]) == isValid, "\(sequence)")
            #expect(accepts(sequence.map { [$0] }) == isValid, "\(sequence) byte by byte")
          }
        }
      }
    }
  }

  @Test func errorsAreFoundAtTheirFirstByte() {
    var check = UTF8Check()
    #expect(([0x41, 0xf4] as [UInt8]).withUnsafeBytes { check.accepts($0) })
    #expect(!([0x90] as [UInt8]).withUnsafeBytes { check.accepts($0) })
  }
}
