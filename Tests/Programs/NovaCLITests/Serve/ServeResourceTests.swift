#if os(Linux)
  import Foundation
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// The program's resource use with malicious clients.
  @Suite(.enabled(if: !Sanitizer.watchesThreads, "the sanitizer needs much of both itself"))
  struct ServeResourceTests {
    private let call = Array("GET /api/v1/announcements HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

    private func port(_ run: ProgramRun) async throws -> UInt16 {
      let line = try await run.waitForOutput("\n")
      let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
      return try #require(UInt16(url.split(separator: ":").last ?? ""))
    }

    /// Seconds of CPU that a process has used.
    private func cpuSeconds(_ process: Int32) throws -> Double {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      let ticks = try #require(fields.count > 12 ? [Double(fields[11]), Double(fields[12])].compactMap(\.self) : nil)
      return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func residentMegabytes(_ process: Int32) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(line.split(separator: " ").compactMap { Int($0) }.first) / 1024
    }

    private func wait(_ condition: () async throws -> Bool) async throws {
      for _ in 0..<3000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      Issue.record("what was waited for did not come")
    }

    /// A server that tries again at once uses all of a CPU here.
    @Test func outOfDescriptorsItWaits() async throws {
      let limit = 64 + 4 * ProcessInfo.processInfo.processorCount
      let run = try ProgramRun(
        ["-c", "ulimit -n \(limit); exec \"$@\"", "sh", try ProgramRun.program().path, "serve", "--port", "0"],
        executable: URL(filePath: "/bin/sh"))
      let port = try await port(run)
      var sockets = try (0..<limit + 20).map { _ in try RawSocket.connected(to: Int(port)) }
      try await wait {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.processIdentifier)/fd").count >= limit
      }
      let before = try cpuSeconds(run.processIdentifier)
      try await Task.sleep(for: .seconds(3))
      let used = try cpuSeconds(run.processIdentifier) - before
      #expect(used < 1, "it used \(used) s of CPU in 3 s")
      sockets.removeAll()
      #expect(await exchange(call, port: port).hasPrefix("HTTP/1.1 200 "))
    }

    /// Requests without reading, and bodies without end, from many at once.
    @Test func memoryIsBounded() async throws {
      let run = try ProgramRun(["serve", "--port", "0"])
      let port = try await port(run)
      let body = #"{"user_id":"mock-user-id","limit":1000}"# + String(repeating: " ", count: 4000)
      let head = "POST /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      let request = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
      let half = Array("\(head)Content-Length: 8388608\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 8_000_000)
      let senders = try (0..<40).map { _ in try HostileClient(port: port) }
      let askers = try (0..<8).map { _ in try HostileClient(port: port) }
      let limit = 64 << 20
      for asker in askers {
        let sent = try await asker.flood(request, upTo: limit) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(sent < limit, "it read \(sent) bytes of a client that takes no answers")
      }
      for sender in senders { try sender.send(half) }
      #expect(await exchange(call, port: port).hasPrefix("HTTP/1.1 200 "), "others are served meanwhile")
      let memory = try residentMegabytes(run.processIdentifier)
      #expect(memory < (Sanitizer.watchesAddresses ? 1200 : 600), "it takes \(memory) MB")
      withExtendedLifetime((senders, askers)) {}
    }
  }
#endif
