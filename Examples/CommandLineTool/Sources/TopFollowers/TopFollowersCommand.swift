import ArgumentParser
import NovaSDK

/// The command line: what is asked, of which gateway, and in which form the answer is printed.
public struct TopFollowersCommand: AsyncParsableCommand, Sendable {
  public static let configuration = CommandConfiguration(
    commandName: "top-followers",
    abstract: "List the most followed followers of a user.",
    discussion: """
      Reads the newest followers of a user, and sorts them by their own numbers of followers.

      Exit codes: 0 success, 1 failed, 4 not allowed, 5 not found, 6 no response, 64 invalid usage, 65 bad data, \
      130 interrupted.
      """)

  @Argument(help: "The ID of the user.")
  public var user: String

  @Option(help: ArgumentHelp("Maximum number of followers to list.", valueName: "count"))
  public var limit = 10

  @Option(help: ArgumentHelp("Number of newest followers to compare.", valueName: "count"))
  public var sample = 200

  @Flag(help: "Print JSON.")
  public var json = false

  @OptionGroup(title: "Gateway")
  public var gateway: GatewayOptions

  public init() {}

  public func validate() throws {
    guard (1...1_000).contains(limit) else { throw ValidationError("--limit must be 1…1000, got \(limit)") }
    guard (1...100_000).contains(sample) else { throw ValidationError("--sample must be 1…100000, got \(sample)") }
  }

  public func run() async throws {
    let progress = ProgressLine()
    do {
      // Cancels the work on Ctrl-C and SIGTERM. Its calls end at once, and nothing half-written is printed.
      let followers = try await Interruption.cancelling {
        let nova = try gateway.client()
        let followers = try await Ranking(nova).followers(of: user, sample: sample) { progress.show($0, of: $1) }
        await nova.shutdown()
        return Array(followers.prefix(limit))
      }
      progress.clear()
      print(json ? Output.json(followers) : Output.table(followers))
    } catch {
      progress.clear()
      throw Failure.exit(error)
    }
  }
}
