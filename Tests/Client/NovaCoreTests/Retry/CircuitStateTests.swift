import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// What programs see of a breaker.
@Suite struct CircuitStateTests {
  private let clock = ManualClock()
  private let breaker = CircuitBreaker(failureLimit: 2, pause: .seconds(5))

  private func origin(_ text: String = "https://a.example") throws -> HTTPOrigin { try HTTPURL(parsing: text).origin }

  private func state(_ text: String = "https://a.example") throws -> CircuitBreaker.State {
    breaker.state(of: try origin(text), at: clock.now)
  }

  @Test func followsTheCircuit() throws {
    let host = "https://a.example"
    #expect(try state() == .closed)
    breaker.failed(host, .passed, at: clock.moment)
    #expect(try state() == .closed)
    breaker.failed(host, .passed, at: clock.moment)
    #expect(try state() == .open(until: clock.now.advanced(by: .seconds(5))))
    #expect(try state("https://b.example") == .closed)
    clock.advance(by: .seconds(5))
    #expect(try state() == .halfOpen)
    let test = breaker.admit(host, at: clock.moment)
    #expect(test == .probing)
    #expect(try state() == .halfOpen)
    breaker.failed(host, test, at: clock.moment)
    #expect(try state() == .open(until: clock.now.advanced(by: .seconds(5))))
    breaker.succeeded(host)
    #expect(try state() == .closed)
  }

  @Test func changesArriveInOrderAndOnlyOnce() async throws {
    let host = "https://a.example"
    let start = clock.now
    var changes = breaker.changes().makeAsyncIterator()
    for _ in 0..<4 { breaker.failed(host, .passed, at: clock.moment) }
    clock.advance(by: .seconds(5))
    _ = breaker.admit(host, at: clock.moment)
    _ = breaker.admit(host, at: clock.moment)
    for _ in 0..<3 { breaker.succeeded(host) }
    breaker.failed(host, .passed, at: clock.moment)
    breaker.succeeded(host)
    for _ in 0..<2 { breaker.failed("https://b.example", .passed, at: clock.moment) }
    var seen: [CircuitBreaker.Change] = []
    while seen.count < 4, let change = await changes.next() { seen.append(change) }
    #expect(
      seen == [
        .init(origin: host, state: .open(until: start.advanced(by: .seconds(5)))),
        .init(origin: host, state: .halfOpen), .init(origin: host, state: .closed),
        .init(origin: "https://b.example", state: .open(until: start.advanced(by: .seconds(10)))),
      ])
  }

  @Test func hostsThatFailedOnceAreForgottenInTheEnd() throws {
    let now = clock.moment
    for _ in 0..<2 { breaker.failed("https://a.example", .passed, at: now) }
    for number in 0..<255 { breaker.failed("https://h\(number).example", .passed, at: now) }
    #expect(try state() != .closed)
    breaker.failed("https://last.example", .passed, at: now)
    #expect(try state() == .closed)
  }
}
