#if os(Linux)
  import Foundation
  import NovaLibc
  import NovaCore
  import NovaTestSupport
  import Testing

  @testable import NovaCache

  /// Starts this program as another process, and kills it in the middle of a write.
  @Suite(.hangLimit)
  struct KilledWriterTests {
    private static let variable = "NOVA_CACHE_WRITER"

    private static func key(_ number: Int) throws -> CacheKey {
      CacheKey(url: try HTTPURL(parsing: "http://localhost/\(number)"), identity: nil)
    }

    private static func body(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 200_000) }
    private static let head = StoredHead(HTTPResponse(status: 200), requestTime: 1, responseTime: 2)

    private static func stored(_ store: DiskStore, _ number: Int) throws -> [UInt8]? {
      guard case .disk(let file)? = store.responses(for: try key(number)).first?.body else { return nil }
      return file.readBody()
    }

    /// The other process: stores two responses, starts to replace the second and to write a third, and stops.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func write() throws {
      let directory = try #require(ProcessInfo.processInfo.environment[Self.variable])
      let store = DiskStore(directory: directory, limit: 10 << 20)
      for number in 0..<2 { store.insert(Self.head, Self.body(number), for: try Self.key(number), at: 1000) }
      let writers = try (1..<3).map { number in
        let writer = try #require(store.writer(Self.head, for: try Self.key(number), length: 200_000))
        try writer.append([UInt8](repeating: 9, count: 100_000))
        return writer
      }
      print("half written")
      fflush(nil)
      // It also ends if it is not killed.
      alarm(60)
      withExtendedLifetime(writers) { _ = pause() }
    }

    @Test func leaveWholeResponsesOnly() async throws {
      let folder = try TemporaryFolder()
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let run = try ProgramRun(
        ["--testing-library", "swift-testing", "--filter", "NovaCacheTests.KilledWriterTests/write"],
        executable: URL(filePath: program), environment: [Self.variable: folder.path])
      try await run.waitForOutput("half written")
      run.signal(SIGKILL)
      #expect(try await run.result().status == 128 + SIGKILL)

      let store = DiskStore(directory: folder.path, limit: 10 << 20)
      #expect(try Self.stored(store, 0) == Self.body(0))
      #expect(try Self.stored(store, 1) == Self.body(1))
      #expect(try Self.stored(store, 2) == nil)
      #expect(store.healed == 0)
      #expect(try leftovers(folder).count == 2)
      // The next process writes the same responses, and a later eviction removes the leftovers.
      store.insert(Self.head, Self.body(2), for: try Self.key(2), at: 1000)
      #expect(try Self.stored(store, 2) == Self.body(2))
      let later = Date().timeIntervalSince1970 + 7200
      for number in 3..<10 { store.insert(Self.head, Self.body(number), for: try Self.key(number), at: later) }
      #expect(try leftovers(folder).isEmpty)
    }

    private func leftovers(_ folder: TemporaryFolder) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".tmp-") }
    }
  }
#endif
