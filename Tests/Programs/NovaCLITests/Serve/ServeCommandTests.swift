import Foundation
import NovaTestSupport
import Testing

@Suite struct ServeCommandTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func signalsStopItWellAndFreeThePort(_ signal: Int32) async throws {
    try await withServe { url, run in
      let port = try #require(Int(url.split(separator: ":").last ?? ""))
      #expect(run.output == "nova serve: listening on \(url) (seed 1)\n")
      let idle = try RawSocket.connecting(to: port)
      run.signal(signal)
      let result = try await run.result()
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(!RawSocket.accepts(port: port))
      withExtendedLifetime(idle) {}
      let again = try ProgramRun(["serve", "--port", "\(port)"])
      try await again.waitForOutput(url)
    }
  }

  @Test func aPortInUseIsAFailure() async throws {
    try await withServe { url, _ in
      let port = try #require(url.split(separator: ":").last)
      let run = try await nova("serve", "--port", String(port))
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("nova-serve: cannot listen on \(url): the port is in use; "))
    }
  }

  @Test func theSeedDecidesTheData() async throws {
    var lists: [String] = []
    for seed in ["7", "7", "8"] {
      try await withServe("--seed", seed) { url, _ in
        lists.append(try await nova("followers", "mock-user-id", "--base-url", url, "-o", "ids").output)
      }
    }
    #expect(lists[0] == lists[1])
    #expect(lists[0] != lists[2])
  }

  @Test func requestsAreLoggedWhenAskedFor() async throws {
    try await withServe("--log") { url, run in
      _ = try await nova("followers", "mock-user-id", "--base-url", url)
      run.signal(SIGTERM)
      let log = try await run.result().errors
      #expect(log.hasPrefix("POST /api/v1/graph/followers 200 "))
      #expect(log.hasSuffix(" ms\n"))
    }
  }

  @Test func otherMachinesAreWarnedAbout() async throws {
    let run = try ProgramRun(["serve", "--port", "0", "--host", "0.0.0.0"])
    let line = try await run.waitForOutput("\n")
    #expect(line.hasPrefix("nova serve: listening on http://0.0.0.0:"))
    #expect(run.errors.hasPrefix("nova-serve: warning: other machines can reach 0.0.0.0"))
    #expect(try await nova("serve", "--host", "example.com").status == 64)
    #expect(try await nova("serve", "--port", "70000").status == 64)
  }

  @Test func namesCanBeAllowed() async throws {
    try await withServe("--allowed-host", "nova.test") { url, _ in
      let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
      for (host, status) in [("nova.test", "404"), ("other.test", "403")] {
        let answer = await exchange(Array("GET /nowhere HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8), port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      }
    }
    for name in ["", "http://nova.test", "nova.test:80", "a b", "a..b", ".test", "."] {
      #expect(try await nova("serve", "--port", "0", "--allowed-host=\(name)").status == 64)
    }
  }

  @Test func tokensCanBeRequired() async throws {
    try await withServe("--require-tokens") { url, _ in
      let refused = try await nova("followers", "mock-user-id", "--base-url", url)
      #expect(refused.status == 4 && refused.errors.contains("missing access token"), "\(refused.errors)")
      #expect(try await nova("pets", "--base-url", url).status == 0)
    }
  }

  @Test func aCallThatFailsOnItHasAnExitCode() async throws {
    try await withServe { url, _ in
      let run = try await nova("followers", "x", "--base-url", "\(url)/elsewhere")
      #expect(run.status == 5)
    }
  }
}
