import NovaCore
import NovaSocial
import Testing

@testable import NovaMock

@Suite struct IdempotencyKeyLimitTests {
  private let request = CreateShareRequest(userId: "u")
  private var keys = IdempotencyKeys()

  private func id(_ number: Int) throws -> IdempotencyKeys.ID {
    try IdempotencyKeys.ID(caller: nil, rpc: "social.CreateShare", key: "k\(number)")
  }

  private mutating func store(_ number: Int, bytes: Int = 2, now: Int64 = 0) throws {
    keys.store(
      HTTPResponse(status: 200, body: Array(repeating: 0, count: bytes)), for: try id(number), request: request,
      now: now)
  }

  private func isKept(_ number: Int, now: Int64 = 0) throws -> Bool {
    try keys.answer(for: try id(number), request: request, now: now) != nil
  }

  @Test mutating func theNewestAreKept() throws {
    let count = IdempotencyKeys.maxCount
    for number in 0..<count + 10 { try store(number) }
    #expect(keys.count == count)
    #expect(try !isKept(9) && isKept(10) && isKept(count + 9))
  }

  @Test mutating func bodiesHaveBoundedMemory() throws {
    for number in 0..<20 { try store(number, bytes: IdempotencyKeys.maxBytes / 4) }
    #expect(keys.count == 4)
    #expect(try !isKept(15) && isKept(16) && isKept(19))
    try store(20, bytes: IdempotencyKeys.maxBytes + 1)
    #expect(keys.count == 0)
    try store(21)
    #expect(try isKept(21))
  }

  @Test mutating func expiredEntriesAreDroppedOnInsertion() throws {
    for number in 0..<100 { try store(number, now: Int64(number)) }
    try store(100, now: IdempotencyKeys.lifetime + 49)
    #expect(keys.count == 51)
    #expect(try !isKept(49, now: 0) && isKept(50, now: 0))
  }

  @Test mutating func restoringAKeyRestartsItsLifetime() throws {
    try store(1, now: 100)
    try store(2, now: 0)  // the clock was set back
    #expect(try !isKept(2, now: IdempotencyKeys.lifetime) && isKept(1, now: IdempotencyKeys.lifetime))
    try store(2, now: IdempotencyKeys.lifetime)
    try store(3, now: IdempotencyKeys.lifetime + 100)
    #expect(try !isKept(1, now: 0) && isKept(2, now: IdempotencyKeys.lifetime) && keys.count == 2)
  }
}
