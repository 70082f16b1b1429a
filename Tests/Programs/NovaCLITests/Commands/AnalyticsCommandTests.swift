import Foundation
import NovaCore
import NovaMock
import NovaSQLite
import NovaTestSupport
import NovaTesting
import NovaTracking
import Testing

@Suite(.hangLimit) struct AnalyticsCommandTests {
  private let folder: TemporaryFolder
  private let backend = MockBackend(dataSet: .empty)
  private let server: FaultServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FaultServer { [backend] in backend.respond(to: $0) }
  }

  private var directory: String {
    "\(folder.path)/.local/state/nova/analytics/\(server.url.dropFirst("http://".count).replacing(":", with: "_"))"
  }

  private func analytics(_ arguments: String...) async throws -> RunResult {
    try await ProgramRun(
      ["analytics"] + arguments + ["--base-url", server.url], environment: ["HOME": folder.path]
    ).result()
  }

  private func fill(_ count: Int) async -> EventTracker {
    let tracker = EventTracker(directory: directory)
    for _ in 0..<count { tracker.track("post_opened") }
    _ = await tracker.status
    return tracker
  }

  @Test func showCreatesNothing() async throws {
    defer { server.stop() }
    let run = try await analytics("show")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("WAITING COUNT") && run.output.contains(directory), "\(run)")
    #expect(folder.names.isEmpty)
  }

  @Test func showHasTheCountsAndTheEvents() async throws {
    defer { server.stop() }
    let tracker = await fill(3)
    tracker.track("No Name")
    _ = await tracker.status
    let run = try await analytics("show", "-o", "json")
    let record = try JSONValue(jsonUTF8: Array(run.output.utf8))
    #expect(record["waiting_count"]?.integerValue == 3 && record["rejected_count"]?.integerValue == 1, "\(run)")
    #expect(record["opted_out"] == .bool(false) && record["oldest_at"]?.integerValue ?? 0 > 1_700_000_000, "\(run)")
    let events = try await analytics("show", "--events", "-o", "json")
    let list = try JSONValue(jsonUTF8: Array(events.output.utf8))
    #expect(list["events"]?.elements?.count == 3, "\(events)")
    let table = try await analytics("show", "--events", "--template", "{{sequence}} {{name}}")
    #expect(table.lines == ["1 post_opened", "2 post_opened", "3 post_opened"], "\(table)")
    #expect(server.requestCount == 0)
  }

  @Test func flushSendsThem() async throws {
    defer { server.stop() }
    let tracker = await fill(120)
    let run = try await analytics("flush")
    #expect(run.status == 0 && run.output.isEmpty && run.errors == "sent 120 events\n", "\(run)")
    #expect(backend.analyticsEvents.count == 120)
    #expect(await tracker.status.waitingCount == 0)
    let again = try await analytics("flush", "-o", "ndjson")
    #expect(again.output == "{\"sent_count\":0,\"rejected_count\":0}\n", "\(again)")
  }

  /// What cannot be read cannot be sent.
  @Test(arguments: ["newer", "folder", "damaged", "place"]) func flushFailsIfTheDatabaseCannotBeUsed(_ what: String)
    async throws
  {
    defer { server.stop() }
    let database = "\(directory)/analytics.db"
    switch what {
    case "newer":
      _ = await fill(2)
      // Over a connection of its own: the tracker may still have the file open.
      try SQLiteConnection(opening: database).setUserVersion(99)
    case "folder": try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
    case "damaged":
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data("this is no database, whatever its name says".utf8).write(to: URL(fileURLWithPath: database))
    default:
      let parent = URL(fileURLWithPath: directory).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: directory))
    }
    let run = try await analytics("flush")
    #expect(run.status == 1 && run.errors.contains("nova: cannot send all events: "), "\(what): \(run)")
    #expect(server.requestCount == 0)
  }

  @Test func flushFailsAsOtherCommandsDo() async throws {
    let tracker = await fill(2)
    server.stop()
    let run = try await analytics("flush", "--timeout", "5s")
    #expect(run.status == 6, "\(run)")
    #expect(await tracker.status.waitingCount == 2)
  }

  @Test func offDeletesAndOnBeginsAgain() async throws {
    defer { server.stop() }
    let tracker = await fill(2)
    let unasked = try await analytics("off")
    #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked)")
    let off = try await analytics("off", "--yes")
    #expect(off.status == 0 && off.errors == "analytics are off in \(directory); deleted 2 events\n", "\(off)")
    tracker.track("post_opened")
    let status = await tracker.status
    #expect(status.isOptedOut && status.waitingCount == 0)
    #expect(try await analytics("show", "-o", "json").output.contains("\"opted_out\": true"))
    #expect(try await analytics("on").status == 0)
    let later = await fill(1)
    #expect(await later.status.waitingCount == 1)
  }
}
