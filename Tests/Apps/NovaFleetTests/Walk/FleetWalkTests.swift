import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaTestSupport
import Testing

#if os(Linux)
  /// Two users, four processes on two machines, shared stores, and a gateway whose tokens expire and rotate. One process
  /// after the other is killed and replaced. What is one user's never reaches the other, and each write takes effect once.
  @Suite(.serialized, .hangLimit) struct FleetWalkTests {
    /// At which request the next process is killed; nil for any moment.
    private static let traps: [WalkGateway.Trap?] = [.refresh, .delivery, nil, .write, .refresh, .read]

    @Test(arguments: [("redis", true), ("postgresql", false)])
    func processesAreKilledAndNothingIsMixed(engine: String, onNetworks: Bool) async throws {
      // Where the test may not make networks, the processes are all on this computer.
      let machines = onNetworks ? (try? [WalkMachine(), WalkMachine()]) ?? [] : []
      let stage = try await WalkStage(sessionsOn: engine, machines: machines)
      defer { stage.stop() }
      let seed = Int(TestDepth.seed)
      var processes = try await WalkProcesses(stage, seed: seed)
      defer { processes.kill() }
      let rounds = TestDepth.isFull() ? 24 : 6
      for round in 0..<rounds where processes.problems.isEmpty {
        try await processes.waitForProgress()
        try await killOne(&processes, stage, trap: Self.traps[round % Self.traps.count], random: seed &+ round)
      }
      try await processes.waitForProgress()
      try stage.endWalk()
      let unfinished = processes.problems.isEmpty ? try await processes.waitForEnd() : []
      let problems = processes.problems + unfinished
      let summary = summary(stage, machines)
      #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))\n\(summary)")
      guard problems.isEmpty else { return }
      try await checkWrites(stage, summary)
      try await checkShares(stage, processes, summary: summary)
      try await checkSessions(stage, summary)
      let excess = stage.gateway.traffic.excess(rate: WalkStage.rate, burst: WalkStage.burst)
      #expect(excess == nil, "\(excess ?? ""); \(summary)")
    }

    private func killOne(
      _ processes: inout WalkProcesses, _ stage: WalkStage, trap: WalkGateway.Trap?, random: Int
    ) async throws {
      defer { stage.gateway.release() }
      guard let trap else {
        #expect(try await processes.replace(processes.names[random % 4]))
        return
      }
      var isDone = false
      while !isDone, processes.problems.isEmpty {
        stage.gateway.hold(trap)
        try await waitUntil { stage.gateway.caught != nil || !processes.problems.isEmpty }
        // What an earlier process has sent can come late.
        isDone = try await processes.replace(stage.gateway.caught ?? "")
        stage.gateway.release()
      }
    }

    // MARK: After the walk

    /// Each committed write took effect once, in the order of its user, and no write that was rolled back did.
    private func checkWrites(_ stage: WalkStage, _ summary: String) async throws {
      let statistics = try await FleetOutbox(try PostgreSQLPool(stage.postgreSQL.url)).statistics()
      #expect(statistics.waiting == 0 && statistics.dead == 0, "\(statistics) \(summary)")
      for user in stage.users {
        let query = "SELECT key FROM walk.writes WHERE user_id = '\(user.id)' ORDER BY n"
        let committed = try stage.postgreSQL.ask(query).split(separator: "\n").map(String.init)
        let effects = stage.gateway.traffic.effects.filter { !$0.key.hasPrefix("share-") && $0.body.contains(user.id) }
        #expect(effects.map(\.key) == committed, "the writes of \(user.id) beside those committed; \(summary)")
        #expect(!committed.isEmpty && effects.allSatisfy { $0.user == user.id }, "\(summary)")
      }
    }

    /// Each write that was sent at once took effect at most once, and those that succeeded did.
    private func checkShares(_ stage: WalkStage, _ processes: WalkProcesses, summary: String) async throws {
      let effects = stage.gateway.traffic.effects.map(\.key).filter { $0.hasPrefix("share-") }
      let (sent, done) = (Set(processes.keys("sent")), Set(processes.keys("done")))
      #expect(Set(effects).count == effects.count, "shares that took effect twice; \(summary)")
      #expect(done.subtracting(effects).isEmpty && Set(effects).subtracting(sent).isEmpty, "\(summary)")
      #expect(try await stage.shareCount() == effects.count && !done.isEmpty, "\(summary)")
    }

    /// Both users are still signed in, with tokens of their own.
    private func checkSessions(_ stage: WalkStage, _ summary: String) async throws {
      let fleet = try stage.sessions()
      for user in stage.users {
        let session = try await fleet.sessions(of: user.id).session()
        #expect(session?.user.id == user.id, "\(summary)")
        #expect(session?.accessToken.secretValue.hasPrefix("access.\(user.id).") == true, "\(summary)")
      }
      #expect(stage.gateway.tokens.refreshes >= 4, "\(summary)")
    }

    private func summary(_ stage: WalkStage, _ machines: [WalkMachine]) -> String {
      let (traffic, tokens) = (stage.gateway.traffic, stage.gateway.tokens)
      return """
        on \(machines.count) networks; users \(stage.users.map(\.argument)); \(traffic.effects.count) writes, \
        \(traffic.repetitions) repeated; \(tokens.refreshes) refreshes, \(tokens.repetitions) repeated; \
        expired tokens were sent by \(traffic.refusals); requests \(traffic.requests)
        """
    }
  }
#endif
