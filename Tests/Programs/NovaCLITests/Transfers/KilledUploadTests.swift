import Foundation
import NovaCore
import NovaCrypto
import NovaTestSupport
import Testing

#if os(Linux)
  /// Uploads whose program is killed at any step are completed by `nova uploads resume`: nothing is lost, nothing is
  /// sent twice but the chunk on its way, and no second upload is started.
  @Suite(.hangLimit) struct KilledUploadTests {
    private static let chunk = 16 << 10
    /// Two full chunks, and a part of one.
    private static let size = 2 * chunk + 4321
    /// The requests of such an upload.
    private static let steps = ["start", "bytes", "bytes", "bytes", "progress", "complete"]

    private static let kills = steps.indices.flatMap { step in KillingGateway.Moment.allCases.map { (step, $0) } }

    private static func content() -> [UInt8] {
      var generator = SeededGenerator(seed: 7)
      return (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    @Test func theStepsAreThese() async throws {
      let gateway = try KillingGateway(chunkSize: Self.chunk)
      let folder = try TemporaryFolder()
      let run = try await Self.upload(gateway, folder).result()
      #expect(run.status == 0, "\(run.errors)")
      #expect(gateway.requests.map(\.step) == Self.steps)
    }

    @Test(arguments: kills) func aKilledUploadIsResumed(_ step: Int, _ moment: KillingGateway.Moment) async throws {
      let gateway = try KillingGateway(chunkSize: Self.chunk)
      let folder = try TemporaryFolder()
      gateway.endClient(with: SIGKILL, at: step, moment)
      let killed = try Self.upload(gateway, folder)
      gateway.setVictim(killed.processIdentifier)
      let result = try await killed.result()
      #expect(result.status == 137 && result.output.isEmpty, "\(result)")

      let resumed = try await Self.nova(["uploads", "resume", "--all", "-o", "ids"], at: gateway, in: folder).result()
      let steps = gateway.requests.map(\.step).joined(separator: " ")
      #expect(resumed.status == 0, "\(resumed.errors) after \(steps)")
      #expect(gateway.started.count == 1 && resumed.lines == Array(gateway.started), "\(resumed) after \(steps)")
      let sent = gateway.requests.reduce(0) { $0 + $1.byteCount }
      #expect(sent <= Self.size + Self.chunk, "\(steps)")
      let stored = try await gateway.bytes(of: resumed.lines.first ?? "")
      #expect(
        try SHA256.digest(of: stored) == SHA256.digest(of: Self.content()), "\(stored.count) bytes after \(steps)")

      let list = try await Self.nova(["uploads", "list", "-o", "ids"], at: gateway, in: folder).result()
      #expect(list.status == 0 && list.output.isEmpty, "\(list)")
    }

    private static func upload(_ gateway: KillingGateway, _ folder: TemporaryFolder) throws -> ProgramRun {
      let path = try folder.write(content(), to: "walk.bin")
      return try nova(["upload", path, "--as", "ada", "--quiet"], at: gateway, in: folder)
    }

    private static func nova(
      _ arguments: [String], at gateway: KillingGateway, in folder: TemporaryFolder
    ) throws -> ProgramRun {
      try ProgramRun(arguments + ["--base-url", gateway.url], environment: ["HOME": folder.path])
    }
  }
#endif
