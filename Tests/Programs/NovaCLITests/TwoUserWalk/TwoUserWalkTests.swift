import NovaTestSupport
import Testing

#if os(Linux)
  /// Two users with one home directory: one cache, one store, one outbox, and sessions that change in the middle of
  /// commands. What one reads, writes, uploads, downloads and watches never reaches the other.
  ///
  /// A failure has the seed and the steps. At full depth, a walk begins with the steps that its seed has in a sample.
  @Suite(.hangLimit) struct TwoUserWalkTests {
    @Test(arguments: TestDepth.cases(UInt64(1)...24, sample: 2))
    func nothingReachesTheOther(seed: UInt64) async throws {
      var walk = try await Walk(seed: seed)
      try await walk.run(steps: TestDepth.isFull() ? 60 : 25)
    }

    /// Another user signs in during the first of several uploads, whose token is then refused.
    @Test func theRestOfACommandIsNotSentForAnother() async throws {
      let desk = try await WalkDesk()
      let signIn = WalkStep(seat: .main, action: .signIn(.amberly), disturbance: .none)
      _ = try await WalkStage(desk: desk, users: [:]).runs(of: signIn)
      let upload = WalkStep(
        seat: .main, action: .uploadAll, disturbance: .switched(at: 0, signsOut: false, signsIn: true, then: .expired))
      let runs = try await WalkStage(desk: desk, users: [.main: .amberly]).runs(of: upload)
      #expect(desk.gateway.problems.isEmpty)
      #expect(desk.gateway.completedUploadCount == 0)
      #expect(runs.last?.result.status == 4, "\(runs.map(\.result))")
    }
  }
#endif
