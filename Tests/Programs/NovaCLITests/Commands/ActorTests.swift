import ArgumentParser
import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Who a command acts for: `--as`, or else the user of an argument, or else the signed-in user.
@Suite struct ActorTests {
  /// A command whose request names the acting user.
  private struct Acting: Sendable, CustomTestStringConvertible {
    let rpc: String
    /// The field of the request that names the acting user.
    let field: String
    let command: [String]
    /// The arguments after the acting user, with the options that the command needs.
    let rest: [String]
    /// Whether an argument before the others can name the acting user.
    var hasArgument = true

    var testDescription: String { command.joined(separator: " ") }

    func arguments(argument: String? = nil, as user: String? = nil) -> [String] {
      command + (argument.map { [$0] } ?? []) + rest + (user.map { ["--as", $0] } ?? [])
    }
  }

  private static let pairs =
    [
      ("graph.CreateFollow", "follower_id", "follow"), ("graph.DeleteFollow", "follower_id", "unfollow"),
      ("graph.IsFollowing", "follower_id", "is-following"), ("graph.CreateMute", "muter_id", "mute"),
      ("graph.DeleteMute", "muter_id", "unmute"), ("graph.IsMuted", "muter_id", "is-muted"),
      ("graph.CreateBlock", "blocker_id", "block"), ("graph.DeleteBlock", "blocker_id", "unblock"),
      ("graph.IsBlocked", "blocker_id", "is-blocked"), ("social.CreateLike", "user_id", "like"),
      ("social.DeleteLike", "user_id", "unlike"), ("social.CreateShare", "user_id", "share"),
      ("content.CreateBookmark", "user_id", "bookmark"), ("content.DeleteBookmark", "user_id", "unbookmark"),
    ].map { Acting(rpc: $0.0, field: $0.1, command: [$0.2], rest: ["x-7"]) }

  private static let lists =
    [
      ("graph.GetFollowers", "user_id", "followers"), ("graph.GetFollowing", "user_id", "following"),
      ("social.GetUserLikedPosts", "user_id", "liked"), ("content.GetUserBookmarks", "user_id", "bookmarks"),
      ("content.GetPostsByAuthor", "author_id", "posts"), ("feed.GetFeed", "user_id", "feed"),
      ("feed.GetRecommendedCreators", "user_id", "creators"), ("media.GetUserVideos", "user_id", "videos"),
    ].map { Acting(rpc: $0.0, field: $0.1, command: [$0.2], rest: []) }

  private static let others = [
    Acting(rpc: "user.GetUserProfile", field: "user_id", command: ["profile", "show"], rest: []),
    Acting(rpc: "user.UpdateUserProfile", field: "user_id", command: ["profile", "edit"], rest: ["--bio", "Hi"]),
    Acting(
      rpc: "content.CreatePost", field: "creator_id", command: ["post", "create"], rest: ["Hi"], hasArgument: false),
    Acting(
      rpc: "content.DeletePost", field: "deleted_by_id", command: ["post", "delete"], rest: ["x-7", "--yes"],
      hasArgument: false),
    Acting(
      rpc: "social.CreateComment", field: "user_id", command: ["comment", "create"], rest: ["x-7", "Hi"],
      hasArgument: false),
    Acting(
      rpc: "social.UpdateComment", field: "user_id", command: ["comment", "edit"], rest: ["x-7", "Hi"],
      hasArgument: false),
    Acting(
      rpc: "social.DeleteComment", field: "user_id", command: ["comment", "delete"], rest: ["x-7", "--yes"],
      hasArgument: false),
    Acting(rpc: "media.StartUpload", field: "user_id", command: ["upload"], rest: [#filePath], hasArgument: false),
    Acting(
      rpc: "media.CreateVideo", field: "creator_id", command: ["video", "create"],
      rest: ["--upload", "x-7", "--title", "Walk"], hasArgument: false),
    Acting(
      rpc: "media.CreateReel", field: "creator_id", command: ["reel", "create"], rest: ["--upload", "x-7"],
      hasArgument: false),
  ]

  private static let acting = pairs + lists + others

  /// Commands whose request names no user, so that the server takes the account from the token.
  private static let ofAccount: [(command: [String], rest: [String])] = [
    (["post", "edit"], ["x-7", "Hi"]), (["capture", "add"], ["Hi"]), (["capture", "list"], []),
    (["capture", "show"], ["7"]), (["capture", "meaning"], ["7", "Hi"]), (["capture", "delete"], ["7", "--yes"]),
  ]

  /// The RPCs with an acting user that have no command of their own.
  private static let withoutCommand: Set = [
    "auth.GetUser", "feed.InvalidateFeedCache", "feed.RankPosts", "graph.BatchCheckFollowing",
    "social.BatchCheckUserLiked",
    "social.CheckUserLiked", "social.CheckUserShared", "user.CheckUserRelationship", "user.GetUserSettings",
    "user.UpdateUserSettings",
  ]

  @Test func everyRPCWithAnActingUserHasARow() {
    let fields: Set = [
      "author_id", "blocker_id", "creator_id", "deleted_by_id", "follower_id", "muter_id", "user_id",
    ]
    let rpcs = RPCRegistry.nova.rpcs.filter { rpc in
      rpc.requestType.descriptor.fields.contains { fields.contains($0.name) }
    }
    let difference = ListDifference(of: Self.withoutCommand.union(Self.acting.map(\.rpc)), from: rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): change `pairs`, `lists` or `others`, or `withoutCommand`")
  }

  @Test func exactlyTheActingCommandsHaveTheOption() {
    let found = CommandTree.nova.all.filter {
      $0.subcommands.isEmpty && $0.help(columns: 200).contains("--as <user-id>")
    }
    // An avatar is uploaded before the request that names the user.
    let expected = Self.acting.map(\.command) + Self.ofAccount.map(\.command) + [["avatar", "set"]]
    let difference = ListDifference(
      of: expected.map { $0.joined(separator: " ") }, from: found.map { $0.path.joined(separator: " ") })
    #expect(difference.isEmpty, "\(difference): change `pairs`, `lists`, `others` or `ofAccount`")
  }

  @Test(arguments: acting) private func theRequestNamesTheActor(_ command: Acting) async throws {
    let server = try Self.server()
    defer { server.stop() }
    var runs: [([String], user: String, verifications: Int)] = [
      (command.arguments(as: "ada"), "ada", 0), (command.arguments(), "token-owner", 1),
    ]
    if command.hasArgument {
      runs += [
        (command.arguments(argument: "bea"), "bea", 0), (command.arguments(argument: "eve", as: "eve"), "eve", 0),
      ]
    }
    var seen = 0
    for (arguments, user, verifications) in runs {
      let run = try await ProgramRun(
        arguments + ["--base-url", server.url], environment: ["NOVA_TOKEN": "a.b.c"]
      ).result()
      let requests = server.requests.dropFirst(seen)
      seen = server.requests.count
      let isVerification = { (request: HTTPRequest) in request.url.path == "/api/v1/auth/verify" }
      #expect(requests.filter(isVerification).count == verifications, "\(arguments)")
      let rpc = try #require(RPCRegistry.nova.rpc(named: command.rpc))
      let call = try #require(
        requests.first { $0.url.path == rpc.http.path }, "\(arguments) did not call \(command.rpc): \(run.errors)")
      let body = try JSONValue(jsonUTF8: call.body.bytes ?? [])
      #expect(body[command.field] == .string(user), "\(arguments)")
      let ids = rpc.requestType.descriptor.fields.filter { $0.name.hasSuffix("_id") && $0.name != command.field }
      if let target = ids.first, command.rest.first == "x-7" {
        #expect(body[target.name] == .string("x-7"), "\(arguments)")
      }
    }
  }

  @Test(arguments: acting) private func withoutAnActorNothingIsSent(_ command: Acting) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let nobody = try await ProgramRun(command.arguments() + ["--base-url", server.url]).result()
    #expect(nobody.status == 64)
    #expect(
      nobody.errors == """
        nova: missing --as: nobody is signed in at \(server.url)
              Add --as <user-id>, or sign in with `nova login <e-mail> --base-url \(server.url)`.

        """)
    // With --as, all IDs of a pair are what it acts on.
    if command.hasArgument, command.rest != ["x-7"] {
      let two = try Self.refusal(of: command.arguments(argument: "ada", as: "bea"))
      #expect(two.hasPrefix("Error: invalid --as: the argument names another user, \"ada\""), "\(two)")
    }
    #expect(server.requestCount == 0)
  }

  @Test func theMockNamesItsSampleUser() async throws {
    let run = try await nova("like", "post-1", "--mock")
    #expect(run.status == 64)
    #expect(
      run.errors == """
        nova: missing --as: nobody is signed in at the mock backend
              Add --as <user-id>, such as --as mock-user-id, or sign in with `nova login bruce@nova.social --mock`; the \
        password is mock-password.

        """)
    #expect(try await nova("like", "post-1", "--mock", "--as", "mock-user-id").status == 0)
    #expect(try await nova("--as", "mock-user-id", "--mock", "like", "post-1").status == 0)
  }

  @Test func anAccountMustBeTheOneThatIsSignedIn() async throws {
    for (command, rest) in Self.ofAccount {
      let server = try Self.server()
      defer { server.stop() }
      func run(_ user: String, _ environment: [String: String]) async throws -> RunResult {
        try await ProgramRun(
          command + rest + ["--as", user, "--base-url", server.url], environment: environment
        ).result()
      }
      let other = try await run("ada", ["NOVA_TOKEN": "a.b.c"])
      #expect(other.status == 4, "\(command)")
      #expect(other.errors.hasPrefix("nova: cannot act as \"ada\": \"token-owner\" is signed in\n"), "\(other.errors)")
      let nobody = try await run("ada", [:])
      #expect(nobody.status == 4, "\(command)")
      #expect(nobody.errors.hasPrefix("nova: cannot act as \"ada\": nobody is signed in at "), "\(nobody.errors)")
      #expect(server.requests.map(\.url.path) == ["/api/v1/auth/verify"], "\(command)")
      _ = try await run("token-owner", ["NOVA_TOKEN": "a.b.c"])
      #expect(server.requestCount == 3, "\(command)")
    }
  }

  @Test(arguments: [
    (#"{"is_valid":false}"#, 4, "invalid token"),
    (#"{"is_valid":true,"is_revoked":true,"user_id":"ada"}"#, 4, "invalid token"),
    (#"{"is_valid":true}"#, 65, "no valid ID"),
    (#"{"is_valid":true,"user_id":"\#(String(repeating: "x", count: 1025))"}"#, 65, "no valid ID"),
  ])
  func aTokenWithoutAnOwnerActsForNobody(answer: String, status: Int32, reason: String) async throws {
    let server = try Self.server(verifying: answer)
    defer { server.stop() }
    let run = try await nova("like", "post-1", "--base-url", server.url, environment: ["NOVA_TOKEN": "a.b.c"])
    #expect(run.status == status && run.errors.contains(reason), "\(run.errors)")
    #expect(server.requests.map(\.url.path) == ["/api/v1/auth/verify"])
    #expect(!run.errors.contains("a.b.c"))
  }

  @Test(arguments: pairs.map(\.command)) func withoutATargetTheUsageIsWrong(_ command: [String]) throws {
    let missing = try Self.refusal(of: command + ["--mock", "--as", "ada"])
    #expect(missing.hasPrefix("Error: missing <"), "\(missing)")
    // A variable without a value must not make the command act for, or on, another user.
    let label = try #require(missing.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("<") })
    for (arguments, name) in [([""], label), (["ada", ""], label), (["", "x-7"], "-id>")] {
      let empty = try Self.refusal(of: command + arguments + ["--mock"])
      #expect(empty.contains(#"invalid value "" for <"#) && empty.contains(name), "\(empty)")
    }
  }

  /// What the parser says of a command line that it refuses.
  private static func refusal(of arguments: [String]) throws -> String {
    let error = try #require(#expect(throws: (any Error).self, "\(arguments)") { try CommandTree.check(arguments) })
    #expect(NovaCommand.exitCode(for: error) == .validationFailure, "\(arguments)")
    return NovaCommand.fullMessage(for: error)
  }

  /// A server that executes nothing, and knows the owner of every token.
  private static func server(
    verifying answer: String = #"{"is_valid":true,"user_id":"token-owner"}"#
  ) throws -> FaultServer {
    try FaultServer { request in
      let body = request.url.path == "/api/v1/auth/verify" ? answer : "{}"
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
  }
}
