import NovaSupport
import Testing

@testable import NovaRedis

struct RedisWaitersTests {
  private let begin = ContinuousClock.now
  private let timeout = Duration.seconds(2)

  private func at(_ seconds: Double) -> ContinuousClock.Instant {
    begin.advanced(by: .milliseconds(Int(seconds * 1000)))
  }

  private func waiters(_ starts: Double...) -> RedisWaiters {
    var waiters = RedisWaiters(timeout: timeout)
    for (index, start) in starts.enumerated() {
      waiters.append(
        RedisWaiters.Waiter(
          reply: FirstResult(), deadline: at(start) + timeout, start: index, channel: nil))
    }
    return waiters
  }

  /// Replies arrived after the first command was sent, so the connection is not dead; the others' deadlines count.
  @Test func deadlinesBehindAnExpiredCommandAreSeen() {
    var waiters = waiters(0, 0.05, 1)
    #expect(waiters.nextDeadline == at(2))
    let first = waiters.expire(at: at(2), lastRead: at(0.1))
    #expect(first.waiters.map(\.start) == [0] && !first.isDead)
    #expect(waiters.nextDeadline == at(2.05))
    let second = waiters.expire(at: at(2.05), lastRead: at(0.1))
    #expect(second.waiters.map(\.start) == [1] && !second.isDead)
    #expect(waiters.nextDeadline == at(3))
    // Nothing has arrived since it was sent.
    let third = waiters.expire(at: at(3), lastRead: at(0.1))
    #expect(third.waiters.map(\.start) == [2] && third.isDead)
  }

  @Test func repliesThatCameTooLateKeepTheirPlaces() {
    var waiters = waiters(0, 0.5)
    _ = waiters.expire(at: at(2), lastRead: at(1))
    #expect(waiters.popFirst()?.start == 0)
    // Nobody is late anymore.
    #expect(waiters.nextDeadline == at(2.5))
    #expect(waiters.popFirst()?.start == 1 && waiters.popFirst() == nil && waiters.nextDeadline == nil)
  }

  @Test func aConnectionWithoutRepliesDiesAlthoughNobodyWaits() {
    var waiters = waiters(0)
    #expect(!waiters.expire(at: at(2), lastRead: at(1)).isDead)
    #expect(waiters.nextDeadline == at(4))
    #expect(!waiters.expire(at: at(4), lastRead: at(3)).isDead)
    #expect(waiters.nextDeadline == at(6))
    #expect(waiters.expire(at: at(6), lastRead: at(3)).isDead)
  }
}
