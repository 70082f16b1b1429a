import ArgumentParser
import NovaContract
import NovaCore

/// The part of a check or of a suite that one of several processes runs.
struct ContractShardOptions: ParsableArguments {
  @Option(
    help: .value(
      "shard",
      """
      Run one part, 2/4 for the second of four, or index:1/4, counted from 0, and write what it found to --out, for \
      `nova contract merge`.
      """),
    transform: ShardArgument.shard)
  var shard: WorkShard?

  func validate(_ format: ContractReportOptions) throws {
    guard shard != nil else { return }
    if format.isGiven { throw ValidationError("--report belongs to `nova contract merge`, not to a shard") }
    if format.out == nil { throw ValidationError("--shard requires --out <file>, for `nova contract merge`") }
  }

  /// Removes the result of an earlier run, so that a shard that fails is missing from the merge. Other files stay until
  /// the shard is complete.
  func removeEarlier(_ format: ContractReportOptions) throws {
    guard shard != nil, let path = format.out, let bytes = try? SystemIO.readFile(path),
      ContractCheckShard.isKind(of: bytes) || ContractSuiteShard.isKind(of: bytes)
    else { return }
    guard unlink(path) == 0 else { throw Failure(writing: path, .last) }
  }

  /// Writes the file of a shard, complete or not at all.
  func write(_ bytes: [UInt8], to format: ContractReportOptions) throws {
    guard let path = format.out else { return }
    try Failure.writing(path) { try System.replaceFile(path, with: bytes) }
  }
}
