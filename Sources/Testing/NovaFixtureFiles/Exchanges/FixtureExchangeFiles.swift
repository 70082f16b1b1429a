import NovaCore
public import NovaFixtures
public import NovaMockWorlds
import NovaRegistry

/// Files with requests and responses: for RPCs, for edge cases, and for other tools.
///
/// ```swift
/// let world = try World(seed: Seed(42), users: 1_000)
/// let exchanges = try await FixtureExchangeFiles(of: world, edgeCases: EdgeCase.all, exports: [.wiremock])
/// try FixtureSet(try FixtureOptions(seed: world.seed, size: world.size), exchanges: exchanges).write(to: "fixtures")
/// ```
public struct FixtureExchangeFiles: Sendable {
  /// The maximum number of users in a world, because the mock backend stores the world in memory.
  public static let maximumUsers = 10_000

  struct File: Sendable {
    let name: String
    let format: String
    let records: Int
    let bytes: [UInt8]
  }

  let files: [File]

  /// Generates exchanges with a mock backend that contains the world.
  ///
  /// The files are `exchanges/<rpc>.json`, `edges/<name>.json`, and `exports/<tool>/…`, which contains all exchanges.
  ///
  /// - Parameters:
  ///   - world: a world with at most ``maximumUsers`` users.
  ///   - rpcs: the RPCs, by id: `graph.GetFollowers`. Default: all of them; empty for none.
  ///   - edgeCases: the edge cases. Default: none.
  ///   - exports: the tools. Default: none.
  ///   - password: the password of the world's accounts, for exports that log in. Default: `fixture-password`.
  /// - Throws: ``FixtureError``: `options` for an unknown RPC, a world that is too large, or an empty export;
  ///   `cancelled`; `failed` if the mock has no response.
  public init(
    of world: World, rpcs: [String]? = nil, edgeCases: [EdgeCase] = [], exports: [FixtureExport] = [],
    password: WorldPassword = .standard
  ) async throws(FixtureError) {
    let rpcs = rpcs ?? RPCRegistry.nova.rpcs.filter { !$0.isServerStreaming }.map(\.id)
    try Self.check(world, rpcs: rpcs, edgeCases: edgeCases, exports: exports)
    let chosen = Set(rpcs)
    do {
      let recording = rpcs.isEmpty ? [] : try await FixtureExchange.all(of: world)
      let answers = recording.filter { chosen.contains($0.rpc) }
      let cases = try edgeCases.map { (edgeCase: $0, exchanges: try FixtureExchange.all(of: $0)) }
      files =
        RPCRegistry.nova.rpcs.map(\.id).filter(chosen.contains).map { rpc in
          Self.file("exchanges/\(rpc).json", format: "exchanges", exchanges: answers.filter { $0.rpc == rpc })
        }
        + cases.map { Self.file("edges/\($0.edgeCase.name).json", format: "edge", exchanges: $0.exchanges) }
        + exports.flatMap {
          // Only a collection is replayed.
          let exchanges = $0 == .postman ? recording.withPrerequisites(of: chosen) : answers
          return Self.files(
            of: $0, exchanges + cases.flatMap(\.exchanges), FixtureAccount(of: world, password: password),
            prerequisites: recording)
        }
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .failed("\(error)")
    }
  }

  private static func check(
    _ world: World, rpcs: [String], edgeCases: [EdgeCase], exports: [FixtureExport]
  ) throws(FixtureError) {
    let known = Set(RPCRegistry.nova.rpcs.map(\.id))
    if let unknown = rpcs.first(where: { !known.contains($0) }) {
      throw .options("unknown RPC \(unknown); expected one such as graph.GetFollowers")
    }
    if !rpcs.isEmpty, world.size.users > maximumUsers {
      throw .options(
        "exchanges require a world of at most \(maximumUsers) users; this one has \(world.size.users)")
    }
    if !exports.isEmpty, rpcs.isEmpty, edgeCases.isEmpty {
      throw .options("nothing to export: no RPCs and no edge cases were chosen")
    }
  }

  private static func file(_ name: String, format: String, exchanges: [FixtureExchange]) -> File {
    let lines = exchanges.map { String(decoding: $0.json.jsonUTF8, as: UTF8.self) }
    return File(
      name: name, format: format, records: exchanges.count,
      bytes: Array("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8))
  }

  private static func files(
    of export: FixtureExport, _ exchanges: [FixtureExchange], _ account: FixtureAccount?,
    prerequisites: [FixtureExchange]
  ) -> [File] {
    export.files(exchanges, account: account, prerequisites: prerequisites).map {
      File(name: "exports/\(export.rawValue)/\($0.path)", format: export.rawValue, records: 0, bytes: $0.bytes)
    }
  }
}
