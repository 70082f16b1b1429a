import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaOffline
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

/// Random histories: users read and write, the network comes and goes, programs start again.
@Suite struct HistoryTests {
  /// Nobody but the user of the store changes anything, so whatever is stored must be what the gateway says.
  @Test(arguments: TestDepth.cases(1...8 as ClosedRange<UInt64>, sample: 2))
  func whatIsStoredIsWhatTheGatewaySays(seed: UInt64) async throws {
    let history = try History(seed: seed)
    for step in 1...300 {
      try await history.step(step)
      try await history.checkLists(step)
    }
    try await history.settle()
    try await history.compare(.onlySure)
  }

  /// Others change things, too: after everything was read again, it must be what the gateway says.
  @Test(arguments: TestDepth.cases(21...28 as ClosedRange<UInt64>, sample: 2))
  func whatIsReadAgainIsWhatTheGatewaySays(seed: UInt64) async throws {
    let history = try History(seed: seed, others: 3)
    for step in 1...300 { try await history.step(step) }
    try await history.settle()
    try await history.readAll()
    try await history.compare(.all)
  }

  /// Others change things, and the program gets their events: what is stored with an age is what the gateway says.
  @Test(arguments: TestDepth.cases(41...48 as ClosedRange<UInt64>, sample: 2))
  func whatEventsHaveChangedIsWhatTheGatewaySays(seed: UInt64) async throws {
    let history = try History(seed: seed, others: 30)
    try await history.readAll()
    try await history.goLive()
    for step in 1...300 {
      try await history.step(step)
      try await history.checkLists(step)
    }
    try await history.settle()
    try await history.catchUp()
    try await history.compare(.onlySure)
  }
}
