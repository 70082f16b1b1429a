import Foundation
import NovaCore
import NovaTestSupport
import Testing

#if os(Linux)
  /// What becomes of interrupted uploads: resumed, refused, cancelled.
  @Suite(.timeLimit(.minutes(3))) struct UploadsCommandTests {
    private static let chunk = 16 << 10

    /// A folder with an upload that was killed after its first chunk.
    private struct Desk {
      let gateway: KillingGateway
      let folder: TemporaryFolder
      let path: String
      let id: String

      init() async throws {
        gateway = try KillingGateway(chunkSize: chunk)
        folder = try TemporaryFolder()
        path = try folder.write([UInt8](repeating: 7, count: 3 * chunk), to: "walk.bin")
        gateway.endClient(with: SIGKILL, at: 2, .before)
        let upload = try ProgramRun(
          ["upload", path, "--as", "ada", "-q", "--base-url", gateway.url], environment: ["HOME": folder.path])
        gateway.setVictim(upload.processIdentifier)
        _ = try await upload.result()
        let list = try await ProgramRun(
          ["uploads", "list", "-o", "ids", "--base-url", gateway.url], environment: ["HOME": folder.path]
        ).result()
        id = try #require(list.lines.first, "\(list)")
      }

      func uploads(_ arguments: String..., at url: String? = nil) async throws -> RunResult {
        try await ProgramRun(
          ["uploads"] + arguments + ["--base-url", url ?? gateway.url], environment: ["HOME": folder.path]
        ).result()
      }
    }

    @Test func aChangedFileIsRefused() async throws {
      let desk = try await Desk()
      _ = try desk.folder.write([UInt8](repeating: 8, count: 3 * Self.chunk + 1), to: "walk.bin")
      let before = desk.gateway.requests.count
      let run = try await desk.uploads("resume", desk.id, "-q")
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("changed"), "\(run)")
      #expect(desk.gateway.requests.count == before, "nothing is sent")
    }

    @Test func anotherGatewaysUploadsStay() async throws {
      let desk = try await Desk()
      let all = try await desk.uploads("resume", "--all", at: "http://127.0.0.1:1")
      #expect(all.status == 0 && all.output.isEmpty, "\(all)")
      #expect(all.errors.hasPrefix("uploads to \(desk.gateway.url) are not resumed"), "\(all)")
      #expect(try await desk.uploads("resume", desk.id, at: "http://127.0.0.1:1").status == 1)
      #expect(try await desk.uploads("resume", desk.id, "-q", "-o", "ids").lines == Array(desk.gateway.started))
    }

    @Test func aCancelledUploadIsGone() async throws {
      let desk = try await Desk()
      let unasked = try await desk.uploads("cancel", desk.id)
      #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked)")
      let terminal = try PseudoTerminal(
        ["uploads", "cancel", desk.id, "--base-url", desk.gateway.url], showsErrors: true, readsKeys: true,
        environment: ["HOME": desk.folder.path, "NO_COLOR": "1"])
      try await terminal.wait(for: "Cancel upload \"\(desk.id)\"? [y/N] ")
      try terminal.type("n\n")
      #expect(try await terminal.status() == 1)
      let before = desk.gateway.requests.count
      let cancel = try await desk.uploads("cancel", desk.id, "--yes")
      #expect(cancel.status == 0 && cancel.errors == "the upload of walk.bin is cancelled\n", "\(cancel)")
      #expect(try await desk.uploads("list", "-o", "ids").output.isEmpty)
      #expect(try await desk.uploads("resume", desk.id).status == 5)
      #expect(desk.gateway.requests.count == before && desk.folder.names.contains("walk.bin"))
    }
  }
#endif
