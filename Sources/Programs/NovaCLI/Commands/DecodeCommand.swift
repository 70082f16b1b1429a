import ArgumentParser
import NovaSDK

struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Validate JSON against a message of the contract, and print it in canonical form.",
    usage: """
      nova decode <message> [<file>] [--dialect <dialect>] [--allow-unknown-fields]
      nova decode --list
      """,
    discussion: """
      nova decode GetFollowersResponse page.json
      nova decode GetFollowersResponse page.json --jq .user_ids[0]
      curl … | nova decode GetFollowersResponse

      Accepts all JSON dialects that gateways are known to send. Refuses unknown fields. Errors show the line, the \
      column, the path, and the expected value; the exit code is then 65.
      """)

  @Argument(
    help: .value("message", "The message, such as GetFollowersResponse; ignores case."),
    completion: Completions.messages)
  var message: String?

  @Argument(help: .value("file", "The file with the JSON. Default: standard input."), completion: .file())
  var file: String?

  @Option(help: "proto (snake_case), camel (lowerCamelCase), or canonical (camel, and 64-bit integers as strings).")
  var dialect: Dialect = .proto

  @OptionGroup var fields: UnknownFieldOptions

  @OptionGroup var filter: FilterOptions

  @Flag(help: "List the messages.")
  var list = false

  enum Dialect: String, ExpressibleByArgument, CaseIterable {
    case proto, camel, canonical

    var options: ProtoJSONOptions {
      switch self {
      case .proto: ProtoJSONOptions()
      case .camel: ProtoJSONOptions(names: .lowerCamelCase)
      case .canonical: ProtoJSONOptions(names: .lowerCamelCase, writesInt64AsString: true)
      }
    }
  }

  func validate() throws {
    if message == nil, !list { throw ValidationError("missing <message>: list all with `nova decode --list`") }
  }

  func run() throws {
    if list { return try StandardOutput.print(RPCRegistry.nova.messages.map { $0.descriptor.name }) }
    let type = try find(message ?? "")
    try filter.template?.check(names: type.descriptor.fields.map { dialect == .proto ? $0.name : $0.jsonName })
    try filter.write(try decoded(type))
  }

  private func decoded(_ type: any ProtoMessage.Type) throws -> JSONValue {
    let input = try Input.read(file)
    do throws(ProtoJSONError) {
      return try JSONValue(jsonUTF8: try fields.read(type, from: input.bytes).jsonUTF8(dialect.options))
    } catch {
      throw Failure(error, in: input.name)
    }
  }

  private func find(_ name: String) throws -> any ProtoMessage.Type {
    if let type = RPCRegistry.nova.message(named: name) { return type }
    let names = RPCRegistry.nova.messages.map { $0.descriptor.name.split(separator: ".").last.map(String.init) ?? "" }
    let hint = Suggestions.sentence(for: name, among: names, otherwise: "List all with `nova decode --list`.")
    throw Failure("not found: message \"\(name.printable(to: 100))\"", hint: hint, .usage)
  }
}
