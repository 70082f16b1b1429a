import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

/// Captures of every type, and captures of nobody.
@Suite struct CaptureTypeTests {
  private static let url = "https://cdn.example/a.jpg"

  private func capture(_ arguments: String..., input: String = "") async throws -> RunResult {
    try await ProgramRun(["capture"] + arguments + ["--mock", "-o", "ndjson"], input: input).result()
  }

  @Test(arguments: ["image", "video", "url"]) func mediaHaveAURLAndMayHaveAText(_ type: String) async throws {
    for arguments in [
      ["--type", type, "--media-url", Self.url], ["add", "--media-url=\(Self.url)", "--type=\(type)"],
    ] {
      let run = try await ProgramRun(["capture"] + arguments + ["--mock", "-o", "ndjson"], input: "not read").result()
      #expect(run.status == 0, "\(run)")
      let something = try Something(jsonUTF8: Array(run.output.utf8))
      #expect(something.contentType.rawValue == type && something.mediaUrl == Self.url && something.content == nil)
    }
    let named = try await capture("A caption", "--type", type, "--media-url", Self.url)
    #expect(try Something(jsonUTF8: Array(named.output.utf8)).content == "A caption")
    let piped = try await capture("-", "--type", type, "--media-url", Self.url, input: "Piped\n")
    #expect(try Something(jsonUTF8: Array(piped.output.utf8)).content == "Piped")
  }

  @Test func textIsTheDefault() async throws {
    for arguments in [["Rain"], ["--type", "text", "Rain"], ["Rain", "--type", "text"]] {
      let run = try await ProgramRun(["capture"] + arguments + ["--mock", "-o", "ndjson"]).result()
      let something = try Something(jsonUTF8: Array(run.output.utf8))
      #expect(something.contentType == .text && something.content == "Rain" && something.mediaUrl == nil)
    }
  }

  @Test(arguments: ["smell", "TEXT", "", "imag"]) func unknownTypesAreNamed(_ type: String) async throws {
    let run = try await capture("Rain", "--type", type)
    #expect(run.status == 64 && run.output.isEmpty)
    for known in ContentType.allCases { #expect(run.errors.contains(known.rawValue), "\(run.errors)") }
  }

  @Test func helpAndCompletionNameTheTypes() async throws {
    let help = try await nova("capture", "add", "--help")
    #expect(help.status == 0 && help.output.contains("--media-url <url>"))
    for type in ContentType.allCases { #expect(help.output.contains(type.rawValue)) }
    let completion = try await nova("completion", "bash")
    #expect(completion.output.contains(#"'text'$'\n''image'$'\n''video'$'\n''url'"#))
  }

  @Test(arguments: ["image", "video", "url"]) func mediaNeedAURL(_ type: String) async throws {
    let missing = try await capture("A caption", "--type", type)
    #expect(missing.status == 65 && missing.output.isEmpty)
    #expect(missing.errors.contains("media_url must not be empty if the content type is \(type)"), "\(missing.errors)")
    for url in ["a.jpg", "ftp://cdn.example/a.jpg", "https://", "javascript:alert(1)"] {
      let run = try await capture("--type", type, "--media-url", url)
      #expect(run.status == 65 && run.output.isEmpty, "\(url)")
      #expect(run.errors.contains("media_url must be an absolute http or https URL"), "\(run.errors)")
    }
  }

  @Test func aTextHasNoMedia() async throws {
    let run = try await capture("Rain", "--media-url", Self.url)
    #expect(run.status == 64 && run.errors.contains("--media-url requires --type image, video or url"))
  }

  /// The same rules for calls with JSON.
  @Test(arguments: [
    (#"{"content_type":"image"}"#, "media_url must not be empty if the content type is image"),
    (#"{"content_type":"url","media_url":"x"}"#, "media_url must be an absolute http or https URL"),
    (#"{"content_type":"text"}"#, "content must not be empty if the content type is text"),
    ("{}", "content must not be empty if the content type is text"),
  ])
  func callsObeyTheRules(_ json: String, _ message: String) async throws {
    let run = try await nova("call", "capture.CreateSomething", json, "--mock")
    #expect(run.status == 65 && run.output.isEmpty && run.errors.contains(message), "\(run)")
  }

  @Test(arguments: ["{}", #"{"limit":0}"#]) func anAbsentLimitIsTheServers(_ json: String) async throws {
    let run = try await nova("call", "capture.ListSomethings", json, "--mock")
    #expect(run.status == 0, "\(run)")
    for limit in ["-1", "101"] {
      let refused = try await nova("call", "capture.ListSomethings", #"{"limit":\#(limit)}"#, "--mock")
      #expect(refused.status == 65 && refused.errors.contains("limit must be 1…100, got \(limit)"), "\(refused)")
    }
  }

  // MARK: Sign-in

  private static let commands = [
    ["capture", "Rain"], ["capture", "--type", "image", "--media-url", url], ["capture", "list"],
    ["capture", "list", "--all"], ["capture", "show", "1"], ["capture", "meaning", "1", "x"],
    ["capture", "delete", "1", "--yes"],
  ]

  @Test(arguments: commands) func whileNobodyIsSignedInNothingIsSent(_ arguments: [String]) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let run = try await ProgramRun(arguments + ["--base-url", server.url]).result()
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(
      run.errors == """
        nova: not signed in at \(server.url)
              Sign in with `nova login <e-mail> --base-url \(server.url)`.

        """)
    #expect(server.requestCount == 0)
  }

  @Test func aSessionOrATokenIsEnough() async throws {
    let desk = try await OfflineDesk()
    let before = desk.server.requestCount
    let captured = try await desk.nova("capture", "--type", "video", "--media-url", Self.url, "-o", "ids")
    #expect(captured.status == 0 && desk.server.requestCount == before + 1, "\(captured)")
    let list = try await desk.nova("capture", "list")
    #expect(list.output.contains("video"), "\(list)")
    let shown = try await desk.nova("capture", "show", captured.lines[0])
    #expect(shown.output.contains("video") && shown.output.contains(Self.url), "\(shown)")
    // The token is not one of the server's, which is for the server to say.
    let token = try await ProgramRun(
      ["capture", "list", "--base-url", desk.server.url], environment: ["NOVA_TOKEN": "a.b.c"]
    ).result()
    #expect(token.status == 4 && desk.server.requestCount == before + 4, "\(token)")
    _ = try await desk.nova("logout")
    let after = desk.server.requestCount
    #expect(try await desk.nova("capture", "Rain").errors.hasPrefix("nova: not signed in at "))
    #expect(desk.server.requestCount == after)
  }
}
