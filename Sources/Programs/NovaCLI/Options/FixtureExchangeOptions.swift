import ArgumentParser
import NovaFixtureFiles
import NovaFixtures
import NovaSDK

/// The requests with responses of a set.
struct FixtureExchangeOptions: ParsableArguments {
  /// `all`, `none`, or names separated by commas.
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
      "The RPCs: all, none, or names such as graph.GetFollowers, separated by commas. Default: all, or none for more than \(FixtureExchangeFiles.maximumUsers) users.",
      valueName: "rpcs"), completion: Completions.list { ["all", "none"] + RPCRegistry.nova.rpcs.map(\.id) },
    transform: { text in
      let known = RPCRegistry.nova.rpcs.map(\.id)
      return try Self.choice(text) { name in try Self.known(name, among: known, as: name) }
    })
  var rpc: Choice<String>?

  @Option(
    help: ArgumentHelp(
      "The edge cases: all, none, or names from `nova fixtures list`, separated by commas. Default: none.",
      valueName: "edges"), completion: Completions.list { ["all", "none"] + EdgeCase.all.map(\.name) },
    transform: { text in
      try Self.choice(text) { name in try Self.known(name, among: EdgeCase.all.map(\.name), as: EdgeCase.named(name)) }
    })
  var edge: Choice<EdgeCase> = .none

  @Option(
    help: ArgumentHelp(
      "The tools to export for: wiremock, mockoon, postman, har, pact, separated by commas. Default: none.",
      valueName: "tools"), completion: Completions.list { FixtureExport.allCases.map(\.rawValue) },
    transform: FixtureArgument.names)
  var export: [FixtureExport] = []

  /// The files; nil if there are none.
  func files(_ options: FixtureOptions) async throws -> FixtureExchangeFiles? {
    let world = options.world
    let usual: Choice<String> = world.size.users > FixtureExchangeFiles.maximumUsers ? .none : .all
    let rpcs = (rpc ?? usual).names(of: RPCRegistry.nova.rpcs.map(\.id))
    let edges = edge.names(of: EdgeCase.all)
    if rpcs.isEmpty, edges.isEmpty, export.isEmpty { return nil }
    return try await FixtureExchangeFiles(
      of: world, rpcs: rpcs, edgeCases: edges, exports: export, password: options.password)
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
      let all = "List the names with `nova fixtures list` and `nova call --list`."
      throw ValidationError("\(Suggestions.sentence(for: name, among: names, otherwise: all))")
    }
    return value
  }
}
