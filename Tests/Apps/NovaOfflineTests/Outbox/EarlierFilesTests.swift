import NovaContent
import NovaCore
import NovaGraph
import NovaSQLite
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// Files that earlier versions have written, with an account as text in the place of an identity.
@Suite struct EarlierFilesTests {
  private static let schema = """
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY AUTOINCREMENT, revision INTEGER NOT NULL DEFAULT 0, account TEXT NOT NULL,
      rpc TEXT NOT NULL, request TEXT NOT NULL, key TEXT NOT NULL, new_id TEXT, entities TEXT NOT NULL,
      would_change INTEGER, created_at REAL NOT NULL, first_attempt_at REAL, last_attempt_at REAL,
      next_attempt_at REAL, attempts INTEGER NOT NULL DEFAULT 0, is_dead INTEGER NOT NULL DEFAULT 0,
      failure_code TEXT, failure_message TEXT, UNIQUE (account, rpc, key));
    CREATE TABLE ids (
      account TEXT NOT NULL, temporary TEXT NOT NULL, real TEXT NOT NULL, time REAL NOT NULL,
      PRIMARY KEY (account, temporary)) WITHOUT ROWID;
    INSERT INTO entries (account, rpc, request, key, entities, created_at) VALUES
      ('user:me at https://nova.example', 'social.CreateLike', '{"userId":"me","postId":"p1"}', 'k1', '["Post/p1"]', 1),
      ('user:me at https://two.example', 'social.CreateLike', '{"userId":"me","postId":"p2"}', 'k2', '["Post/p2"]', 2),
      ('user:Ann at work at https://nova.example', 'social.CreateLike', '{"userId":"a","postId":"p3"}', 'k3', '[]', 3),
      ('token:0a0a at https://nova.example', 'social.CreateLike', '{"userId":"b","postId":"p4"}', 'k4', '[]', 4),
      ('nobody knows', 'social.CreateLike', '{"userId":"c","postId":"p5"}', 'k5', '[]', 5);
    INSERT INTO ids VALUES ('user:me at https://nova.example', 'local:1', 'c9', 1);
    """

  @Test func theWritesOfAnEarlierOutboxAreListedAndSent() async throws {
    let fixture = try OutboxFixture()
    let path = "\(fixture.folder.path)/outbox.db"
    do {
      let connection = try SQLiteConnection(opening: path)
      try connection.execute(Self.schema)
      try connection.setUserVersion(1)
      connection.close()
    }
    #expect(try await fixture.outbox.entries.map { OutboxFixture.name($0) } == ["CreateLike p1"])
    let others = try await fixture.outbox.otherEntries
    #expect(others.map(\.identity.user) == ["me", "Ann at work", nil])
    #expect(others.map(\.identity.gateway) == ["https://two.example", "https://nova.example", "https://nova.example"])
    #expect(others.last?.identity.caller == .token(fingerprint: "0a0a"))
    #expect(fixture.outbox.realID("local:1", identity: .me) == "c9")
    #expect(fixture.outbox.state.problem?.contains("cannot be read") == true)
    #expect(await fixture.outbox.flush().sent == 1)
    fixture.gateway.signIn(.user("me", at: "https://two.example"))
    #expect(await fixture.outbox.flush().sent == 1)
    #expect(fixture.gateway.keys == ["k1", "k2"])
  }

  /// So that earlier versions find what this one stores, too.
  @Test func theCacheNamesIdentitiesAsBefore() async throws {
    let world = OfflineWorld()
    let ada = try world.program(of: world.newUser("ada"))
    _ = try await ada.graph.getFollowers(userId: ada.user.id)
    let identity = try await ada.identity
    await ada.store.end()
    let connection = try SQLiteConnection(opening: "\(ada.folder.path)/cache.db")
    var names: [String] = []
    try connection.statement("SELECT gateway, account FROM partitions").forEachRow { row in
      names += [row.text(0), row.text(1)]
    }
    let caller =
      switch identity.caller {
      case .user(let id): "user:\(id)"
      case .token(let fingerprint): "token:\(fingerprint)"
      case .anonymous: ""
      }
    #expect(names == [identity.gateway, "\(caller) at \(identity.gateway)"])
  }
}
