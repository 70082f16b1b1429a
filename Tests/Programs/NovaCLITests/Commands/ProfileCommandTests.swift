import NovaSDK
import NovaTestSupport
import Testing

@Suite struct ProfileCommandTests {
  @Test func aProfileIsACard() async throws {
    let expected = """
      Bruce Li (bruce_li, mock-user-id), verified
      Walks, coffee, code.
      Lisbon
      bruce@nova.social

      3,021 followers, 1,500 following, 245 posts
      joined 2024-01-01

      post-245\t2024-09-02T22:19:51Z\tAnyone up for a run tomorrow?

      """
    for arguments in [["profile", "mock-user-id"], ["--mock", "profile", "show", "mock-user-id"]] {
      let run = try await ProgramRun(
        arguments + ["--posts", "1"] + (arguments.contains("--mock") ? [] : ["--mock"]), environment: ["TZ": "UTC0"]
      ).result()
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == expected)
    }
    let json = try await nova("profile", "mock-user-id", "--mock", "-o", "json")
    #expect(try UserProfile(jsonUTF8: Array(json.output.utf8)).username == "bruce_li")
  }

  @Test func editsLast() async throws {
    try await withServe { url, _ in
      let edit = try await nova(
        "profile", "edit", "user-0001", "--bio", "a\u{1B}[31m\nb", "--no-private", "--base-url", url)
      #expect(edit.status == 0)
      let card = try await nova("profile", "user-0001", "--base-url", url)
      #expect(card.output.contains("\na\\u{1b}[31m\nb\n"))
      let fields = ["--fields", "bio", "-o", "ndjson"]
      let shown = try await ProgramRun(["profile", "user-0001", "--base-url", url] + fields).result()
      #expect(shown.output == #"{"bio":"a\u001b[31m\nb"}"# + "\n")
    }
  }

  @Test(arguments: ["table", "json", "ndjson"]) func registeringShowsNoSecret(_ format: String) async throws {
    let run = try await nova(
      "register", "ada@example.com", "ada", "--mock", "--password-stdin", "-o", format, "--verbose",
      input: "correct horse\n")
    #expect(run.status == 0)
    #expect(run.output.contains("user-registered-1"))
    #expect(!(run.output + run.errors).contains("eyJ"))
    #expect(!(run.output + run.errors).contains("correct horse"))
    #expect(run.output.contains("****") == (format != "table"))
    #expect(run.errors.contains("nova login") == (format == "table"))
  }

  @Test func secretsAreMaskedWhenPicked() async throws {
    let run = try await nova(
      "register", "ada@example.com", "ada", "--mock", "--password-stdin", "--fields", "token", input: "correct horse")
    #expect(run.output == "TOKEN  ****\n")
  }

  @Test func registeringOverHTTPMakesAnAccount() async throws {
    try await withServe { url, _ in
      let register = ["register", "ada@example.com", "ada", "--password-stdin", "--base-url", url]
      let first = try await ProgramRun(register, input: "correct horse\n").result()
      #expect(first.lines == ["USER ID  user-registered-1"])
      #expect(try await nova("profile", "user-registered-1", "--base-url", url).output.hasPrefix("ada (ada, "))
      let again = try await ProgramRun(register, input: "correct horse\n").result()
      #expect(again.status == 1)
      #expect(
        again.errors
          == "nova: cannot register: an account with this e-mail address already exists; sign in, or reset the password\n"
      )
      let login = #"{"email": "ada@example.com", "password": "correct horse"}"#
      #expect(try await nova("call", "auth.Login", "-", "--base-url", url, input: login).status == 0)
    }
  }

  @Test func passwordsNeedATerminalOrStandardInput() async throws {
    let none = try await nova("register", "ada@example.com", "ada", "--mock")
    #expect(none.status == 64)
    #expect(none.errors.contains("--password-stdin"))
    let short = try await nova("register", "a@b.example", "ada", "--mock", "--password-stdin", input: "s3cret\n")
    #expect(short.status == 65)
    #expect(short.errors == "nova: invalid password: must have at least 8 characters, and at most 1,024 bytes\n")
    #expect(try await nova("register", "a@b.example", "ada", "--mock", "--password", "x").status == 64)
  }

  @Test func confirmationByMailIsReported() async throws {
    let run = try await nova(
      "register", "ada@unconfirmed.example", "ada", "--mock", "--password-stdin", input: "correct horse")
    #expect(run.errors.contains("confirm the account"))
  }
}
