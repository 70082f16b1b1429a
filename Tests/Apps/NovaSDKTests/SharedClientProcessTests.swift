import Foundation
import Logging
import NovaSDK
import NovaTestSupport
import Testing

/// What the shared client takes from the environment: each test in a process of its own, because it is read once.
@Suite(.hangLimit) struct SharedClientProcessTests {
  @Test func theFlagFollowsTheConfigurationBeforeTheClientExists() async {
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "1", 1)
      try #require(APIFeatureFlags.enableMockData)
      try #require(try await GraphService().getFollowers(userId: "mock-user-id").totalCount == 3021)
    }
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "1", 1)
      APIFeatureFlags.enableMockData = false
      try #require(!APIFeatureFlags.enableMockData)
      _ = APIClient.shared
      try #require(!APIFeatureFlags.enableMockData)
    }
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "maybe", 1)
      try #require(!APIFeatureFlags.enableMockData)
      let error = await apiError { try await GraphService().getFollowers(userId: "x") }
      try #require(error?.code == .failedPrecondition && error?.description.contains("NOVA_MOCK") == true)
    }
  }

  @Test func aCallKeepsTheBackendThatItStartedWith() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ connection in
        guard try connection.readRequest() != nil else { return }
        // The connection is lost, and the call is retried.
        APIFeatureFlags.enableMockData = true
      }) { server in
        setenv("NOVA_BASE_URL", server.url(""), 1)
        setenv("NOVA_RETRY_DELAY", "0", 1)
        let error = await apiError { try await GraphService().getFollowers(userId: "mock-user-id") }
        try #require(error?.code == .networkError && APIFeatureFlags.enableMockData, "\(String(describing: error))")
        try #require(try await GraphService().getFollowers(userId: "mock-user-id").totalCount == 3021)
      }
    }
  }

  /// swift-log's usual level is `info`: nothing is shown that nobody asked for, but that mock data is on.
  @Test func mockModeSaysSoOnceAndLogsOnlyWhenAsked() async {
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "1", 1)
      setenv("NOVA_ENVIRONMENT", "production", 1)
      let log = LineLog()
      LoggingSystem.bootstrap { log.handler($0) }
      for _ in 0..<3 { _ = try await GraphService().getFollowers(userId: "mock-user-id", limit: 1) }
      _ = NovaClient(configuration: try .load())
      let notice =
        "notice NovaSDK: Mock data is on: a mock backend in this process answers all calls, and nothing is sent"
      try #require(log.lines.map { $0.prefix(notice.count) } == [notice[...]], "\(log.lines)")

      APIFeatureFlags.enableRequestLogging = true
      _ = try await GraphService().getFollowers(userId: "mock-user-id", limit: 1)
      let lines = log.lines.dropFirst()
      try #require(lines.contains { $0.contains("Sending request") && $0.contains("mock:/api/v1/graph/followers") })
      try #require(!lines.contains { $0.contains("nova.social") || $0.contains("body=") }, "\(lines)")
    }
  }

  @Test func theLogSettingsCountForTheSharedClient() async {
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "1", 1)
      setenv("NOVA_LOG_LEVEL", "debug", 1)
      setenv("NOVA_LOG_REQUESTS", "1", 1)
      setenv("NOVA_LOG_BODY_BYTES", "1000", 1)
      let log = LineLog()
      LoggingSystem.bootstrap { log.handler($0) }
      _ = try await GraphService().getFollowers(userId: "mock-user-id", limit: 1)
      try #require(log.lines.contains { $0.contains(#"body={"user_id":"mock-user-id","limit":1}"#) }, "\(log.lines)")
    }
    await #expect(processExitsWith: .success) {
      setenv("NOVA_MOCK", "1", 1)
      setenv("NOVA_LOG_LEVEL", "error", 1)
      let log = LineLog()
      LoggingSystem.bootstrap { log.handler($0) }
      APIFeatureFlags.enableRequestLogging = true
      _ = try await GraphService().getFollowers(userId: "mock-user-id", limit: 1)
      try #require(!log.lines.contains { $0.contains("Sending request") }, "\(log.lines)")
    }
  }
}

/// The lines of a program's logs.
private final class LineLog: Sendable {
  private let kept = Locked<[String]>([])

  var lines: [String] { kept.withLock { $0 } }

  func handler(_ label: String) -> any LogHandler { Handler(log: self, label: label) }

  private struct Handler: LogHandler {
    let log: LineLog
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      let details = all.map { " \($0)=\($1)" }.sorted().joined()
      log.kept.withLock { $0.append("\(event.level) \(label): \(event.message)\(details)") }
    }
  }
}
