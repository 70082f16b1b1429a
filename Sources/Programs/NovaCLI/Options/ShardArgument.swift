import ArgumentParser
import NovaCore

/// Parses `--shard`.
enum ShardArgument {
  static func shard(_ text: String) throws -> WorkShard {
    do throws(WorkShardError) {
      return try WorkShard(parsing: text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
