import ArgumentParser
import NovaFixtureFiles
import NovaFixtures
import NovaSDK

/// The requests with responses of a set.
struct FixtureExchangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The RPCs: all, none, or names such as graph.GetFollowers, separated by commas. Default: all, or none for more than \(FixtureExchangeFiles.maximumUsers) users.",
      valueName: "rpcs"), completion: Completions.list { ["all", "none"] + RPCRegistry.nova.rpcs.map(\.id) },
    transform: Self.rpcs)
  var rpc: [String]?

  @Option(
    help: ArgumentHelp(
      "The edge cases: all, none, or names from `nova fixtures list`, separated by commas. Default: none.",
      valueName: "edges"), completion: Completions.list { ["all", "none"] + EdgeCase.all.map(\.name) },
    transform: Self.edges)
  var edge: [EdgeCase] = []

  @Option(
    help: ArgumentHelp(
      "The tools to export for: wiremock, mockoon, postman, har, pact, separated by commas. Default: none.",
      valueName: "tools"), completion: Completions.list { FixtureExport.allCases.map(\.rawValue) },
    transform: FixtureArgument.names)
  var export: [FixtureExport] = []

  /// The names of all that the options ask for, which a shard lists.
  func names(_ options: FixtureOptions) -> [String] {
    chosenRPCs(options.world).sorted() + edge.map { "edge \($0.name)" }.sorted()
      + export.map { "export \($0)" }.sorted()
  }

  private func chosenRPCs(_ world: World) -> [String] {
    rpc ?? (world.size.users > FixtureExchangeFiles.maximumUsers ? [] : RPCRegistry.nova.rpcs.map(\.id))
  }

  /// The files; nil if the options ask for none.
  func files(_ options: FixtureOptions) async throws -> FixtureExchangeFiles? {
    let world = options.world
    let rpcs = chosenRPCs(world)
    if rpcs.isEmpty, edge.isEmpty, export.isEmpty { return nil }
    return try await FixtureExchangeFiles(
      of: world, rpcs: rpcs, edgeCases: edge, exports: export, password: options.password)
  }

  private static func rpcs(_ text: String) throws -> [String] {
    let all = RPCRegistry.nova.rpcs.map(\.id)
    return try names(text, all: all) { try known($0, among: all, as: $0) }
  }

  private static func edges(_ text: String) throws -> [EdgeCase] {
    let names = EdgeCase.all.map(\.name)
    return try Self.names(text, all: EdgeCase.all) { try known($0, among: names, as: EdgeCase.named($0)) }
  }

  /// Reads `all`, `none`, or names separated by commas.
  private static func names<Name>(_ text: String, all: [Name], _ read: (String) throws -> Name) throws -> [Name] {
    switch text {
    case "all": all
    case "none": []
    default: try text.split(separator: ",", omittingEmptySubsequences: false).map { try read(String($0)) }
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
