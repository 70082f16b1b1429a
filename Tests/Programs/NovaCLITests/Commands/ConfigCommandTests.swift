import NovaSDK
import NovaTestSupport
import Testing

@Suite struct ConfigCommandTests {
  @Test func tokensAreMasked() async throws {
    for format in ["table", "json", "ndjson"] {
      let run = try await nova("config", "show", "-o", format, environment: ["NOVA_TOKEN": "s3cret"])
      #expect(run.status == 0)
      #expect(run.output.contains("****"))
      #expect(!run.output.contains("s3cret"))
      #expect(run.output.contains("NOVA_TOKEN"))
    }
  }

  @Test func everyValueHasItsSource() async throws {
    let run = try await nova(
      "config", "show", "--timeout", "1500ms", "-o", "ndjson", environment: ["NOVA_ENVIRONMENT": "staging"])
    #expect(run.lines.contains(#"{"key":"environment","value":"staging","source":"NOVA_ENVIRONMENT"}"#))
    #expect(run.lines.contains(#"{"key":"timeout_seconds","value":"1.5","source":"--timeout"}"#))
    #expect(run.lines.contains(#"{"key":"flags.mock_data","value":"false","source":"built in"}"#))
  }

  @Test func mistakesCountByTheirSource() async throws {
    let variable = try await nova("config", "show", environment: ["NOVA_ENVIRONMENT": "prod"])
    #expect(variable.status == 64)
    #expect(variable.errors.hasPrefix("nova: NOVA_ENVIRONMENT is \"prod\""))
    let option = try await nova("config", "show", "--environment", "prod")
    #expect(option.status == 64)
    #expect(option.errors.hasPrefix("nova: invalid --environment \"prod\": expected development"))
  }

  @Test func misspeltVariablesAreNoticed() async throws {
    let run = try await nova("config", "show", environment: ["NOVA_TIMEOT": "3"])
    #expect(run.errors.hasPrefix("nova: warning: NOVA_TIMEOT"))
    #expect(run.errors.contains("NOVA_TIMEOUT"))
  }
}
