import ArgumentParser
import NovaSDK

struct Block: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Block a user for another, which ends the follows between the two.")

  @Argument(help: ArgumentHelp("Who blocks.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("Whom to block.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateBlockRequest(blockerId: blocker.text, blockedId: blocked.text)
      let response = try await context.graph.createBlock(request)
      try context.confirm(
        response, response.success, response.message, "\(blocker.text) blocks \(blocked.text)", format.output)
    }
  }
}

struct Unblock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "End a block. The follows it ended do not come back.")

  @Argument(help: ArgumentHelp("Who blocks.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("Whom to block no longer.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteBlockRequest(blockerId: blocker.text, blockedId: blocked.text)
      let response = try await context.graph.deleteBlock(request)
      try context.confirm(
        response, response.success, response.message, "\(blocker.text) does not block \(blocked.text)", format.output)
    }
  }
}

struct IsBlocked: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Tell whether one user has blocked another: true or false.")

  @Argument(help: ArgumentHelp("Who may have blocked.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("Whom they may have blocked.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = IsBlockedRequest(blockerId: blocker.text, blockedId: blocked.text)
      let response = try await context.graph.isBlocked(request)
      try context.tell(response, response.isBlocked, format.output)
    }
  }
}
