import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// The commands of docs/fleet-outbox.md, on a real server.
@Suite(.hangLimit) struct DatabaseOutboxTests {
  /// A signed-in user, and a database with an outbox.
  private final class Desk: Sendable {
    let offline: OfflineDesk
    let database: PostgreSQLServer

    init() async throws {
      offline = try await OfflineDesk()
      database = try PostgreSQLServer()
      let run = try await run("prepare")
      try #require(run.status == 0 && run.errors == "the outbox in schema nova is ready\n", "\(run)")
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> RunResult {
      if arguments == ["prepare"] {
        return try await ProgramRun(["outbox", "prepare", "--postgres", database.url]).result()
      }
      return try await offline.run(["outbox"] + arguments + ["--postgres", database.url], environment: environment)
    }

    /// Queues a like as any client of the database does.
    func enqueue(_ post: String, user: String = "mock-user-id") throws {
      try database.ask(
        """
        SELECT nova.enqueue('\(user)', '\(offline.server.url)/', 'social.CreateLike', \
        '{"userId": "\(user)", "postId": "\(post)"}')
        """)
    }

    func count() throws -> String { try database.ask("SELECT count(*) FROM nova.outbox_entries") }
  }

  @Test func thePrintedSQLCreatesTheOutbox() async throws {
    let database = try PostgreSQLServer()
    func list(_ schema: String) async throws -> RunResult {
      try await nova("outbox", "list", "--postgres", database.url, "--schema", schema)
    }
    let missing = try await list("queue")
    #expect(
      missing.status == 5 && missing.errors.contains("there is no outbox in schema queue of this database")
        && missing.errors.contains("`nova outbox prepare --postgres <url>`"), "\(missing)")
    let sql = try await nova("outbox", "schema", "--schema", "queue")
    #expect(sql.status == 0 && sql.errors.isEmpty, "\(sql)")
    try database.ask(sql.output)
    #expect(try await list("queue").errors == "0 changes\n")
    // The same as what a service creates, and complete.
    let prepare = try await nova("outbox", "prepare", "--postgres", database.url, "--schema", "queue")
    #expect(prepare.status == 0 && prepare.errors == "the outbox in schema queue is ready\n", "\(prepare)")
    #expect(try await list("nova").status == 5)
    #expect(try await list("a-b").status == 64)
    #expect(try await nova("outbox", "schema", "--schema", "1x").status == 64)
    let later = "UPDATE queue.outbox_version SET version = 999"
    try database.ask(later)
    let newer = try await nova("outbox", "prepare", "--postgres", database.url, "--schema", "queue")
    #expect(newer.status == 1 && newer.errors.contains("update this program"), "\(newer)")
  }

  @Test func whatWaitsIsListedSentAndChanged() async throws {
    let desk = try await Desk()
    for post in ["post-1", "no-such-post"] { try desk.enqueue(post) }
    try desk.enqueue("post-1", user: "ada")
    let list = try await desk.run("list", "-o", "json")
    let entries = try list.json["entries"]?.elements ?? []
    #expect(entries.map { $0["about"]?.stringValue } == ["Post/post-1", "Post/no-such-post", "Post/post-1"], "\(list)")
    #expect(entries.map { $0["user_id"]?.stringValue } == ["mock-user-id", "mock-user-id", "ada"], "\(list)")
    #expect(try await desk.run("show", "2").json["post_id"] == .string("no-such-post"))
    // Only those of the signed-in user are sent.
    let flush = try await desk.run("flush")
    #expect(flush.status == 5 && flush.errors.hasPrefix("sent 1 change, 1 refused\nnova: 1 change was refused: "))
    #expect(flush.errors.contains("`nova outbox retry <id> --postgres <url>`"), "\(flush)")
    let again = try await desk.run("flush")
    #expect(again.status == 0 && again.errors.contains("1 change was refused earlier"), "\(again)")
    let wrong = try await desk.run("edit", "2", #"{"user_id":"mock-user-id","postid":"post-2"}"#)
    #expect(wrong.status == 65 && wrong.errors.contains("did you mean post_id?"), "\(wrong)")
    #expect(try await desk.run("edit", "2", #"{"user_id":"mock-user-id","post_id":"post-2"}"#).status == 0)
    #expect(
      try await desk.run("flush", "-o", "ndjson").output
        == #"{"sent_count":1,"refused_count":0,"waiting_count":0}"# + "\n")
    #expect(try await desk.run("retry", "--all").errors == "queued 0 refused changes again\n")
    #expect(try await desk.run("discard", "3", "--yes").errors == "discarded social.CreateLike #3\n")
    #expect(try await desk.run("show", "3").status == 5)
    #expect(try desk.count() == "0")
    // What cannot be sent waits.
    try desk.enqueue("post-3")
    desk.offline.server.stop()
    let unreachable = try await desk.run("flush")
    #expect(
      unreachable.status == 6 && unreachable.errors.hasPrefix("sent 0 changes, 1 still waiting\n"), "\(unreachable)")
  }

  @Test func deliveryContinuesWhenTheDatabaseIsBack() async throws {
    let desk = try await Desk()
    let deliver = try ProgramRun(
      ["outbox", "deliver", "--postgres", desk.database.url, "--base-url", desk.offline.server.url],
      environment: ["HOME": desk.offline.folder.path])
    try await deliver.waitForErrors("sending changes as they come")
    try desk.enqueue("post-1")
    try await waitUntil { try desk.count() == "0" }
    desk.database.kill()
    try await deliver.waitForErrors("the outbox's database failed")
    try desk.database.start()
    try desk.enqueue("post-2")
    try await waitUntil { try desk.count() == "0" }
    deliver.signal(SIGTERM)
    let end = try await deliver.result()
    #expect(end.status == 0 && end.errors.hasSuffix("sent 2 changes\n"), "\(end)")
  }

  @Test func passwordsComeFromFilesAndAreNeverShown() async throws {
    let desk = try await Desk()
    let database = desk.database
    try database.ask("CREATE ROLE app LOGIN PASSWORD 'right-secret'")
    try Data("local all postgres trust\nlocal all all scram-sha-256\n".utf8)
      .write(to: URL(filePath: "\(database.folder.path)/data/pg_hba.conf"))
    try database.ask("SELECT pg_reload_conf()")
    let url = "host=\(database.folder.path) user=app dbname=postgres"
    let file = try desk.offline.folder.write("\(database.folder.path):*:*:app:right-secret\n", to: "passwords")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    func list(_ url: String, _ environment: [String: String] = [:]) async throws -> RunResult {
      let run = try await ProgramRun(["outbox", "list", "--postgres", url], environment: environment).result()
      #expect(!"\(run)".contains("secret"))
      return run
    }
    try await waitUntil { try await list(url).status == 4 }
    #expect(try await list(url).errors.contains("no password supplied"))
    #expect(try await list(url, ["PGPASSWORD": "wrong-secret"]).errors.contains("PGPASSFILE, or PGPASSWORD"))
    // The password is right, and the role has no rights yet.
    let denied = try await list(url, ["PGPASSFILE": file])
    #expect(denied.status == 4 && denied.errors.contains("SQLSTATE 42501"), "\(denied)")
    try database.ask(
      "GRANT USAGE ON SCHEMA nova TO app; GRANT SELECT ON ALL TABLES IN SCHEMA nova TO app")
    #expect(try await list(url, ["PGPASSFILE": file]).errors == "0 changes\n")
    let open = try await list("\(url) password=right-secret")
    #expect(open.status == 0 && open.errors.contains("other users of this machine can read the password"), "\(open)")
    #expect(try await list("postgresql://app:right-secret@localhost:notaport/postgres").status == 64)
    #expect(try await list("postgresql://app:right-secret@\(database.folder.path)/x").status != 0)
    database.kill()
    let down = try await list(url, ["PGPASSFILE": file])
    #expect(down.status == 6 && down.errors.contains("no connection to PostgreSQL"), "\(down)")
  }

  /// The roles of the page can do what it says, and its SQL queues writes.
  @Test func theSQLOfThePageRuns() async throws {
    let desk = try await Desk()
    try desk.database.ask("CREATE ROLE app LOGIN; CREATE ROLE operator LOGIN")
    let blocks = try GuidePage("docs/fleet-outbox.md").blocks("sql")
    #expect(blocks.count == 4)
    for block in blocks { try desk.database.ask(block) }
    #expect(try desk.count() == "2")
    try desk.database.ask("SET ROLE app; SELECT nova.enqueue('ada', 'http://localhost/', 'social.CreateLike', '{}')")
    let url = desk.database.url.replacing("user=postgres", with: "user=operator")
    func run(_ arguments: String...) async throws -> RunResult {
      try await desk.offline.run(["outbox"] + arguments + ["--postgres", url])
    }
    #expect(try await run("discard", "3", "--yes").status == 0)
    #expect(try await run("edit", "1", #"{"user_id":"ada","post_id":"7"}"#).status == 0)
    #expect(try await run("flush").errors == "sent 0 changes\n")
    #expect(try await run("list", "-o", "ids").lines == ["1", "2"])
  }

  @Test(arguments: ["edit 1 {}", "deliver", "prepare", "list --schema queue", "flush --schema queue"])
  func theDatabaseMustBeNamed(command: String) async throws {
    let run = try await ProgramRun(["outbox"] + command.split(separator: " ").map(String.init)).result()
    #expect(run.status == 64 && run.errors.contains("--postgres"), "\(run)")
  }
}
