import Testing

/// A cell of the table in docs/fleet.md: what a failure does to one of the things that machines share.
struct FleetOutcome: Sendable {
  let failure: FleetFailure
  let part: FleetPart
  let engines: [FleetEngine]
  let facts: [OutcomeFact]

  init(_ failure: FleetFailure, of part: FleetPart, on engines: FleetEngine..., facts: [OutcomeFact]) {
    (self.failure, self.part, self.engines, self.facts) = (failure, part, engines, facts)
  }

  /// All cells. Each needs a test that calls ``expect(_:of:on:_:sourceLocation:)`` with what it has observed.
  static let all: [FleetOutcome] = sessions + limits + cache + outbox

  private static let sessionsAway: [OutcomeFact] = [.validTokensAreUsed, .refreshesAreUnavailable, .refreshSucceeds]
  private static let sessions: [FleetOutcome] = [
    FleetOutcome(.partition, of: .sessions, on: .redis, .postgresql, facts: sessionsAway),
    FleetOutcome(.frozenStore, of: .sessions, on: .redis, .postgresql, facts: sessionsAway),
    FleetOutcome(.storeDown, of: .sessions, on: .redis, .postgresql, facts: sessionsAway),
    FleetOutcome(.restarted, of: .sessions, on: .redis, .postgresql, facts: [.refreshSucceeds]),
    FleetOutcome(.dataLost, of: .sessions, on: .redis, facts: [.sessionIsStoredAgain, .othersSignInAgain]),
    FleetOutcome(.failedOver, of: .sessions, on: .redis, facts: [.answerIsRepeated, .refreshSucceeds]),
    FleetOutcome(.fullMemory, of: .sessions, on: .redis, facts: sessionsAway),
    FleetOutcome(.fullDisk, of: .sessions, on: .postgresql, facts: sessionsAway),
    FleetOutcome(.killedMachine, of: .sessions, on: .redis, .postgresql, facts: [.otherMachineRefreshes]),
    FleetOutcome(
      .stoppedMachine, of: .sessions, on: .redis, .postgresql,
      facts: [.otherMachineRefreshes, .stoppedMachineUsesResult]),
    FleetOutcome(.wrongClocks, of: .sessions, on: .redis, .postgresql, facts: [.oneRefresh]),
  ]

  private static let limitsAway: [OutcomeFact] = [.openCallsGoThrough, .closedCallsAreRefused, .limitHolds]
  private static let limits: [FleetOutcome] = [
    FleetOutcome(.partition, of: .limits, on: .redis, .postgresql, facts: limitsAway),
    FleetOutcome(.frozenStore, of: .limits, on: .redis, .postgresql, facts: limitsAway),
    FleetOutcome(.storeDown, of: .limits, on: .redis, .postgresql, facts: limitsAway),
    FleetOutcome(.restarted, of: .limits, on: .redis, .postgresql, facts: [.limitContinues]),
    FleetOutcome(.dataLost, of: .limits, on: .redis, facts: [.oneMoreBurst]),
    FleetOutcome(.failedOver, of: .limits, on: .redis, facts: [.oneMoreBurst]),
    FleetOutcome(.fullMemory, of: .limits, on: .redis, facts: limitsAway),
    FleetOutcome(.fullDisk, of: .limits, on: .postgresql, facts: limitsAway),
    FleetOutcome(.killedMachine, of: .limits, on: .redis, .postgresql, facts: [.tokensExpire]),
    FleetOutcome(.stoppedMachine, of: .limits, on: .redis, .postgresql, facts: [.noTokenOfTheLeaseIsUsed]),
    FleetOutcome(.wrongClocks, of: .limits, on: .redis, .postgresql, facts: [.oneBudget]),
  ]

  private static let cacheAway: [OutcomeFact] = [.eachMachineLoads, .valuesAreShared]
  private static let cache: [FleetOutcome] = [
    FleetOutcome(.partition, of: .cache, on: .redis, facts: cacheAway),
    FleetOutcome(.frozenStore, of: .cache, on: .redis, facts: cacheAway),
    FleetOutcome(.storeDown, of: .cache, on: .redis, facts: cacheAway),
    FleetOutcome(.restarted, of: .cache, on: .redis, facts: [.valuesStay]),
    FleetOutcome(.dataLost, of: .cache, on: .redis, facts: [.valuesAreLoadedAgainOnce]),
    FleetOutcome(.failedOver, of: .cache, on: .redis, facts: [.valuesAreLoadedAgainOnce]),
    FleetOutcome(.fullMemory, of: .cache, on: .redis, facts: cacheAway),
    FleetOutcome(.killedMachine, of: .cache, on: .redis, facts: [.otherMachineLoads]),
    FleetOutcome(.stoppedMachine, of: .cache, on: .redis, facts: [.otherMachineLoads, .lateValueIsNotStored]),
    FleetOutcome(.wrongClocks, of: .cache, on: .redis, facts: [.oneValue]),
    FleetOutcome(.gatewayDown, of: .cache, on: .redis, facts: [.storedAnswersAreUsed]),
  ]

  private static let outboxAway: [OutcomeFact] = [.enqueueFails, .nothingIsSent, .deliveredOnceInOrder]
  private static let outbox: [FleetOutcome] = [
    FleetOutcome(.partition, of: .outbox, on: .postgresql, facts: outboxAway),
    FleetOutcome(.frozenStore, of: .outbox, on: .postgresql, facts: outboxAway),
    FleetOutcome(.storeDown, of: .outbox, on: .postgresql, facts: outboxAway),
    FleetOutcome(.restarted, of: .outbox, on: .postgresql, facts: [.deliveredOnceInOrder]),
    FleetOutcome(.fullDisk, of: .outbox, on: .postgresql, facts: outboxAway),
    FleetOutcome(.killedMachine, of: .outbox, on: .postgresql, facts: [.otherReplicaContinues]),
    FleetOutcome(
      .stoppedMachine, of: .outbox, on: .postgresql, facts: [.otherReplicaContinues, .lateReplicaChangesNothing]),
    FleetOutcome(.wrongClocks, of: .outbox, on: .postgresql, facts: [.waitsAreKept]),
    FleetOutcome(.gatewayDown, of: .outbox, on: .postgresql, facts: [.writesWait, .deliveredOnceInOrder]),
  ]

  /// The engines of a cell, for tests that run once for each.
  static func engines(_ failure: FleetFailure, of part: FleetPart) -> [FleetEngine] {
    all.first { $0.failure == failure && $0.part == part }?.engines ?? []
  }

  /// Compares what a test has observed with the table.
  static func expect(
    _ failure: FleetFailure, of part: FleetPart, on engine: FleetEngine, _ facts: [OutcomeFact],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let outcome = all.first { $0.failure == failure && $0.part == part && $0.engines.contains(engine) }
    #expect(
      outcome?.facts == facts, "the table has another outcome of \(failure) of \(part) on \(engine)",
      sourceLocation: sourceLocation)
  }
}
