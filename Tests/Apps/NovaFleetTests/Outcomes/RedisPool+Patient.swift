import NovaRedis
import NovaTestSupport

extension RedisPool {
  /// A pool for a test itself, which waits for a busy machine.
  static func patient(_ url: String) throws -> RedisPool {
    var options = SessionEngine.options
    (options.timeout, options.connectTimeout) = (.seconds(60), .seconds(60))
    return try RedisPool(url: url, options: options)
  }
}
