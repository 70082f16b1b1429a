import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// `nova serve --state`: what was acknowledged is there after any end of the process.
@Suite struct ServeStateTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path

  private func post(to url: String, path: String, body: String) async -> String {
    guard let port = UInt16(url.split(separator: ":").last ?? "") else { return "" }
    let head =
      "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return await exchange(Array((head + body).utf8), port: port)
  }

  @Test func killedUnderLoadItLosesNothing() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var acknowledged: Set<String> = []
    for round in 0..<5 {
      let server = try await Serve(["--state", path])
      let url = server.url
      let known = acknowledged
      let answer = await post(
        to: url, path: "/api/v1/graph/is-following/batch",
        body:
          #"{"follower_id":"tester","followee_ids":[\#(known.sorted().suffix(100).map { "\"\($0)\"" }.joined(separator: ","))]}"#
      )
      #expect(!answer.contains("false"), "\(answer)")
      await withTaskGroup(of: String?.self) { group in
        for index in 0..<60 {
          let user = "r\(round)-\(index)"
          group.addTask {
            let answer = await post(
              to: url, path: "/api/v1/graph/follow", body: #"{"follower_id":"tester","followee_id":"\#(user)"}"#)
            return answer.contains("\"success\":true") ? user : nil
          }
        }
        var count = 0
        for await user in group {
          if let user { acknowledged.insert(user) }
          count += 1
          if count == 10 + round * 10 { server.run.signal(SIGKILL) }
        }
      }
      _ = try await server.run.result()
    }
    #expect(!acknowledged.isEmpty)
  }

  @Test func onAFullDiskChangesAreRefusedAndNothingAcknowledgedIsLost() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var (kept, refusal): ([String], String?) = ([], nil)
    let run = try ProgramRun(["serve", "--port", "0", "--state", path], onDiskOf: 64)
    let url = try #require(try await run.waitForOutput("\n").split(separator: " ").first { $0.hasPrefix("http://") })
    for index in 0..<1000 where refusal == nil {
      let answer = await post(to: String(url), path: "/api/v1/graph/follow", body: follow("u\(index)"))
      if answer.contains("\"success\":true") { kept.append("u\(index)") } else { refusal = answer }
    }
    let said = try #require(refusal)
    #expect(said.hasPrefix("HTTP/1.1 503 ") && said.contains("nothing was changed"), "\(said)")
    #expect(!kept.isEmpty)
    let isMuted = await post(to: String(url), path: "/api/v1/graph/is-muted", body: #"{"muter_id":"a","mutee_id":"b"}"#)
    #expect(isMuted.hasPrefix("HTTP/1.1 200 "), "who only reads is answered on")
    run.signal(SIGKILL)
    _ = try await run.result()
    try await withServe("--state", path) { url, _ in
      let list = kept.suffix(100).map { "\"\($0)\"" }.joined(separator: ",")
      let body = "{\"follower_id\":\"tester\",\"followee_ids\":[\(list)]}"
      let answer = await post(to: url, path: "/api/v1/graph/is-following/batch", body: body)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && !answer.contains("false"), "\(answer)")
      #expect(await post(to: url, path: "/api/v1/graph/follow", body: follow("later")).contains("\"success\":true"))
    }
  }

  private func follow(_ user: String) -> String { #"{"follower_id":"tester","followee_id":"\#(user)"}"# }

  /// A state with a few hundred changes, of which the first is damaged.
  private func makeDamagedState() async throws -> Data {
    try await withServe("--state", path) { url, run in
      let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
      let calls = (0..<400).map { follow("u\($0)") }.map { body in
        "POST /api/v1/graph/follow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      _ = await exchange(Array(calls.joined().utf8), port: port)
      run.signal(SIGKILL)
      _ = try await run.result()
    }
    var state = try Data(contentsOf: URL(fileURLWithPath: path))
    let second = try #require(state.firstIndex(of: UInt8(ascii: "\n"))) + 20
    state[second] ^= 1
    try state.write(to: URL(fileURLWithPath: path))
    return state
  }

  private func files() throws -> [String] {
    let url = URL(fileURLWithPath: path)
    return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent) }.sorted()
  }

  @Test func damageIsReportedAndKeptAside() async throws {
    let state = try await makeDamagedState()
    defer { for suffix in ["", ".damaged-1"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    // Without room for a repaired file, everything stays as it is.
    let full = try await ProgramRun(["serve", "--port", "0", "--state", path], onDiskOf: 64).result()
    #expect(full.status == 1 && full.errors.contains("cannot be written"), "\(full)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == state)
    #expect(try files().count == 1, "nothing is left behind")
    try await withServe("--state", path) { url, run in
      #expect(
        run.errors.hasPrefix("nova-serve: warning: the state file \(path) was damaged in line 2: "), "\(run.errors)")
      let answer = await post(
        to: url, path: "/api/v1/graph/is-following/batch",
        body: #"{"follower_id":"tester","followee_ids":["u0","u1","u399"]}"#)
      #expect(answer.contains(#""u0":false"#) && answer.contains(#""u1":true"#) && answer.contains(#""u399":true"#))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged-1")) == state)
  }

  @Test func mistakesAreNamedAndFilesLeftAlone() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await withServe("--state", path) { _, _ in
      let second = try await nova("serve", "--port", "0", "--state", path)
      #expect(second.status == 1 && second.errors.contains("is in use by another nova serve"))
    }
    let other = try await nova("serve", "--port", "0", "--state", path, "--seed", "2")
    #expect(other.status == 1 && other.errors.contains("began with seed 1, not 2"))
    try Data("my thesis\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await nova("serve", "--port", "0", "--state", path).errors.contains("is not a state of nova serve"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "my thesis\n")
    #expect(try await nova("serve", "--fault", "nonsense").status == 64)
  }

  @Test func faultsAndAdminCanBeChosen() async throws {
    try await withServe("--fault", "graph.IsMuted=drop", "--latency", "1ms±1") { url, _ in
      #expect(await post(to: url, path: "/api/v1/graph/is-muted", body: #"{"muter_id":"a","mutee_id":"b"}"#).isEmpty)
      #expect(await post(to: url, path: "/_nova/reset", body: "").hasPrefix("HTTP/1.1 200"))
      #expect(
        await post(to: url, path: "/api/v1/graph/is-muted", body: #"{"muter_id":"a","mutee_id":"b"}"#).hasPrefix(
          "HTTP/1.1 200"))
    }
    try await withServe("--no-admin") { url, _ in
      #expect(await post(to: url, path: "/_nova/reset", body: "").hasPrefix("HTTP/1.1 404"))
    }
  }
}
