import ArgumentParser
import NovaSDK

struct Mute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Mute a user for another.")

  @Argument(help: ArgumentHelp("Who mutes.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("Whom to mute.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateMuteRequest(muterId: muter.text, muteeId: mutee.text)
      let response = try await context.graph.createMute(request)
      try context.confirm(
        response, response.success, response.message, "\(muter.text) mutes \(mutee.text)", format.output)
    }
  }
}

struct Unmute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "End a mute.")

  @Argument(help: ArgumentHelp("Who mutes.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("Whom to mute no longer.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteMuteRequest(muterId: muter.text, muteeId: mutee.text)
      let response = try await context.graph.deleteMute(request)
      try context.confirm(
        response, response.success, response.message, "\(muter.text) does not mute \(mutee.text)", format.output)
    }
  }
}

struct IsMuted: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Tell whether one user has muted another: true or false.")

  @Argument(help: ArgumentHelp("Who may have muted.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("Whom they may have muted.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = IsMutedRequest(muterId: muter.text, muteeId: mutee.text)
      let response = try await context.graph.isMuted(request)
      try context.tell(response, response.isMuted, format.output)
    }
  }
}
