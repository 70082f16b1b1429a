import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// `nova serve --scenario`: real programs, files, and sockets, with a frozen clock.
@Suite struct ScenarioServeTests {
  private static let likeCount = "/api/v1/social/likes/count"

  private func inFolder(_ json: String, _ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString).json").path
    try Data(json.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func send(_ method: String, _ path: String, body: String = "", to url: String) async throws -> String {
    var walk = try RepeatedWalk(url: url)
    return try await walk.responses(to: [.init(method: method, path: path, body: body)])[0].bytes
  }

  private func status(post: Int = 1, at url: String) async throws -> String {
    let answer = try await send("POST", Self.likeCount, body: #"{"post_id":"post-\#(post)"}"#, to: url)
    return String(answer.dropFirst(9).prefix(3))
  }

  private func advance(_ seconds: Int, _ url: String) async throws {
    let answer = try await send("POST", "/_nova/clock", body: #"{"advance_seconds":\#(seconds)}"#, to: url)
    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
  }

  @Test func theExampleRunsStepByStep() async throws {
    let example = Checkout.root.appending(path: "Examples/Chaos/evening.json").path
    try await withServe("--scenario", example, "--now", "2025-01-01", "--freeze") { url, _ in
      #expect(try await status(at: url) == "200")
      let position = try await send("POST", "/api/v1/events/list", body: #"{"topics":["post:post-1"]}"#, to: url)
      try await advance(180, url)
      // Thirty of a hundred, decided by each request.
      var failures = 0
      for post in 1...40 where try await status(post: post, at: url) == "503" { failures += 1 }
      #expect((3...25).contains(failures), "\(failures) of 40")
      try await advance(100, url)
      #expect(try await send("POST", "/api/v1/events/list", body: #"{"topics":["post:post-1"]}"#, to: url) != position)
      let shown = try await send("GET", "/_nova/scenario", to: url)
      #expect(shown.contains(#""name":"a bad evening""#) && shown.contains(#""elapsed":"4min 40s""#), "\(shown)")
      let stopped = try await send("DELETE", "/_nova/scenario", to: url)
      #expect(stopped.contains(#""scenario":null"#), "\(stopped)")
    }
  }

  @Test func requestsAtTheSameTimeGetTheSameFaultsInEachRun() async throws {
    let json = #"{"seed":7,"steps":[{"from":0,"faults":["social.*=503@30%"]}]}"#
    try await inFolder(json) { path in
      var runs: [[String]] = []
      for _ in 1...2 {
        try await withServe("--scenario", path) { url, _ in
          let statuses = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for post in 1...60 { group.addTask { (post, try await status(post: post, at: url)) } }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
          }
          runs.append((1...60).map { statuses[$0] ?? "" })
        }
      }
      #expect(runs[0] == runs[1])
      #expect(Set(runs[0]) == ["200", "503"])
    }
  }

  @Test(arguments: [
    (#"{"steps":[{"from":"2min","to":"1min","faults":"503"}]}"#, "step 1: to: expected a time after 2min, got 1min"),
    (#"{"steps":[{"at":0,"do":"sign out"},{"from":0,"faults":["socail=503"]}]}"#, "step 2: faults: invalid fault rule"),
    ("{", "not JSON"),
  ])
  func mistakesEndItBeforeItListens(_ json: String, _ problem: String) async throws {
    try await inFolder(json) { path in
      let run = try await nova("serve", "--port", "0", "--scenario", path)
      #expect(run.status != 0 && run.output.isEmpty, "\(run)")
      #expect(run.errors.contains("invalid scenario: \(path): ") && run.errors.contains(problem), "\(run.errors)")
    }
  }

  @Test func aMissingFileIsNamed() async throws {
    let run = try await nova("serve", "--port", "0", "--scenario", "/dev/null/none.json")
    #expect(run.status != 0 && run.errors.contains("/dev/null/none.json"), "\(run.errors)")
    #expect(try await nova("serve", "--scenario=").status == 64)
  }
}
