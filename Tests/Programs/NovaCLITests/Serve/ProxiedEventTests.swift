import NovaTestSupport
import NovaTesting
import Testing

/// Events through a real nginx that has nothing but `proxy_pass`, and so buffers what it may.
@Suite(.hangLimit) struct ProxiedEventTests {
  @Test func eventsPassThroughAProxyThatBuffers() async throws {
    try await withServe { url, _ in
      let proxy = try NginxProxy(to: url)
      defer { proxy.stop() }
      let run = try ProgramRun(["watch", "user:user-0001", "-o", "ndjson", "--base-url", proxy.url])
      try await run.waitForErrors("watching")
      for follower in ["user-0007", "user-0008", "user-0009"] {
        let follow = try await ProgramRun(["follow", "user-0001", "--as", follower, "--base-url", url]).result()
        #expect(follow.status == 0, "\(follow.errors)")
        try await run.waitForOutput(follower)
      }
      run.signal(2)
      let result = try await run.result()
      #expect(!result.errors.contains("buffering") && !result.errors.contains("lost"), "\(result.errors)")
    }
  }
}
