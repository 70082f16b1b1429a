import ArgumentParser
import NovaSDK

/// A command whose records have fields to select with `--fields`.
protocol FieldSelecting {
  /// The message whose fields can be selected.
  static var selectable: MessageDescriptor { get }
}

/// The fields that `--fields` of a command takes.
enum FieldCompletion {
  /// - Parameter words: the command line.
  static func names(_ words: [String]) -> [String] {
    guard let type = command(words) as? any FieldSelecting.Type else { return [] }
    return type.selectable.fields.map(\.name)
  }

  private static func command(_ words: [String]) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = NovaCommand.self
    var rest = words.dropFirst()
    while !command.configuration.subcommands.isEmpty {
      rest = rest.dropFirst(CommandLineOrder.leadingOptions(rest))
      guard let word = rest.first, let next = NovaCommand.subcommand(word, of: command) else { break }
      (command, rest) = (next, rest.dropFirst())
    }
    return command.configuration.defaultSubcommand ?? command
  }
}

// The commands whose fields are not those of a record of their own.

extension IDListCommand: FieldSelecting {
  static var selectable: MessageDescriptor { Kind.list.record.descriptor }
}

extension Feed: FieldSelecting {
  static var selectable: MessageDescriptor { FeedPost.descriptor }
}

extension ProfileShow: FieldSelecting {
  static var selectable: MessageDescriptor { UserProfile.descriptor }
}

extension WhoAmI: FieldSelecting {
  static var selectable: MessageDescriptor { User.descriptor }
}

extension Pets: FieldSelecting {
  static var selectable: MessageDescriptor { PetRecord.animal.descriptor }
}

extension Pet: FieldSelecting {
  static var selectable: MessageDescriptor { PetRecord.details.descriptor }
}

extension UploadCommand: FieldSelecting {
  static var selectable: MessageDescriptor { Upload.descriptor }
}
