import NovaAuth
import NovaContent
import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaRedis
import NovaSocial
import NovaTestSupport

#if os(Linux)
  /// The stores and the gateway of a walk, its users, and its machines.
  final class WalkStage: Sendable {
    struct User: Sendable {
      let id: String
      let name: String
      let privatePost: String

      var privateMark: String { "private-of-\(name)" }
      var publicMark: String { "public-of-\(name)" }
      /// As a process of the walk reads it.
      var argument: String { "\(id),\(privateMark),\(publicMark),\(privatePost)" }
    }

    /// The budget of the fleet, in calls per second, and at once. The calls that wait in its processes are fewer than half of
    /// the burst, so that a busy computer cannot exceed it.
    static let (rate, burst) = (40.0, 40)

    let gateway: WalkGateway
    let postgreSQL: PostgreSQLServer
    let users: [User]
    private let redis: RedisServer
    private let network: WalkNetwork
    private let folder: TemporaryFolder
    private let sharedPost: String
    private let engine: String

    /// - Parameters:
    ///   - engine: where the sessions are.
    ///   - machines: two; none for processes on this computer.
    init(sessionsOn engine: String, machines: [WalkMachine]) async throws {
      (gateway, redis, postgreSQL) = (try WalkGateway(), try RedisServer(), try PostgreSQLServer())
      (folder, self.engine) = (try TemporaryFolder(), engine)
      network = try WalkNetwork(
        machines, redis: redis.port, postgreSQL: "\(postgreSQL.folder.path)/.s.PGSQL.5432", gateway: gateway.port)
      (users, sharedPost) = try await Self.makeUsers(gateway)
      try await prepare()
    }

    /// Two users with a post that others see, and one that only they see.
    private static func makeUsers(_ gateway: WalkGateway) async throws -> ([User], String) {
      var users: [User] = []
      var sharedPost = ""
      for name in ["amberly", "birchen"] {
        let email = "private-of-\(name)@example.com"
        let id = try await gateway.register(email: email, name: name)
        func post(_ content: String, _ privacy: PostPrivacy) async throws -> String {
          let request = CreatePostRequest(creatorId: id, content: content, privacy: privacy.rawValue)
          return try await gateway.call(ContentRPC.createPost, request, as: id).post?.id ?? ""
        }
        sharedPost = try await post("public-of-\(name)", .everyone)
        users.append(User(id: id, name: name, privatePost: try await post("private-of-\(name)", .onlyMe)))
        gateway.mark(id, "private-of-\(name)")
      }
      return (users, sharedPost)
    }

    /// The tables of the outbox and of the application, and the sessions of both users.
    private func prepare() async throws {
      let database = try PostgreSQLPool(postgreSQL.url)
      try await FleetOutbox(database).prepare()
      try await FleetSessions.createTable(on: database)
      try postgreSQL.ask(
        """
        CREATE SCHEMA walk;
        CREATE TABLE walk.counters (user_id text PRIMARY KEY, n bigint NOT NULL DEFAULT 0);
        CREATE TABLE walk.writes (key text PRIMARY KEY, user_id text NOT NULL, n bigint NOT NULL, process text NOT NULL);
        """)
      let fleet = try sessions()
      for user in users {
        try postgreSQL.ask("INSERT INTO walk.counters VALUES ('\(user.id)')")
        try await fleet.sessions(of: user.id).signIn(
          email: "\(user.privateMark)@example.com", password: "password of \(user.name)")
      }
    }

    /// The shared sessions, as this process sees them.
    func sessions() throws -> FleetSessions {
      let key = String(repeating: "a1", count: 32)
      let keys = try FleetKeys(names: key, sealing: [("1", key)])
      var overrides = ConfigurationOverrides()
      overrides.baseURL = "http://127.0.0.1:\(gateway.port)"
      let auth = AuthService(client: APIClient(configuration: try APIConfiguration(overrides)))
      return engine == "redis"
        ? FleetSessions(redis: try RedisPool(url: redis.url), keys: keys, auth: auth)
        : FleetSessions(postgreSQL: try PostgreSQLPool(postgreSQL.url), keys: keys, auth: auth)
    }

    // MARK: Processes

    /// Starts a process on a machine.
    ///
    /// - Parameter clock: how far its clock is ahead, in seconds.
    func start(_ name: String, on machine: Int, seed: Int, clock: Int) throws -> ProgramRun {
      let place = network.places[machine]
      let arguments = [
        "walk", "--name", name, "--redis", place.redis, "--postgresql", place.postgreSQL, "--gateway", place.gateway,
        "--sessions", engine, "--first", users[0].argument, "--second", users[1].argument, "--post", sharedPost,
        "--until", "\(folder.path)/end", "--seed", "\(seed)", "--clock", "\(clock)", "--rate", "\(Self.rate)",
        "--burst", "\(Self.burst)",
      ]
      let program = try ProgramRun.program("FleetMachine")
      return try place.machine?.start(program, arguments) ?? ProgramRun(arguments, executable: program)
    }

    /// Ends the walk of all processes, which then deliver the waiting writes.
    func endWalk() throws { _ = try folder.write("", to: "end") }

    /// How often the shared post was shared.
    func shareCount() async throws -> Int64 {
      try await gateway.call(SocialRPC.getShareCount, .init(postId: sharedPost), as: users[0].id).count
    }

    func stop() {
      network.stop()
      gateway.stop()
    }
  }
#endif
