internal import NovaSupport

/// A Lua script that runs on the server as one step. It is sent once, and then named by its digest.
///
/// ```swift
/// let release = RedisScript("if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end")
/// try await release.run(on: redis, keys: ["lock"], arguments: [owner])
/// ```
public struct RedisScript: Sendable, Hashable {
  /// The source of the script.
  public let source: String
  private let digest: RedisArgument
  private let text: RedisArgument

  /// Creates a script from its source.
  public init(_ source: String) {
    self.source = source
    text = RedisArgument(source)
    digest = RedisArgument(Hexadecimal.encode(SHA1.digest(of: Array(source.utf8))))
  }

  /// Runs the script, with `EVALSHA`, or with `EVAL` if the server does not have it yet.
  ///
  /// - Parameters:
  ///   - client: where to run it.
  ///   - keys: the keys that the script uses, `KEYS` in Lua.
  ///   - arguments: other arguments, `ARGV` in Lua.
  /// - Throws: what ``RedisClient/send(_:)`` throws.
  @discardableResult public func run(
    on client: any RedisClient, keys: [RedisArgument] = [], arguments: [RedisArgument] = []
  ) async throws -> RedisReply {
    let rest = [RedisArgument(keys.count)] + keys + arguments
    do {
      return try await client.send(["EVALSHA", digest] + rest)
    } catch let error as RedisError where error.code == "NOSCRIPT" {
      return try await client.send(["EVAL", text] + rest)
    }
  }
}
