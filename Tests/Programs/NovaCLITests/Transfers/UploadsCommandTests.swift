import Foundation
import NovaCore
import NovaTestSupport
import Testing

#if os(Linux)
  /// What becomes of interrupted uploads: resumed, refused, cancelled.
  @Suite(.hangLimit) struct UploadsCommandTests {
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

    /// Without a network or in offline mode, there is nothing to resume. What may have arrived stays.
    @Test(arguments: [("--offline", "http://127.0.0.1:9", 0), ("-q", "http://127.0.0.1:9", 0), ("-q", "", 1)])
    func whatWasNeverSentIsNotRecorded(option: String, url: String, count: Int) async throws {
      let gateway = try KillingGateway(chunkSize: Self.chunk)
      if url.isEmpty { gateway.endClient(with: SIGINT, at: 1, .before) }
      let folder = try TemporaryFolder()
      let path = try folder.write([UInt8](repeating: 7, count: Self.chunk), to: "walk.bin")
      let target = ["--base-url", url.isEmpty ? gateway.url : url]
      let upload = try ProgramRun(
        ["upload", path, "--as", "ada", option] + target, environment: ["HOME": folder.path])
      gateway.setVictim(upload.processIdentifier)
      let result = try await upload.result()
      #expect(result.status == (url.isEmpty ? 130 : 6), "\(result)")
      #expect(result.errors.contains("uploads resume") == (count > 0), "\(result)")
      let list = try await ProgramRun(["uploads", "list", "-o", "ids"] + target, environment: ["HOME": folder.path])
        .result()
      #expect(list.lines.count == count, "\(list)")
    }

    @Test func aChangedFileIsRefused() async throws {
      let desk = try await Desk()
      _ = try desk.folder.write([UInt8](repeating: 8, count: 3 * Self.chunk + 1), to: "walk.bin")
      let before = desk.gateway.requests.count
      let run = try await desk.uploads("resume", desk.id, "-q")
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("changed"), "\(run)")
      #expect(run.errors.contains("file. Remove it with `nova uploads cancel \(desk.id)`."), "\(run)")
      #expect(!run.errors.contains("uploads resume"), "\(run)")
      try FileManager.default.removeItem(atPath: desk.path)
      let removed = try await desk.uploads("resume", desk.id, "-q")
      #expect(removed.status == 1 && removed.errors.contains("it was removed or renamed"), "\(removed)")
      #expect(desk.gateway.requests.count == before, "nothing is sent")
    }

    @Test func anotherGatewaysUploadsStay() async throws {
      let desk = try await Desk()
      let all = try await desk.uploads("resume", "--all", at: "http://127.0.0.1:1")
      #expect(all.status == 0 && all.output.isEmpty, "\(all)")
      #expect(all.errors.hasPrefix("uploads to \(desk.gateway.url) are not resumed"), "\(all)")
      let command = "nova uploads resume \(desk.id)"
      let one = try await desk.uploads("resume", desk.id, at: "http://127.0.0.1:1")
      #expect(one.status == 1 && one.errors.contains("at another gateway, \(desk.gateway.url)\n"), "\(one)")
      #expect(one.errors.contains("\n        \(command) --base-url \(desk.gateway.url)\n"), "\(one)")
      _ = try await desk.uploads("list")
      let context = try await ProgramRun(
        ["context", "add", "walk", "--base-url", desk.gateway.url], environment: ["HOME": desk.folder.path]
      ).result()
      #expect(context.status == 0, "\(context)")
      let named = try await desk.uploads("resume", desk.id, at: "http://127.0.0.1:1")
      #expect(named.errors.contains("`\(command) --context walk`"), "\(named)")
      #expect(try await desk.uploads("resume", desk.id, "-q", "-o", "ids").lines == Array(desk.gateway.started))
    }

    @Test func aRunningUploadIsLeftAlone() async throws {
      let desk = try await Desk()
      // As another program that sends it.
      let journal = open("\(desk.folder.path)/.local/state/nova/uploads/\(desk.id).upload", O_RDWR)
      try #require(journal >= 0 && flock(journal, LOCK_EX) == 0)
      defer { close(journal) }
      for (action, arguments) in [("resume", ["resume", desk.id]), ("cancel", ["cancel", desk.id, "--yes"])] {
        let run = try await ProgramRun(
          ["uploads"] + arguments + ["--base-url", desk.gateway.url], environment: ["HOME": desk.folder.path]
        ).result()
        #expect(
          run.status == 1
            && run.errors.hasPrefix("nova: cannot \(action) upload \"\(desk.id)\": another program is sending it\n"),
          "\(run)")
      }
      let list = try await desk.uploads("list", "-o", "ids")
      #expect(list.output.isEmpty && list.errors == "upload \(desk.id) is being sent by another program\n", "\(list)")
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
