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
    try await deliver.waitForErrors("the outbox's database can be reached again")
    try desk.enqueue("post-2")
    try await waitUntil { try desk.count() == "0" }
    deliver.signal(SIGTERM)
    let end = try await deliver.result()
    #expect(end.status == 0 && end.errors.hasSuffix("sent 2 changes\n"), "\(end)")
  }

  @Test func deliveryReportsRefusalsAndAGatewayThatIsAway() async throws {
    let desk = try await Desk()
    let deliver = try ProgramRun(
      ["outbox", "deliver", "--postgres", desk.database.url, "--base-url", desk.offline.server.url],
      environment: ["HOME": desk.offline.folder.path])
    try desk.enqueue("no-such-post")
    try await deliver.waitForErrors("social.CreateLike #1 was refused: not found")
    let gateway = "\(desk.offline.server.url)/"
    desk.offline.server.stop()
    try desk.enqueue("post-1")
    try await deliver.waitForErrors(
      "the gateway \(gateway) cannot be reached: connection refused; it is probed until it answers")
    deliver.signal(SIGTERM)
    let end = try await deliver.result()
    #expect(end.status == 0 && end.errors.hasSuffix("sent 0 changes, 1 refused\n"), "\(end)")
    #expect(end.errors.components(separatedBy: "cannot be reached").count == 2, "\(end)")
  }

  @Test func whatNeedsARefusedChangeIsBlocked() async throws {
    let desk = try await Desk()
    let (user, gateway) = ("mock-user-id", "\(desk.offline.server.url)/")
    try desk.database.ask(
      """
      SELECT nova.enqueue('\(user)', '\(gateway)', 'social.CreateComment',
        '{"userId": "\(user)", "postId": "no-such-post", "content": "First!"}', new_id => 'local:1');
      SELECT nova.enqueue('\(user)', '\(gateway)', 'social.UpdateComment',
        '{"userId": "\(user)", "commentId": "local:1", "content": "Second!"}')
      """)
    #expect(try await desk.run("flush").status == 5)
    let flush = try await desk.run("flush")
    #expect(flush.status == 1 && flush.errors.contains("nova: #2 waits for #1, which was refused\n"), "\(flush)")
    #expect(flush.errors.contains("`nova outbox edit 1 <request> --postgres <url>`"), "\(flush)")
    let entries = try await desk.run("list", "-o", "json").json["entries"]?.elements ?? []
    #expect(entries.map { $0["state"] } == [.string("refused"), .string("blocked")])
    #expect(entries.last?["blocked_by"] == .number("1"))
    let list = try await desk.run("list")
    #expect(list.errors == "2 changes\n#2 waits for #1, which was refused: retry, edit or discard #1\n", "\(list)")
    let retry = try await desk.run("retry", "2")
    #expect(
      retry.status == 1 && retry.errors.hasPrefix("nova: #2 waits for #1, which was refused; retry, "), "\(retry)")
    let discard = try await desk.run("discard", "1", "--yes")
    #expect(
      discard.status == 1
        && discard.errors.hasSuffix("#2 (blocked by #1) needs\n      Drop them all with --cascade.\n"), "\(discard)")
    #expect(try await desk.run("discard", "1", "--cascade", "--yes").status == 0)
    #expect(try desk.count() == "0")
  }

  @Test func anotherReplicaThatDeliversIsNamed() async throws {
    let desk = try await Desk()
    try desk.enqueue("post-1")
    try desk.database.ask(
      """
      INSERT INTO nova.outbox_subjects (subject, owner, wake_at)
      VALUES ('user:mock-user-id at \(desk.offline.server.url)/', 'web-1:4711', now() + interval '1 hour')
      """)
    let flush = try await desk.run("flush")
    #expect(flush.status == 1 && flush.errors.hasPrefix("sent 0 changes, 1 still waiting\n"), "\(flush)")
    #expect(
      flush.errors.contains("nova: another replica, web-1:4711, delivers the changes of this user; its lease ends in 3")
        && flush.errors.contains("`nova outbox flush --postgres <url>` again later"), "\(flush)")
  }

  @Test func changesForAnotherGatewayAreCounted() async throws {
    let desk = try await Desk()
    try desk.enqueue("post-1")
    try desk.database.ask(
      "SELECT nova.enqueue('mock-user-id', 'http://gateway.example', 'social.CreateLike', '{}')")
    let list = try await desk.run("list")
    #expect(
      list.errors
        == "2 changes\n1 change is for another gateway than \(desk.offline.server.url)/: a replica sends only "
        + "those with exactly its base URL\n", "\(list)")
  }

  /// The database accepts requests whose values have the wrong types. They are refused, and can be seen and corrected.
  @Test func requestsThatCannotBeReadAreNotHidden() async throws {
    let desk = try await Desk()
    for _ in 0..<2 {
      try desk.database.ask(
        """
        SELECT nova.enqueue('mock-user-id', '\(desk.offline.server.url)/', 'social.CreateLike', \
        '{"userId": "mock-user-id", "postId": {"id": 42}}')
        """)
    }
    try desk.enqueue("post-1")
    let flush = try await desk.run("flush")
    #expect(flush.status != 0 && flush.errors.contains("2 changes were refused"), "\(flush)")
    #expect(flush.errors.hasPrefix("sent 1 change, 2 refused\n"), "\(flush)")
    let list = try await desk.run("list")
    #expect(list.status == 0 && list.errors.contains("#1 (social.CreateLike, refused) and #2"), "\(list)")
    let show = try await desk.run("show", "1")
    #expect(show.status == 0 && show.output.contains(#"{"id": 42}"#), "\(show)")
    let discard = try await desk.run("discard", "1", "--yes")
    #expect(discard.status == 0 && discard.errors.contains("discarded #1, which could not be read"), "\(discard)")
    let edit = try await desk.run("edit", "2", #"{"userId": "mock-user-id", "postId": "post-2"}"#)
    #expect(edit.status == 0, "\(edit)")
    #expect(try await desk.run("flush").status == 0)
    #expect(try desk.count() == "0")
  }

  /// The server names what it does not have; that is a wrong setting. A role that it does not let in is not allowed.
  @Test(arguments: [
    ("user=nobody-here dbname=postgres", 64, "does not exist"), ("user=postgres dbname=nowhere", 64, "does not exist"),
    ("user=locked dbname=postgres", 4, "is not permitted to log in"),
  ]) func aConnectionThatIsRefused(settings: String, status: Int32, reason: String) async throws {
    let database = try PostgreSQLServer()
    try database.ask("CREATE ROLE locked NOLOGIN")
    let run = try await nova("outbox", "list", "--postgres", "host=\(database.folder.path) \(settings)")
    #expect(run.status == status && run.errors.contains(reason), "\(run)")
    #expect(!run.errors.contains("may have run"), "\(run)")
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
    #expect(blocks.count == 6)
    for block in blocks { try desk.database.ask(block.hasPrefix("GRANT") ? block : "SET ROLE app; \(block)") }
    #expect(try desk.count() == "3")
    try desk.database.ask("SET ROLE app; SELECT nova.enqueue('ada', 'http://localhost/', 'social.CreateLike', '{}')")
    let url = desk.database.url.replacing("user=postgres", with: "user=operator")
    func run(_ arguments: String...) async throws -> RunResult {
      try await desk.offline.run(["outbox"] + arguments + ["--postgres", url])
    }
    #expect(try await run("discard", "4", "--yes").status == 0)
    #expect(try await run("edit", "1", #"{"user_id":"ada","post_id":"7"}"#).status == 0)
    #expect(try await run("flush").errors == "sent 0 changes\n")
    #expect(try await run("list", "-o", "ids").lines == ["1", "2", "3"])
  }

  @Test(arguments: ["edit 1 {}", "deliver", "prepare", "list --schema queue", "flush --schema queue"])
  func theDatabaseMustBeNamed(command: String) async throws {
    let run = try await ProgramRun(["outbox"] + command.split(separator: " ").map(String.init)).result()
    #expect(run.status == 64 && run.errors.contains("--postgres"), "\(run)")
  }
}
