import Foundation
import NovaCore
import NovaTestSupport

/// A random history of commands of two users in one home directory.
///
/// After each step, nothing of one user may have reached the other, and no request for one may have carried the other's
/// token. The first step after which that does not hold is thrown as a ``WalkFailure``, which has the history.
struct Walk {
  let desk: WalkDesk
  private let seed: UInt64
  private var random: SeededGenerator
  private var history: [String] = []
  /// Who is signed in, by seat.
  private var users: [WalkSeat: WalkUser] = [:]

  init(seed: UInt64) async throws {
    (self.seed, random, desk) = (seed, SeededGenerator(seed: seed), try await WalkDesk())
  }

  /// Signs in at both seats, takes the steps, and looks at what is left.
  mutating func run(steps: Int) async throws {
    try await take(WalkStep(seat: .main, action: .signIn(.amberly), disturbance: .none))
    try await take(WalkStep(seat: .side, action: .signIn(.birchen), disturbance: .none))
    for number in 1...steps { try await take(WalkStep(number, using: &random)) }
    // What each user, each token and nobody finds: in the store and the caches, and then at the gateway.
    let seats: [(WalkSeat, WalkAction)] = [
      (.main, .signIn(.amberly)), (.main, .signIn(.birchen)), (.main, .signOut), (.token(.amberly), .outboxList),
      (.token(.birchen), .outboxList),
    ]
    for (seat, action) in seats {
      try await take(WalkStep(seat: seat, action: action, disturbance: .none))
      for read in WalkAction.Read.allCases {
        try await take(WalkStep(seat: seat, action: .read(read, .offline), disturbance: .none))
      }
      for media in WalkMedia.allCases {
        let download = WalkAction.download(media, isCached: true)
        try await take(WalkStep(seat: seat, action: download, disturbance: .down))
        try await take(WalkStep(seat: seat, action: download, disturbance: .none))
      }
      for action in [WalkAction.resumeAll, .flush, .outboxList] {
        try await take(WalkStep(seat: seat, action: action, disturbance: .none))
      }
    }
    try desk.checkFiles { failure($0) }
  }

  /// Takes a step, and checks what it has done.
  private mutating func take(_ step: WalkStep) async throws {
    let step = step.possible(with: users)
    history.append("\(history.count). \(step) as \(users[step.seat]?.rawValue ?? "nobody")")
    let known = desk.gateway.problems.count
    let runs: [WalkRun]
    do { runs = try await WalkStage(desk: desk, users: users).runs(of: step) } catch { throw failure("\(error)") }
    history[history.count - 1] += " -> \(runs.map { "\($0.result.status)" }.joined(separator: ", "))"
    if let problem = desk.gateway.problems.dropFirst(known).first { throw failure(problem, runs) }
    for run in runs {
      if let problem = run.problem(in: desk, isUndisturbed: step.disturbance.isNone) { throw failure(problem, runs) }
    }
    try desk.removeCopies()
    for seat in [WalkSeat.main, .side] {
      do { users[seat] = try await desk.user(at: seat) } catch { throw failure("\(error)", runs) }
    }
  }

  private func failure(_ problem: String, _ runs: [WalkRun] = []) -> WalkFailure {
    let output = runs.map { "\($0.action): \($0.result)" }.joined(separator: "\n")
    return WalkFailure(
      description: """
        seed \(seed): \(problem)
        history:
        \(history.joined(separator: "\n"))
        requests of the last step:
        \(desk.gateway.log.joined(separator: "\n"))
        output of the last step:
        \(output)
        """)
  }
}

/// What went wrong in a walk, and how to get there.
struct WalkFailure: Error, CustomStringConvertible {
  let description: String
}
