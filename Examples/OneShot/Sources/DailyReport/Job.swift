import Logging
import NovaSDK

/// One run: two calls, one line of output, and a status, within the time that the platform gives.
public struct Job: Sendable {
  /// What a run leaves: its line of output, and the status of the process.
  public struct Result: Sendable, Equatable {
    public var output: String?
    public var status: Int32

    /// Creates a result.
    public init(output: String?, status: Int32) { (self.output, self.status) = (output, status) }
  }

  private let environment: [String: String]
  private let logger: Logger

  /// Creates a job.
  ///
  /// - Parameters:
  ///   - environment: the environment variables: those of the job, and the `NOVA_…` variables of the SDK.
  ///   - logger: where the job and its summary are logged. Default: JSON lines on standard error.
  public init(environment: [String: String], logger: Logger? = nil) {
    self.environment = environment
    self.logger = logger ?? Logger(label: "daily-report") { _ in JSONLogHandler() }
  }

  /// Runs the job, and always returns: what failed is in the log and in the status.
  public func run() async -> Result {
    let start = ContinuousClock.now
    let summary = RunSummary()
    let result: Result
    do {
      let settings = try JobSettings(environment)
      // The rest of the time is for the end: closing the connections, and writing the summary.
      let nova = settings.client(observer: summary, logger).with { $0.deadline = start + settings.timeForCalls }
      result = Result(output: try await report(on: settings.user, by: nova), status: 0)
      await nova.shutdown(grace: .zero)
    } catch {
      logger.error("The job failed", metadata: ["error": "\(error)"])
      result = Result(output: nil, status: ExitStatus.of(error))
    }
    // Written before the process ends, and even if it failed: nothing collects metrics from a process that is gone.
    let duration = start.duration(to: .now)
    logger.info("The job ended", metadata: summary.metadata(status: result.status, duration: duration))
    return result
  }

  /// The two calls, side by side.
  private func report(on user: String, by nova: NovaClient) async throws -> String {
    async let profile = nova.users.getUserProfile(userId: user)
    async let newest = nova.graph.getFollowers(userId: user, limit: 3)
    let (name, page) = try await (profile.username, newest)
    let line: JSONValue = [
      "username": .string(name), "followers": .number("\(page.totalCount)"),
      "newest": .array(page.userIds.map { .string($0) }),
    ]
    return String(decoding: line.jsonUTF8, as: UTF8.self)
  }
}
