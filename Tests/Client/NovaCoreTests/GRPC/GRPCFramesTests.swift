@testable import NovaCore
import NovaTesting
import Testing

/// The frames of gRPC's messages.
@Suite struct GRPCFramesTests {
  private static func frame(_ message: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xFF, count: GRPCFrames.prefixLength) + message
    GRPCFrames.fillPrefix(of: &bytes)
    return bytes
  }

  @Test func prefixHasTheLength() {
    #expect(Self.frame([7, 8]) == [0, 0, 0, 0, 2, 7, 8])
    #expect(Self.frame([UInt8](repeating: 1, count: 0x0102_03)).prefix(5) == [0, 0, 1, 2, 3])
  }

  /// Messages of many lengths, cut into chunks at random places.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func messagesSurviveAnyChunks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let messages = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      [UInt8](repeating: .random(in: 0...255, using: &random), count: .random(in: 0...40, using: &random))
    }
    var rest = messages.flatMap(Self.frame)[...]
    var frames = GRPCFrames(limit: 40)
    var found: [[UInt8]] = []
    while !rest.isEmpty {
      let chunk = rest.prefix(.random(in: 1...20, using: &random))
      rest = rest.dropFirst(chunk.count)
      frames.append(Array(chunk))
      while let message = try frames.next() { found.append(message) }
    }
    #expect(found == messages && !frames.isInsideMessage)
  }

  @Test func noticesAnIncompleteMessage() throws {
    for count in 1..<7 {
      var frames = GRPCFrames(limit: 10)
      frames.append(Array(Self.frame([1, 2]).prefix(count)))
      try #expect(frames.next() == nil && frames.isInsideMessage)
    }
  }

  static let violations: [([UInt8], GRPCStatus, String)] = [
    ([], .internalError, "no message"), ([0, 0, 0], .internalError, "ends inside"),
    ([0, 0, 0, 0, 2, 1], .internalError, "ends inside"), ([1, 0, 0, 0, 0], .internalError, "compressed"),
    ([2, 0, 0, 0, 0], .internalError, "unknown flag"), ([0, 0, 0, 0, 0, 0], .internalError, "more than one"),
    ([0, 0xFF, 0xFF, 0xFF, 0xFF], .resourceExhausted, "4294967295 bytes"),
    ([0, 0, 0, 0, 11] + [UInt8](repeating: 0, count: 11), .resourceExhausted, "limits.max_response_bytes (10)"),
  ]

  @Test(arguments: violations)
  func oneMessageIsExpected(body: [UInt8], status: GRPCStatus, reason: String) {
    let error = #expect(throws: GRPCViolation.self) {
      try GRPCFrames.onlyMessage(of: body, limit: 10)
    }
    #expect(error?.status == status && error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func aMessageMayBeEmpty() throws {
    try #expect(GRPCFrames.onlyMessage(of: [0, 0, 0, 0, 0], limit: 0) == [])
  }
}
