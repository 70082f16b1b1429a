import ArgumentParser
import NovaFixtureFiles
import NovaFixtures
import NovaSDK

/// Which requests with answers go into a set.
struct FixtureExchangeOptions: ParsableArguments {
  /// `all`, `none`, or names with commas between them.
  enum Choice<Name: Sendable>: Sendable {
    case all
    case none
    case some([Name])

    func names(of all: [Name]) -> [Name] {
      switch self {
      case .all: all
      case .none: []
      case .some(let names): names
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "The RPCs: all, none, or ids such as graph.GetFollowers with commas in between. Default: all, but none for more than \(FixtureExchangeFiles.maximumUsers) users.",
      valueName: "rpcs"),
    transform: { text in
      let known = RPCRegistry.nova.rpcs.map(\.id)
      return try Self.choice(text) { name in try Self.known(name, among: known, as: name) }
    })
  var rpc: Choice<String>?

  @Option(
    help: ArgumentHelp(
      "The edges: all, none, or names of `nova fixtures list` with commas in between. Default: none.",
      valueName: "edges"),
    transform: { text in
      try Self.choice(text) { name in try Self.known(name, among: EdgeCase.all.map(\.name), as: EdgeCase.named(name)) }
    })
  var edge: Choice<EdgeCase> = .none

  @Option(
    help: ArgumentHelp(
      "For which tools: wiremock, mockoon, postman, har, pact, with commas in between. Default: none.",
      valueName: "tools"), transform: FixtureArgument.names)
  var export: [FixtureExport] = []

  /// The files; nil where there are none.
  func files(_ world: World) async throws -> FixtureExchangeFiles? {
    let usual: Choice<String> = world.size.users > FixtureExchangeFiles.maximumUsers ? .none : .all
    let rpcs = (rpc ?? usual).names(of: RPCRegistry.nova.rpcs.map(\.id))
    let edges = edge.names(of: EdgeCase.all)
    if rpcs.isEmpty, edges.isEmpty, export.isEmpty { return nil }
    return try await FixtureExchangeFiles(of: world, rpcs: rpcs, edgeCases: edges, exports: export)
  }

  private static func choice<Name>(_ text: String, _ read: (String) throws -> Name) throws -> Choice<Name> {
    switch text {
    case "all": .all
    case "none": .none
    default: .some(try text.split(separator: ",", omittingEmptySubsequences: false).map { try read(String($0)) })
    }
  }

  private static func known<Value>(_ name: String, among names: [String], as value: Value?) throws -> Value {
    guard names.contains(name), let value else {
      let all = "`nova fixtures list` and `nova call --list` have the names."
      throw ValidationError("\(Suggestions.sentence(for: name, among: names, otherwise: all))")
    }
    return value
  }
}
