import NovaLibc
import NovaTestSupport

#if os(Linux)
  /// The processes of a walk, by their places: two on each of two machines, whose clocks are minutes apart.
  struct WalkProcesses {
    private struct Member {
      let name: String
      let run: ProgramRun
    }

    private static let clocks = [-180, 300]

    private let stage: WalkStage
    private let seed: Int
    private var running: [Member] = []
    /// All that were ever started: their output counts, too.
    private var all: [Member] = []

    init(_ stage: WalkStage, seed: Int) async throws {
      (self.stage, self.seed) = (stage, seed)
      for place in 0..<4 { running.append(try start(place)) }
      for member in running { try await member.run.waitForOutput("ready") }
    }

    var names: [String] { running.map(\.name) }

    private mutating func start(_ place: Int) throws -> Member {
      let name = "\(["A", "B"][place % 2])\(place / 2).\(all.count)"
      let run = try stage.start(name, on: place % 2, seed: seed &+ all.count, clock: Self.clocks[place % 2])
      let member = Member(name: name, run: run)
      all.append(member)
      return member
    }

    /// Kills a process, and starts another one in its place.
    ///
    /// - Returns: false if it does not run.
    mutating func replace(_ name: String) async throws -> Bool {
      guard let place = running.firstIndex(where: { $0.name == name }) else { return false }
      running[place].run.signal(SIGKILL)
      _ = try await running[place].run.result()
      running[place] = try start(place)
      try await running[place].run.waitForOutput("ready")
      return true
    }

    /// Waits until each process has sent something for both users since now.
    func waitForProgress() async throws {
      let before = stage.gateway.traffic.requests
      try await waitUntil {
        let now = stage.gateway.traffic.requests
        return names.allSatisfy { name in
          stage.users.allSatisfy { now["\(name) \($0.id)", default: 0] >= before["\(name) \($0.id)", default: 0] + 3 }
        } || !problems.isEmpty
      }
    }

    /// Waits for the ends of the processes, which have to deliver what is queued.
    func waitForEnd() async throws -> [String] {
      var unfinished: [String] = []
      for member in running {
        let result = try await member.run.result()
        if result.status != 0 || result.lines.last != "ended" {
          unfinished.append(
            "process \(member.name) ended with \(result.status): \(result.output.suffix(2000))\(result.errors)")
        }
      }
      return unfinished
    }

    func kill() { for member in running { member.run.signal(SIGKILL) } }

    /// What went wrong so far, for a person to read.
    var problems: [String] {
      let printed = all.flatMap { member in
        let own = lines(of: member).filter {
          !Self.words.contains($0.split(separator: " ").first.map(String.init) ?? "")
        }
        // Logs are no problems.
        let crashes = member.run.errors.split(separator: "\n").map(String.init).filter { $0.contains("Fatal error") }
        return (own + crashes).map { "process \(member.name) printed: \($0)" }
      }
      return stage.gateway.traffic.problems + printed
    }

    private static let words: Set<String> = ["ready", "sent", "done", "ended"]

    /// The keys after a word in the output of all processes.
    func keys(_ word: String) -> [String] {
      all.flatMap { lines(of: $0) }.filter { $0.hasPrefix("\(word) ") }.map { String($0.dropFirst(word.count + 1)) }
    }

    private func lines(of member: Member) -> [String] {
      member.run.output.split(separator: "\n").map(String.init)
    }
  }
#endif
