import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Nothing of one user ever reaches another, whatever happens: no answer, event, file, cached byte or waiting write; and
/// no request of one carries another's token.
@Suite(.hangLimit) struct TwoUserWalkTests {
  @Test(arguments: TestDepth.cases(0..<400 as Range<UInt64>, sample: 16))
  func everyoneGetsTheirOwn(seed: UInt64) async throws {
    try await expectOwnData(seed: seed, by: .http)
  }

  #if GRPC
    @Test(arguments: TestDepth.cases(0..<200 as Range<UInt64>, sample: 8), [WalkWay.grpcInMemory, .grpcPort])
    func everyoneGetsTheirOwnOverGRPC(seed: UInt64, way: WalkWay) async throws {
      try await expectOwnData(seed: seed, by: way)
    }
  #endif

  private func expectOwnData(seed: UInt64, by way: WalkWay) async throws {
    let walk = try await TwoUserWalk(seed: seed, by: way)
    try await walk.run(steps: 80)
    try await walk.finish()
    await walk.readWhatIsStored()
    await walk.clients.shutDown()
    let faults = walk.faults
    #expect(
      faults.isEmpty, "\(way), seed \(seed): \(faults.joined(separator: "\n"))\nin\n\(walk.log.joined(separator: "\n"))"
    )
  }

  /// A walk on which nothing succeeds finds nothing.
  @Test(arguments: WalkWay.allCases) func everythingHappens(way: WalkWay) async throws {
    var succeeded: Set<WalkOperation.Kind> = [], askers: Set<String> = [], sources: Set<String> = []
    var changedCount = 0
    for seed in 1000..<1012 as Range<UInt64> {
      let walk = try await TwoUserWalk(seed: seed, by: way)
      try await walk.run(steps: 80)
      try await walk.finish()
      await walk.clients.shutDown()
      for operation in walk.operations {
        let outcome = operation.current
        // Receiving is what counts where there is something to receive.
        if !outcome.marks.isEmpty { sources.insert(operation.kind.rawValue) }
        if outcome.hasSucceeded { succeeded.insert(operation.kind) }
        if let error = outcome.error as? APIError, "\(error)".contains("since") { changedCount += 1 }
      }
      for owners in walk.gateway.state.withLock({ $0.askers.values }) { askers.formUnion(owners) }
    }
    #expect(Set(WalkOperation.Kind.allCases).subtracting(succeeded).isEmpty)
    let received = ["post", "profile", "followers", "somethings", "flush", "download", "bytes", "image", "follow"]
    #expect(Set(received).subtracting(sources).isEmpty)
    #expect(changedCount > 0, "no user has changed during a call")
    #expect(askers == Set(WalkGateway.users + [WalkGateway.nobody]))
  }
}
