/// What a test has observed of a failure. The cells of the table in docs/fleet.md are made of these.
enum OutcomeFact: Hashable, Sendable {
  // While it lasts.
  case validTokensAreUsed, refreshesAreUnavailable
  case openCallsGoThrough, closedCallsAreRefused
  case eachMachineLoads
  case enqueueFails, nothingIsSent, writesWait

  // Afterwards.
  case refreshSucceeds, sessionIsStoredAgain, othersSignInAgain, answerIsRepeated
  case limitHolds, limitContinues, oneBudget, oneMoreBurst
  case valuesAreShared, storedAnswersAreUsed, valuesStay, oneValue, valuesAreLoadedAgainOnce
  case deliveredOnceInOrder

  // Machines.
  case otherMachineRefreshes, stoppedMachineUsesResult, oneRefresh
  case tokensExpire, noTokenOfTheLeaseIsUsed
  case otherMachineLoads, lateValueIsNotStored
  case otherReplicaContinues, lateReplicaChangesNothing, waitsAreKept

  var text: String {
    switch self {
    case .validTokensAreUsed: "valid tokens are used"
    case .refreshesAreUnavailable: "refreshes fail with `unavailable`"
    case .openCallsGoThrough: "`open`: calls go through"
    case .closedCallsAreRefused: "`closed`: calls are refused at their deadline"
    case .eachMachineLoads: "each machine loads for itself"
    case .enqueueFails: "`enqueue` fails, and your transaction with it"
    case .nothingIsSent: "nothing is sent"
    case .writesWait: "writes wait, and replicas probe the gateway"
    case .refreshSucceeds: "afterwards, refreshes succeed"
    case .sessionIsStoredAgain: "a machine that has the session in memory stores it again"
    case .othersSignInAgain: "users whom no machine has in memory sign in again"
    case .answerIsRepeated:
      "a refresh that the replica lacks is repeated under its key, and the gateway repeats its answer"
    case .limitHolds: "afterwards, the limit holds"
    case .limitContinues: "the limit continues where it was"
    case .oneBudget: "all machines use one budget"
    case .oneMoreBurst: "the limit begins again: one more burst, once"
    case .valuesAreShared: "afterwards, values are shared"
    case .storedAnswersAreUsed: "stored answers are used until they expire"
    case .oneValue: "all machines use one value"
    case .valuesStay: "values stay"
    case .valuesAreLoadedAgainOnce: "each value is loaded again, by one machine"
    case .deliveredOnceInOrder: "afterwards, each write is delivered once, in order"
    case .otherMachineRefreshes: "another machine refreshes within the lease"
    case .stoppedMachineUsesResult: "the stopped one uses its result"
    case .oneRefresh: "one machine refreshes, the others use its result"
    case .tokensExpire: "its leased tokens are lost, once"
    case .noTokenOfTheLeaseIsUsed: "it calls with none of the tokens it had leased"
    case .otherMachineLoads: "a waiting machine loads within `loadTime`"
    case .lateValueIsNotStored: "what the stopped one loads is not stored"
    case .otherReplicaContinues: "another replica continues within the lease"
    case .lateReplicaChangesNothing: "what the stopped one does later changes nothing"
    case .waitsAreKept: "waits end by the database's clock, in all replicas"
    }
  }
}
