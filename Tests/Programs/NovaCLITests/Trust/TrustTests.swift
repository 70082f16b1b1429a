import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Where tokens are sent if a configuration file found in the current directory sets the gateway.
@Suite struct TrustTests {
  /// A home directory and a working directory for several runs.
  final class Place: Sendable {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("nova-trust-\(UUID().uuidString)")
    var work: URL { home.appendingPathComponent("work") }

    init() throws { try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    @discardableResult
    func write(_ text: String, _ name: String = "work/APIConfig.json") throws -> String {
      let url = home.appendingPathComponent(name)
      try Data(text.utf8).write(to: url)
      return url.path
    }

    func run(
      _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> RunResult {
      let variables = ["HOME": home.path].merging(environment) { $1 }
      return try await ProgramRun(arguments, input: input, environment: variables, directory: work).result()
    }

    var approvals: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: home.path + "/.config/nova/approved")) ?? []
    }
  }

  /// What sets the URL of calls.
  enum Source: CaseIterable, Sendable {
    case foundFile, foundService, foundEnvironment, option, variable, namedFile, fileOfVariable

    var isFound: Bool { [.foundFile, .foundService, .foundEnvironment].contains(self) }

    func json(_ url: String) -> String {
      switch self {
      case .foundService: #"{"services":{"graph":{"base_url":"\#(url)"}}}"#
      case .foundEnvironment: #"{"environment":"qa","environments":{"qa":{"base_url":"\#(url)"}}}"#
      default: #"{"environments":{"development":{"base_url":"\#(url)"},"production":{"base_url":"\#(url)"}}}"#
      }
    }

    /// Sets things up, and returns the arguments and variables to run with.
    func prepare(_ place: Place, _ url: String) throws -> (arguments: [String], environment: [String: String]) {
      switch self {
      case .foundFile, .foundService, .foundEnvironment:
        try place.write(json(url))
        return ([], [:])
      case .option: return (["--base-url", url], [:])
      case .variable: return ([], ["NOVA_BASE_URL": url])
      case .namedFile: return (["--config", try place.write(json(url), "named.json")], [:])
      case .fileOfVariable: return ([], ["NOVA_CONFIG": try place.write(json(url), "named.json")])
      }
    }
  }

  enum Token: CaseIterable, Sendable {
    case none, variable, file

    func environment(_ place: Place) throws -> [String: String] {
      switch self {
      case .none: [:]
      case .variable: ["NOVA_TOKEN": Canary.secret]
      case .file: ["NOVA_TOKEN_FILE": try place.write(Canary.secret, "token")]
      }
    }
  }

  /// What became of an approval, in this order.
  enum Approval: CaseIterable, Sendable {
    case none, given, outdated, revoked

    /// The approvals to try: all of them with one kind of token, because the kind makes no difference to them.
    static func cases(for source: Source, _ token: Token) -> [Approval] {
      switch (source.isFound, token) {
      case (true, .variable): allCases
      case (true, .file): [.none, .given]
      default: [.none]
      }
    }
  }

  static func withServer<Result: Sendable>(_ body: (RawServer) async throws -> Result) async throws -> Result {
    try await withRawServer(
      { connection in
        while let request = try connection.readRequest() {
          let body =
            request.requestLine.contains("/auth/login")
            ? #"{"user_id":"ada","token":"session-token","refresh_token":"refresh","expires_in":3600}"#
            : #"{"user_ids":["x"],"total_count":1}"#
          try connection.respond(headers: ["Content-Type: application/json"], body: Array(body.utf8))
        }
      }, body)
  }

  @Test(arguments: Source.allCases, Token.allCases)
  func tokensGoOnlyToApprovedGateways(_ source: Source, _ token: Token) async throws {
    let place = try Place()
    try await Self.withServer { server in
      let (arguments, variables) = try source.prepare(place, server.url(""))
      let environment = variables.merging(try token.environment(place)) { $1 }
      for approval in Approval.cases(for: source, token) {
        switch approval {
        case .none: break
        case .given: #expect(try await place.run(["config", "trust"]).status == 0)
        case .outdated: try place.write(source.json(server.url("")) + "\n")
        case .revoked:
          try place.write(source.json(server.url("")))
          #expect(try await place.run(["config", "untrust"]).status == 0)
        }
        let earlier = server.requests.count
        let run = try await place.run(["followers", "x", "-o", "ids"] + arguments, environment: environment)
        expect(
          run, requests: Array(server.requests.dropFirst(earlier)), source: source, token: token, approval: approval,
          url: server.url(""))
      }
    }
  }

  private func expect(
    _ run: RunResult, requests: [RawRequest], source: Source, token: Token, approval: Approval, url: String
  ) {
    let name = "\(source) \(token) \(approval): \(run.errors)"
    let isRefused = source.isFound && token != .none && approval != .given
    #expect(run.status == (isRefused ? 4 : 0), "\(name)")
    #expect(requests.count == (isRefused ? 0 : 1), "\(name)")
    let isSent = requests.contains { $0.header("Authorization") == "Bearer \(Canary.secret)" }
    #expect(isSent == (token != .none && !isRefused), "\(name)")
    if isRefused {
      #expect(run.errors.contains("was not sent: APIConfig.json in this directory decides who gets it"), "\(name)")
      #expect(run.errors.contains("`nova config trust`"), "\(name)")
      #expect(run.errors.contains("it has changed since") == (approval == .outdated), "\(name)")
    } else if source.isFound, token != .none {
      #expect(run.errors.contains("which you approved, decides"), "\(name)")
      #expect(run.errors.contains(url), "\(name)")
    } else {
      #expect(run.errors.isEmpty, "\(name)")
    }
  }

  @Test func sessionsGoWhereTheyWereOpened() async throws {
    let place = try Place()
    try await Self.withServer { home in
      try await Self.withServer { other in
        let login = ["login", "ada@example.com", "--password-stdin", "-o", "ids", "--base-url", home.url("")]
        #expect(try await place.run(login, input: "password\n").status == 0)
        // The file sets the gateway at which the user signed in.
        try place.write(Source.foundFile.json(home.url("")))
        #expect(try await place.run(["followers", "x", "-o", "ids"]).status == 0)
        #expect(home.requests.last?.header("Authorization") == "Bearer session-token")
        // The same holds for a token in a variable.
        #expect(try await place.run(["followers", "x"], environment: ["NOVA_TOKEN": Canary.secret]).status == 0)
        // The session's gateway is unchanged, but one service has another URL.
        try place.write(#"{"services":{"graph":{"base_url":"\#(other.url(""))"}}}"#)
        let led = try await place.run(["followers", "x"], environment: ["NOVA_BASE_URL": home.url("")])
        #expect(led.status == 4 && led.errors.contains("your session was not sent"), "\(led.errors)")
        let flag = try await place.run(["followers", "x", "--base-url", home.url("")])
        #expect(flag.status == 4 && flag.errors.contains("services.graph.base_url"), "\(flag.errors)")
        #expect(other.requests.isEmpty)
      }
    }
  }

  @Test func passwordsAreNotSentEither() async throws {
    let place = try Place()
    try await Self.withServer { server in
      try place.write(Source.foundFile.json(server.url("")))
      let login = ["login", "ada@example.com", "--password-stdin"]
      let run = try await place.run(login, input: "password\n")
      #expect(run.status == 4 && run.errors.contains("your password was not sent"), "\(run.errors)")
      #expect(server.requests.isEmpty)
      #expect(try await place.run(["config", "trust"]).status == 0)
      #expect(try await place.run(login, input: "password\n").status == 0)
    }
  }

  /// A command that sends a secret in its request.
  struct SecretCall: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let secret: String
    var testDescription: String { arguments.prefix(2).joined(separator: " ") }

    /// `login`, `register`, and `call` for every RPC whose request has a secret field.
    static let all =
      [
        SecretCall(arguments: ["login", "ada@example.com", "--password-stdin"], secret: "password"),
        SecretCall(arguments: ["register", "ada@example.com", "ada", "--password-stdin"], secret: "password"),
      ]
      + RPCRegistry.nova.rpcs.flatMap { rpc in
        rpc.requestType.descriptor.fields.filter(\.isSecret).map { field in
          SecretCall(
            arguments: ["call", rpc.id, #"{\#(others(rpc))"\#(field.jsonName)":"\#(Canary.secret)"}"#],
            secret: field.name.replacingOccurrences(of: "_", with: " "))
        }
      }

    /// What the request must have besides the secret before it is sent.
    private static func others(_ rpc: RPCDescriptor) -> String {
      rpc.requestType.descriptor.field(named: "username") == nil ? "" : #""username":"ada","#
    }
  }

  @Test func everyRPCWithASecretIsTried() {
    let rpcs = SecretCall.all.map(\.arguments).filter { $0[0] == "call" }.map { $0[1] }
    #expect(rpcs.sorted() == ["Login", "Logout", "Refresh", "Register", "VerifyToken"].map { "auth.\($0)" })
  }

  @Test(arguments: SecretCall.all) func secretsInRequestsGoOnlyToApprovedGateways(_ call: SecretCall) async throws {
    try await Self.withServer { server in
      for (file, options) in [
        (Source.foundFile.json(server.url("")), []),
        // The option names another gateway than the one that the file sets for the service.
        (#"{"services":{"auth":{"base_url":"\#(server.url(""))"}}}"#, ["--base-url", "http://127.0.0.1:9"]),
      ] {
        let place = try Place()
        try place.write(file)
        let run = try await place.run(call.arguments + options, input: Canary.secret)
        #expect(run.status == 4, "\(file): \(run.errors)")
        #expect(run.errors.contains("your \(call.secret) was not sent: APIConfig.json"), "\(file): \(run.errors)")
        #expect(!run.errors.contains(Canary.secret), "\(file): \(run.errors)")
        #expect(server.requests.isEmpty, "\(file)")
      }
      let place = try Place()
      try place.write(Source.foundFile.json(server.url("")))
      let named = try await place.run(call.arguments + ["--base-url", server.url("")], input: Canary.secret)
      #expect(sent(server) == 1 && !named.errors.contains("which you approved"), "named: \(named.errors)")
      #expect(try await place.run(["config", "trust"]).status == 0)
      // Without the session of the call before, because a session at the gateway allows everything there.
      try? FileManager.default.removeItem(at: place.home.appendingPathComponent(".config/nova/sessions"))
      let approved = try await place.run(call.arguments, input: Canary.secret)
      #expect(sent(server) == 2, "approved: \(approved.errors)")
      #expect(approved.errors.contains("which you approved, decides: base_url \(server.url(""))"), "\(approved.errors)")
    }
  }

  /// How many requests had the secret.
  private func sent(_ server: RawServer) -> Int {
    server.requests.count { String(decoding: $0.body, as: UTF8.self).contains(Canary.secret) }
  }

  @Test func requestsWithoutTheirSecretNeedNoApproval() async throws {
    let place = try Place()
    try await Self.withServer { server in
      try place.write(Source.foundFile.json(server.url("")))
      for call in SecretCall.all where call.arguments[0] == "call" {
        let run = try await place.run(["call", call.arguments[1], "{}"])
        #expect(!run.errors.contains("was not sent"), "\(call.testDescription): \(run.errors)")
      }
    }
  }

  @Test func certificatesCountAsMuch() async throws {
    let place = try Place()
    try place.write("first", "work/ca.pem")
    try place.write(#"{"ca_file":"ca.pem"}"#)
    let environment = ["NOVA_TOKEN": Canary.secret, "NOVA_BASE_URL": "http://127.0.0.1:9", "NOVA_RETRY_ATTEMPTS": "1"]
    let run = try await place.run(["followers", "x"], environment: environment)
    #expect(run.status == 4 && run.errors.contains("(ca_file ca.pem)"), "\(run.errors)")
    #expect(try await place.run(["config", "trust"]).status == 0)
    let approved = try await place.run(["config", "show"], environment: environment)
    #expect(!approved.errors.contains("is not approved"), "\(approved.errors)")
    try place.write("second", "work/ca.pem")
    let changed = try await place.run(["followers", "x"], environment: environment)
    #expect(changed.status == 4 && changed.errors.contains("it has changed since"), "\(changed.errors)")
  }

  @Test(arguments: [
    ("proxy", #""http://127.0.0.1:9""#), ("no_proxy", #"["*"]"#), ("connect_to", #"["localhost:80:127.0.0.1:9"]"#),
    ("unix_socket", #""/nowhere/s""#),
  ])
  func theWayToTheGatewayNeedsApproval(key: String, value: String) async throws {
    let place = try Place()
    try place.write(#"{"\#(key)":\#(value)}"#)
    let run = try await place.run(
      ["followers", "x"], environment: ["NOVA_TOKEN": Canary.secret, "NOVA_RETRY_ATTEMPTS": "1"])
    #expect(run.status == 4 && run.errors.contains("was not sent") && run.errors.contains("(\(key) "), "\(run.errors)")
  }

  @Test func harmlessFilesNeedNoApproval() async throws {
    let place = try Place()
    try await Self.withServer { server in
      try place.write(#"{"retry":{"attempts":2},"services":{"graph":{"timeout_seconds":9}}}"#)
      let environment = ["NOVA_TOKEN": Canary.secret, "NOVA_BASE_URL": server.url("")]
      let run = try await place.run(["followers", "x", "-o", "ids"], environment: environment)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(try await place.run(["config", "trust"]).errors.contains("there is nothing to approve"))
      #expect(place.approvals.isEmpty)
    }
  }

  /// A copy of the built-in file decides nothing that was not decided before; with one URL changed, it does.
  @Test(arguments: ["development", "staging", "production"])
  func aCopyOfTheBuiltInFileNeedsNoApproval(_ environment: String) async throws {
    let place = try Place()
    let builtIn = try Checkout.text(of: "APIConfig.json")
    try place.write(builtIn)
    let variables = ["NOVA_ENVIRONMENT": environment, "NOVA_TOKEN": Canary.secret]
    let trust = try await place.run(["config", "trust"], environment: variables)
    #expect(trust.errors.contains("there is nothing to approve"), "\(trust.errors)")
    let shown = try await place.run(["config", "show"], environment: variables)
    #expect(shown.status == 0 && !shown.errors.contains("is not approved"), "\(shown.errors)")
    for host in ["localhost:8080", "staging-api.nova.social", "api.nova.social"] {
      try place.write(builtIn.replacing("//\(host)\"", with: "//127.0.0.1:9\""))
      let isChosen = try APIConfiguration(ConfigurationOverrides(environment: .init(rawValue: environment)))
        .baseURL.text.hasSuffix("//\(host)")
      let shown = try await place.run(["config", "show"], environment: variables)
      #expect(shown.errors.contains("is not approved") == isChosen, "\(host): \(shown.errors)")
      let trust = try await place.run(["config", "trust"], environment: variables)
      #expect(trust.errors.contains("approved ") && trust.errors.contains("http"), "\(host): \(trust.errors)")
      let approved = try await place.run(["config", "show"], environment: variables)
      #expect(!approved.errors.contains("is not approved"), "\(host): \(approved.errors)")
    }
  }

  /// A session with the mock backend does not count as one with the gateway that a found file names.
  @Test func aMockSessionApprovesNoGateway() async throws {
    let place = try Place()
    try await Self.withServer { server in
      let session = ["NOVA_SESSION_FILE": place.home.appendingPathComponent("session").path]
      let url = #""environments":{"development":{"base_url":"\#(server.url(""))"}}"#
      try place.write(#"{"environment":"development","flags":{"mock_data":true},\#(url)}"#)
      let login = ["login", "bruce@nova.social", "--password-stdin", "-o", "ids"]
      let mock = try await place.run(login, input: "mock-password\n", environment: session)
      #expect(mock.output == "mock-user-id\n", "\(mock.errors)")
      try place.write(#"{"environment":"development",\#(url)}"#)
      let variables = session.merging(["NOVA_TOKEN": Canary.secret]) { $1 }
      let run = try await place.run(["whoami"], environment: variables)
      #expect(run.status == 4 && run.errors.contains("was not sent"), "\(run.errors)")
      #expect(server.requests.isEmpty)
    }
  }

  /// The other way round: mock mode leaves a session of a gateway alone.
  @Test func mockModeLeavesASession() async throws {
    let place = try Place()
    try await Self.withServer { server in
      let session = ["NOVA_SESSION_FILE": place.home.appendingPathComponent("session").path]
      let login = ["login", "ada@example.com", "--password-stdin", "-o", "ids", "--base-url", server.url("")]
      #expect(try await place.run(login, input: "password\n", environment: session).status == 0)
      let captures = try await place.run(["capture", "list", "--mock"], environment: session)
      #expect(captures.status == 0, "\(captures.errors)")
      let after = try await place.run(
        ["followers", "x", "-o", "ids", "--base-url", server.url("")], environment: session)
      #expect(after.status == 0 && server.requests.last?.header("Authorization") == "Bearer session-token")
    }
  }

  /// A token can come through a pipe, which can be read once.
  @Test(arguments: [
    #"{"retry":{"attempts":2}}"#, #"{"environments":{"development":{"base_url":"http://localhost:8080"}}}"#,
  ])
  func theTokensFileIsReadOnce(_ json: String) async throws {
    let place = try Place()
    try place.write(json)
    let script = "mkfifo t && { printf %s \"$SECRET\" > t & } && NOVA_TOKEN_FILE=t exec \"$0\" config show"
    let run = try await ProgramRun(
      ["-c", script, try ProgramRun.program().path], executable: URL(filePath: "/bin/sh"),
      environment: ["HOME": place.home.path, "SECRET": Canary.secret], directory: place.work
    ).result()
    #expect(run.status == 0 && run.output.contains("****"), "\(run.errors)")
    #expect(!run.errors.contains("is not approved"), "\(run.errors)")
  }

  @Test func nothingIsSentSoNothingIsAsked() async throws {
    let place = try Place()
    try place.write(Source.foundFile.json("http://127.0.0.1:9"))
    let run = try await place.run(["followers", "mock-user-id", "--mock"], environment: ["NOVA_TOKEN": Canary.secret])
    #expect(!run.errors.contains("was not sent"), "\(run.errors)")
  }

  @Test func theContractCheckAsksToo() async throws {
    let place = try Place()
    try await Self.withServer { server in
      try place.write(Source.foundFile.json(server.url("")))
      let run = try await place.run(["contract", "check"], environment: ["NOVA_TOKEN": Canary.secret])
      #expect(run.status == 4 && run.errors.contains("the token of NOVA_TOKEN was not sent"), "\(run.errors)")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func approvalsArePrivateListedAndRevoked() async throws {
    let place = try Place()
    try place.write(Source.foundFile.json("http://127.0.0.1:9"))
    #expect(try await place.run(["config", "trust", place.work.path]).status == 0)
    let directory = place.home.appendingPathComponent(".config/nova/approved")
    let entry = directory.appendingPathComponent(try #require(place.approvals.first))
    for (url, mode) in [(directory, 0o700), (entry, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(url.path)")
    }
    let list = try await place.run(["config", "trust", "--list"])
    #expect(list.lines.count == 1 && list.output.hasSuffix("/work/APIConfig.json\n"), "\(list.output)")
    #expect(try await place.run(["config", "trust"]).status == 0)
    #expect(place.approvals.count == 1, "it is the same file, by whatever name")
    // Approvals that other users can write to are ignored.
    let environment = ["NOVA_TOKEN": Canary.secret, "NOVA_RETRY_ATTEMPTS": "1"]
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
    #expect(try await place.run(["followers", "x"], environment: environment).status == 4)
    #expect(
      try await place.run(["config", "trust"]).errors.contains("other users can add or replace files (mode 777)"))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
    #expect(try await place.run(["config", "untrust"]).errors.contains("is no longer approved"))
    #expect(try await place.run(["config", "untrust"]).errors.contains("was not approved"))
    #expect(place.approvals.isEmpty)
  }

  @Test(arguments: [".", ".config", ".config/nova", ".config/nova/approved"])
  func approvalsOfOtherUsersAreIgnored(_ open: String) async throws {
    let place = try Place()
    try await Self.withServer { server in
      try place.write(Source.foundFile.json(server.url("")))
      #expect(try await place.run(["config", "trust"]).status == 0)
      let directory = place.home.appendingPathComponent(open).standardizedFileURL.path
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory)
      let call = try await place.run(["followers", "x"], environment: ["NOVA_TOKEN": Canary.secret])
      #expect(call.status == 4 && call.errors.contains("you have not approved it"), "\(call.errors)")
      #expect(server.requests.isEmpty)
      #expect(try await place.run(["config", "trust", "--list"]).output.isEmpty)
      let before = place.approvals
      for (command, what) in [("trust", "keep"), ("untrust", "revoke")] {
        let run = try await place.run(["config", command])
        let reason = "cannot \(what) the approval: \(directory): other users can add or replace files (mode 777)"
        #expect(run.status == 1 && run.errors.contains(reason), "\(command): \(run.errors)")
      }
      #expect(place.approvals == before)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
      #expect(
        try await place.run(["followers", "x", "-o", "ids"], environment: ["NOVA_TOKEN": Canary.secret]).status == 0)
    }
  }

  @Test func nothingIsMadeWhereOthersCanWrite() async throws {
    let place = try Place()
    try place.write(Source.foundFile.json("http://127.0.0.1:9"))
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.home.path)
    let run = try await place.run(["config", "trust"])
    #expect(run.status == 1 && run.errors.contains("cannot keep the approval"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.home.path + "/.config"))
  }

  @Test func thereMustBeAFile() async throws {
    let run = try await Place().run(["config", "trust"])
    #expect(run.status == 5 && run.errors.contains("not found: ./APIConfig.json"), "\(run.errors)")
  }
}
