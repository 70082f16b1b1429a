import Foundation
import NovaTestSupport
import Testing

/// Which settings apply when a context, variables, files and options disagree.
@Suite struct ContextPrecedenceTests {
  /// Layers, and the gateway that results.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var current: String?
    var options: [String] = []
    var variables: [String: String] = [:]
    var file: String?
    let url: String
    let source: String
    /// The context in use.
    var context: String?
    var isMock = false

    static let all: [Case] = [
      Case(testDescription: "nothing", url: "http://localhost:8080", source: "built in"),
      Case(
        testDescription: "the current one", current: "one", url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "NOVA_CONTEXT before the current one", current: "one", variables: ["NOVA_CONTEXT": "two"],
        url: "http://two", source: "context two", context: "two"),
      Case(
        testDescription: "--context before NOVA_CONTEXT", current: "one", options: ["--context", "one"],
        variables: ["NOVA_CONTEXT": "two"], url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "an empty NOVA_CONTEXT is none", current: "one", variables: ["NOVA_CONTEXT": ""],
        url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "a context before the file", current: "one",
        file: #"{"environments":{"development":{"base_url":"http://file"}}}"#, url: "http://one", source: "context one",
        context: "one"),
      Case(
        testDescription: "a variable before the current one", current: "one", variables: ["NOVA_BASE_URL": "http://v"],
        url: "http://v", source: "NOVA_BASE_URL"),
      Case(
        testDescription: "--context before a variable", options: ["--context", "one"],
        variables: ["NOVA_BASE_URL": "http://v"], url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "an environment of a variable before the base URL of the current one", current: "one",
        variables: ["NOVA_ENVIRONMENT": "staging"], url: "https://staging-api.nova.social", source: "built in"),
      Case(
        testDescription: "--base-url before a context", current: "one", options: ["--base-url", "http://o"],
        url: "http://o", source: "--base-url"),
      Case(
        testDescription: "--environment before the base URL of a context", current: "one",
        options: ["--environment", "staging"], url: "https://staging-api.nova.social", source: "built in"),
      Case(
        testDescription: "an environment in a context", current: "staging", url: "https://staging-api.nova.social",
        source: "built in", context: "staging"),
      Case(
        testDescription: "--mock before a context", current: "one", options: ["--mock"], url: "http://localhost:8080",
        source: "built in", isMock: true),
      Case(
        testDescription: "a context before a file that chooses the mock", current: "one",
        file: #"{"flags":{"mock_data":true}}"#, url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "--context before NOVA_MOCK", options: ["--context", "one"], variables: ["NOVA_MOCK": "1"],
        url: "http://one", source: "context one", context: "one"),
      Case(
        testDescription: "NOVA_MOCK before the current one", current: "one", variables: ["NOVA_MOCK": "1"],
        url: "http://localhost:8080", source: "built in", isMock: true),
      Case(
        testDescription: "a mock context", current: "mock", url: "http://localhost:8080", source: "built in",
        context: "mock", isMock: true),
      Case(
        testDescription: "--base-url before a mock context", current: "mock", options: ["--base-url", "http://o"],
        url: "http://o", source: "--base-url"),
      Case(
        testDescription: "a context that chooses no gateway", current: "slow", variables: ["NOVA_BASE_URL": "http://v"],
        url: "http://v", source: "NOVA_BASE_URL", context: "slow"),
    ]
  }

  private static func desk() async throws -> Desk {
    let desk = try Desk()
    try desk.write(
      contexts: """
        {"version": 1, "contexts": {
          "one": {"base_url": "http://one", "timeout_seconds": 11},
          "two": {"base_url": "http://two"},
          "staging": {"environment": "staging"},
          "mock": {"flags.mock_data": true},
          "slow": {"timeout_seconds": 99}
        }}
        """)
    return desk
  }

  @Test(arguments: Case.all) func eachLayerHasItsPlace(_ example: Case) async throws {
    let desk = try await Self.desk()
    if let current = example.current { #expect(try await desk.nova("context", "use", current).status == 0) }
    if let file = example.file { try desk.write(file, "work/APIConfig.json") }
    let run = try await desk.run(
      ["config", "show", "-o", "json"] + example.options, environment: example.variables)
    let settings = try JSONDecoder().decode([Desk.Setting].self, from: Data(run.output.utf8))
    let byKey = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
    #expect(byKey["base_url"] == .init(key: "base_url", value: example.url, source: example.source), "\(run.errors)")
    #expect(byKey["context"]?.value == example.context, "\(run.errors)")
    #expect(byKey["flags.mock_data"]?.value == String(example.isMock), "\(run.errors)")
    // All of a context's settings apply, or none.
    if example.current == "one", example.context == nil { #expect(byKey["timeout_seconds"]?.value != "11") }
  }

  @Test func settingsThatAreSetAsideAreReported() async throws {
    let desk = try await Self.desk()
    let run = try await desk.nova(
      "config", "show", "--context", "one",
      environment: ["NOVA_BASE_URL": "http://v", "NOVA_GRAPH_BASE_URL": "http://g", "NOVA_MOCK": "1"])
    for name in ["NOVA_BASE_URL", "NOVA_GRAPH_BASE_URL", "NOVA_MOCK"] {
      #expect(run.errors.contains("\(name) is not used: context one decides where calls go"), "\(run.errors)")
    }
    #expect(!run.output.contains("http://g"), "\(run.output)")
    for url in ["http://v", "http://o"] {
      let run = try await desk.nova("config", "show", "--base-url", "http://o", environment: ["NOVA_BASE_URL": url])
      let warning = "NOVA_BASE_URL is not used: --base-url decides where calls go"
      #expect(run.errors.contains(warning) == (url == "http://v"), "\(run.errors)")
    }
    let same = try await desk.nova("config", "show", "--context", "one", environment: ["NOVA_BASE_URL": "http://one"])
    #expect(!same.errors.contains("is not used"), "\(same.errors)")
  }

  /// A context has a client certificate, which belongs to its own gateway.
  @Test(arguments: [["--config", "qa.json"], ["--environment", "staging"], ["--base-url", "http://qa"]])
  func anotherFileGetsNoCertificate(_ gateway: [String]) async throws {
    let desk = try Desk()
    for (name, url) in [("qa", "http://qa"), ("other", "http://other")] {
      let environments = #"{"development":{"base_url":"\#(url)"},"production":{"base_url":"\#(url)"}}"#
      try desk.write(#"{"environments":\#(environments)}"#, "work/\(name).json")
    }
    try desk.write("certificate", "work/c.pem")
    let added = try await desk.run(
      ["context", "add", "cfg", "--client-certificate-file", "c.pem", "--client-key-file", "c.pem", "--use"] + gateway)
    #expect(added.status == 0, "\(added)")
    #expect(try await desk.settings()["client_certificate_file"]?.value != nil)
    for (options, variables) in [
      (["--config", "other.json"], [:]), ([], ["NOVA_CONFIG": "other.json"]),
      ([], ["NOVA_GRAPH_BASE_URL": "http://other"]),
    ] {
      let run = try await desk.run(["config", "show", "-o", "json"] + options, environment: variables)
      let settings = try JSONDecoder().decode([Desk.Setting].self, from: Data(run.output.utf8))
      for key in ["client_certificate_file", "client_key_file", "context"] {
        let value = settings.first { $0.key == key }?.value
        #expect(value == nil, "\(options) \(variables): \(key)")
      }
    }
    let both = try await desk.nova("config", "show", "--context", "cfg", "--config", "other.json")
    #expect(both.status == 64 && both.errors.contains("--context and --config cannot be combined"), "\(both)")
    let typed = try await desk.settings("--context", "cfg", environment: ["NOVA_CONFIG": "other.json"])
    #expect(gateway[0] != "--config" || typed["base_url"]?.value == "http://qa", "\(typed)")
  }

  @Test(arguments: [["--base-url", "http://o"], ["--environment", "staging"], ["--mock"]])
  func aTypedContextAndAnotherGatewayAreAQuestion(_ options: [String]) async throws {
    let desk = try await Self.desk()
    let run = try await desk.run(["followers", "x", "--context", "one"] + options)
    #expect(run.status == 64 && run.errors.contains("--context and \(options[0]) cannot be combined"), "\(run)")
    let slow = try await desk.run(["config", "show", "--context", "slow"] + options)
    #expect(slow.status == 0, "a context that chooses no gateway: \(slow)")
  }
}
