import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// Commands with `grpc://` base URLs, against `nova serve --grpc-port`.
@Suite(.hangLimit) struct GRPCCommandTests {
  /// Runs `body` with the gRPC and the HTTP URL of one `nova serve`.
  private func withServices(_ body: (_ services: String, _ gateway: String) async throws -> Void) async throws {
    try await withServe("--grpc-port", "0") { url, run in
      let output = try await run.waitForOutput("grpc://")
      let word = try #require(output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("grpc://") })
      try await body(word.trimmingCharacters(in: .punctuationCharacters), url)
    }
  }

  @Test func callsGoOverBothWays() async throws {
    try await withServices { services, gateway in
      for arguments in [
        ["followers", "mock-user-id", "--limit", "3", "-o", "ids"],
        ["call", "graph.GetFollowers", #"{"user_id":"mock-user-id","limit":2}"#],
        ["call", "graph.GetFollowers", #"{"user_id":""}"#], ["call", "users.GetUserProfile", #"{"user_id":"nobody"}"#],
      ] {
        let grpc = try await ProgramRun(arguments + ["--base-url", services]).result()
        let http = try await ProgramRun(arguments + ["--base-url", gateway]).result()
        #expect(grpc.output == http.output && grpc.status == http.status, "\(arguments): \(grpc) \(http)")
      }
    }
  }

  @Test func theServicesPassTheContractCheck() async throws {
    try await withServices { services, gateway in
      let run = try await nova(
        "contract", "check", "--base-url", services, "--gateway-url", gateway, "--report", "json")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains(#""breaking": 0"#) && run.output.contains(#""tolerated": 0"#), "\(run.output)")
      #expect(run.output.contains(#""unchecked": []"#))
      let alone = try await nova("contract", "check", "--base-url", services, "--no-privacy", "--no-invalid")
      #expect(alone.status == 0, "\(alone)")
      #expect(alone.output.contains("grpc.gateway_url is not set"), "\(alone.output)")
      #expect(alone.output.contains("not checked, because they exist only over HTTP"), "\(alone.output)")
    }
  }

  @Test func eventsAreWatched() async throws {
    try await withServices { services, gateway in
      let run = try ProgramRun(["watch", "user:user-0001", "--base-url", services, "--limit", "1"])
      try await run.waitForErrors("watching user:user-0001")
      let follow = try await nova("follow", "user-0001", "user-0002", "--base-url", services)
      #expect(follow.status == 0, "\(follow)")
      let result = try await run.result()
      #expect(result.status == 0 && result.lines.count == 1, "\(result)")
      #expect(result.output.contains(#""type":"follow.created""#))
      // Positions are the same for both ways.
      let id = try #require(try JSONValue(jsonUTF8: Array(result.output.utf8))["id"]?.stringValue)
      _ = try await nova("follow", "user-0001", "user-0003", "--base-url", gateway)
      let later = try ProgramRun(["watch", "user:user-0001", "--base-url", services, "--after", id, "--limit", "1"])
      #expect(try await later.result().output.contains("user-0003"))
    }
  }

  @Test func contextsAndConfigurationHaveServices() async throws {
    let desk = try Desk()
    let added = try await desk.nova(
      "context", "add", "cluster", "--base-url", "grpc://10.1.0.1:50051,10.1.0.2:50051", "--gateway-url",
      "https://gateway.example")
    #expect(added.status == 0, "\(added)")
    #expect(
      added.errors.hasPrefix(
        "added context cluster: base_url grpc://10.1.0.1:50051,10.1.0.2:50051, grpc.gateway_url https://gateway.example\n"
      ),
      "\(added.errors)")
    let settings = try await desk.settings("--context", "cluster")
    #expect(settings["base_url"]?.value == "grpc://10.1.0.1:50051,10.1.0.2:50051")
    #expect(settings["grpc.gateway_url"]?.value == "https://gateway.example")
    #expect(settings["grpc.balancing"]?.value == "round_robin")
    for wrong in ["grpc://localhost:50051/path", "grpc://", "grpc://a:1,,b:2"] {
      let run = try await desk.nova("context", "add", "wrong", "--base-url", wrong)
      #expect(run.status == 64 && run.errors.contains("--base-url"), "\(wrong): \(run)")
      #expect(run.errors.contains("such as grpc://localhost:50051"), "\(wrong): \(run)")
    }
  }

  @Test func nothingThereIsNoConnection() async throws {
    let run = try await nova("followers", "mock-user-id", "--base-url", "grpc://127.0.0.1:1")
    #expect(run.status == 6 && run.errors.contains("127.0.0.1"), "\(run)")
  }

  @Test func filesNeedTheGateway() async throws {
    try await withServices { services, _ in
      let run = try await nova("call", "media.GetUpload", #"{"upload_id":"x"}"#, "--base-url", services)
      #expect(run.status == 0, "\(run)")
      let upload = try await nova("upload", "/etc/hostname", "--as", "u1", "--base-url", services)
      #expect(upload.status != 0 && upload.errors.contains("--base-url \(services) --gateway-url <url>"), "\(upload)")
    }
  }
}
