import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Sessions of contexts, and where credentials go with a context.
@Suite struct ContextSessionTests {
  private static let password = "mock-password\n"

  private func login(_ desk: Desk, _ options: String...) async throws {
    let run = try await desk.run(
      ["login", "bruce@nova.social", "--password-stdin", "-o", "ids"] + options, input: Self.password)
    #expect(run.status == 0, "\(run)")
  }

  @Test func eachContextHasItsOwnSession() async throws {
    let desk = try Desk()
    try await withServe { url, _ in
      try await desk.nova("context", "add", "one", "--base-url", url)
      try await desk.nova("context", "add", "two", "--base-url", url)
      try await login(desk, "--context", "one")
      #expect(try await desk.nova("whoami", "--context", "one", "-o", "ids").output == "mock-user-id\n")
      // Neither another context at the same gateway nor the gateway without a context is signed in.
      let two = try await desk.nova("whoami", "--context", "two")
      #expect(two.status == 4 && two.errors.contains("not signed in at \(url) (context two)"), "\(two)")
      for arguments in [["whoami"], ["like", "post-1"], ["post", "edit", "post-1", "Hi", "--as", "ada"]] {
        let run = try await desk.run(arguments + ["--context", "two"])
        #expect(run.errors.contains("`nova login <e-mail> --context two`"), "\(arguments): \(run)")
      }
      #expect(try await desk.nova("whoami", "--base-url", url).status == 4)
      try await login(desk, "--context", "two")
      #expect(try await desk.nova("logout", "--context", "one").status == 0)
      #expect(try await desk.nova("whoami", "--context", "one").status == 4)
      #expect(try await desk.nova("whoami", "--context", "two").status == 0)
      // A gateway named by an option is not the context's.
      try await desk.nova("context", "use", "two")
      #expect(try await desk.nova("whoami").status == 0)
      #expect(try await desk.nova("whoami", "--base-url", url).status == 4)
    }
  }

  @Test func theAdviceAfterARefusedCallNamesTheContext() async throws {
    let server = try FaultServer { _ in HTTPResponse(status: 401, headers: [:], body: []) }
    defer { server.stop() }
    let desk = try Desk()
    try await desk.nova("context", "add", "one", "--base-url", server.url)
    let run = try await desk.nova("followers", "x", "--context", "one")
    #expect(run.status == 4 && run.errors.contains("Sign in with `nova login <e-mail> --context one`, or"), "\(run)")
  }

  /// So that no password is sent to another gateway, and no other session ends.
  @Test func adviceRepeatsTheTarget() async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "one", "--mock", "--use")
    try await withServe { url, _ in
      for target in [["--base-url", url], ["--mock"], ["--context", "one"]] {
        // The current context needs no option.
        let words = target == ["--context", "one"] ? "" : " \(target.joined(separator: " "))"
        let before = try await desk.run(["whoami"] + target)
        #expect(before.errors.contains("Sign in with `nova login <e-mail>\(words)`."), "\(before.errors)")
        let login = try await desk.run(
          ["login", "bruce@nova.social", "--password-stdin"] + target, input: Self.password)
        #expect(login.errors.hasSuffix("sign out with `nova logout\(words)`\n"), "\(login.errors)")
      }
      #expect(try await desk.nova("logout", "--base-url", url).errors == "signed out at \(url)\n")
      #expect(try await desk.nova("logout", "--base-url", url).errors == "not signed in at \(url)\n")
    }
    let token = try await desk.nova("whoami", "--mock", environment: ["NOVA_TOKEN": "abc"])
    #expect(token.status == 4 && token.errors.hasSuffix("Unset NOVA_TOKEN, or set a valid token.\n"), "\(token.errors)")
  }

  @Test func removingAnUnknownContextNamesTheList() async throws {
    let run = try await Desk().nova("context", "remove", "nope")
    #expect(run.errors == "nova: not found: context \"nope\"\n      List all with `nova context list`.\n")
  }

  @Test func sessionsWithoutAContextStay() async throws {
    let desk = try Desk()
    try await withServe { url, _ in
      try await login(desk, "--base-url", url)
      try await desk.nova("context", "add", "one", "--base-url", url)
      #expect(try await desk.nova("whoami", "--base-url", url).status == 0)
      try await login(desk, "--mock")
      try await desk.nova("context", "use", "one")
      #expect(FileManager.default.fileExists(atPath: desk.home.path + "/.config/nova/sessions/mock"))
      #expect(try await desk.nova("whoami").status == 4)
    }
  }

  @Test func removingAContextEndsItsSessionHere() async throws {
    let desk = try Desk()
    try await withServe { url, _ in
      try await desk.nova("context", "add", "one", "--base-url", url)
      try await login(desk, "--context", "one")
      let asked = try await desk.nova("context", "remove", "one")
      #expect(asked.status == 64 && asked.errors.contains("--yes"), "\(asked)")
      #expect(try await desk.nova("whoami", "--context", "one").status == 0)
      let removed = try await desk.nova("context", "remove", "one", "--yes")
      #expect(removed.errors == "removed context one, and its session from this machine\n", "\(removed)")
      let sessions = desk.home.path + "/.config/nova/sessions/contexts"
      #expect(try FileManager.default.contentsOfDirectory(atPath: sessions).isEmpty)
      // A new context of this name is not signed in.
      try await desk.nova("context", "add", "one", "--base-url", url)
      #expect(try await desk.nova("whoami", "--context", "one").status == 4)
    }
  }

  // MARK: Where credentials go

  /// A file found in the current directory, and whether a token may be sent to the gateway of a context all the same.
  @Test(arguments: [
    (#"{"environments":{"development":{"base_url":"OTHER"},"production":{"base_url":"OTHER"}}}"#, true),
    (#"{"environment":"qa","environments":{"qa":{"base_url":"OTHER"}}}"#, true),
    (#"{"services":{"graph":{"base_url":"OTHER"}}}"#, false),
    (#"{"services":{"social":{"base_url":"OTHER"}}}"#, false),
    (#"{"ca_file":"ca.pem"}"#, false), (#"{"client_certificate_file":"ca.pem"}"#, false),
    (#"{"proxy":"http://127.0.0.1:9"}"#, false), (#"{"connect_to":["localhost:1:127.0.0.1:9"]}"#, false),
    (#"{"retry":{"attempts":1}}"#, true), (#"{"limits":{"max_transfers":1}}"#, true),
    // The context's gateway is not behind the file's socket.
    (#"{"unix_socket":"/nowhere/s"}"#, true),
  ])
  func aContextMayDecideWhereTokensGoAndAFileMayNot(_ file: String, _ isSent: Bool) async throws {
    try await TrustTests.withServer { server in
      try await TrustTests.withServer { other in
        let desk = try Desk()
        try await desk.nova("context", "add", "one", "--base-url", server.url(""), "--use")
        try desk.write("x", "work/ca.pem")
        try desk.write(file.replacingOccurrences(of: "OTHER", with: other.url("")), "work/APIConfig.json")
        for options in [[], ["--context", "one"]] {
          let run = try await desk.run(
            ["followers", "x", "-o", "ids"] + options, environment: ["NOVA_TOKEN": Canary.secret])
          #expect(run.status == (isSent ? 0 : 4), "\(options): \(run)")
          #expect(run.errors.contains("was not sent") != isSent, "\(options): \(run.errors)")
        }
        #expect(server.requests.count == (isSent ? 2 : 0))
        #expect(other.requests.isEmpty)
      }
    }
  }

  /// The name of an environment is the user's, but the file says what it means.
  @Test func aFileCannotRedefineTheEnvironmentOfAContext() async throws {
    try await TrustTests.withServer { other in
      let desk = try Desk()
      try await desk.nova("context", "add", "one", "--environment", "staging", "--use")
      try desk.write(#"{"environments":{"staging":{"base_url":"\#(other.url(""))"}}}"#, "work/APIConfig.json")
      let run = try await desk.nova("followers", "x", environment: ["NOVA_TOKEN": Canary.secret])
      #expect(run.status == 4 && run.errors.contains("was not sent"), "\(run)")
      #expect(other.requests.isEmpty)
    }
  }

  @Test func aSessionOfAContextIsNotSentElsewhere() async throws {
    try await TrustTests.withServer { server in
      try await TrustTests.withServer { other in
        let desk = try Desk()
        try await desk.nova("context", "add", "one", "--base-url", server.url(""), "--use")
        let login = ["login", "ada@example.com", "--password-stdin", "-o", "ids"]
        #expect(try await desk.run(login, input: "password\n").status == 0)
        #expect(try await desk.nova("followers", "x", "-o", "ids").status == 0)
        #expect(server.requests.last?.header("Authorization") == "Bearer session-token")
        for (options, variables) in [
          (["--base-url", other.url("")], [:]), ([], ["NOVA_BASE_URL": other.url("")]),
        ] {
          let run = try await desk.run(["followers", "x", "-o", "ids"] + options, environment: variables)
          #expect(run.status == 0, "\(run)")
          #expect(other.requests.last?.header("Authorization") == nil)
        }
        // Nor does a replaced context keep it for a new gateway.
        try await desk.nova("context", "add", "one", "--base-url", other.url(""), "--force")
        #expect(try await desk.nova("followers", "x", "-o", "ids").status == 0)
        #expect(other.requests.last?.header("Authorization") == nil)
      }
    }
  }
}
