internal import NovaCore
internal import NovaRedis

/// Sessions on Redis or Valkey: one hash for each, which also has the lease, so that one key is all that a script uses.
struct RedisSessionRecords: SessionRecords {
  let client: any RedisClient
  let subscriber: (any RedisSubscriber)?
  let prefix: String
  /// How long a session is kept after its last change.
  let retention: Duration

  var engine: String { "Redis" }

  private func key(_ name: String) -> RedisArgument { RedisArgument("\(prefix)session:{\(name)}") }
  private func channel(_ name: String) -> String { "\(prefix)session-changes:\(name)" }

  func read(_ name: String) async throws -> SessionRecord {
    try Self.record(try await Self.readScript.run(on: client, keys: [key(name)]).array ?? [], from: 0)
  }

  func acquire(_ name: String, owner: String, for duration: Duration) async throws -> LeaseAnswer {
    let reply = try await Self.acquireScript.run(
      on: client, keys: [key(name)], arguments: [RedisArgument(owner), Self.milliseconds(duration)])
    let fields = reply.array ?? []
    let record = try Self.record(fields, from: 2)
    guard fields[0].integer != 1 else { return .acquired(record) }
    return .busy(record, remaining: .milliseconds(max(0, fields[1].integer ?? 0)))
  }

  func renew(_ name: String, owner: String, for duration: Duration) async throws -> Bool {
    try await Self.renewScript.run(
      on: client, keys: [key(name)], arguments: [RedisArgument(owner), Self.milliseconds(duration)]
    ).integer == 1
  }

  func release(_ name: String, owner: String) async throws {
    try await Self.releaseScript.run(
      on: client, keys: [key(name)], arguments: [RedisArgument(owner), RedisArgument(channel(name))])
  }

  func replace(_ name: String, with record: SessionRecord, expected: Int64?, write: String) async throws -> Bool {
    try await Self.replaceScript.run(
      on: client, keys: [key(name)],
      arguments: [
        RedisArgument(expected.map(String.init) ?? ""), RedisArgument(record.generation),
        RedisArgument(record.sealed), RedisArgument(record.end?.text ?? ""), RedisArgument(record.token),
        RedisArgument(write), Self.milliseconds(retention), RedisArgument(channel(name)),
      ]
    ).integer == 1
  }

  func changes(of name: String) -> AsyncStream<Void> {
    guard let subscriber else { return AsyncStream { $0.finish() } }
    let messages = subscriber.messages(on: channel(name))
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do { for try await _ in messages { continuation.yield() } } catch {}
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func milliseconds(_ duration: Duration) -> RedisArgument {
    RedisArgument(Int64(duration / .milliseconds(1)))
  }

  private static func record(_ fields: [RedisReply], from start: Int) throws -> SessionRecord {
    guard fields.count >= start + 5 else {
      throw RedisError(.protocol, "the session cannot be read", reason: "Redis sent another reply", mayHaveRun: true)
    }
    return SessionRecord(
      generation: fields[start].integer ?? 0, sealed: fields[start + 1].bytes ?? [],
      end: SessionRecord.End(text: fields[start + 2].text ?? ""), token: fields[start + 3].text ?? "",
      time: fields[start + 4].integer.map { Double($0) / 1000 })
  }

  // MARK: Scripts

  private static let readScript = RedisScript(
    """
    local time = redis.call('TIME')
    local f = redis.call('HMGET', KEYS[1], 'generation', 'sealed', 'end', 'token')
    return {f[1] or '0', f[2] or '', f[3] or '', f[4] or '', time[1] * 1000 + math.floor(time[2] / 1000)}
    """)

  // A lease counts only for the token it was acquired for: a session that was replaced needs another one.
  private static let acquireScript = RedisScript(
    """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local f = redis.call('HMGET', KEYS[1], 'generation', 'sealed', 'end', 'token', 'owner', 'until', 'leased')
    local rest = 0
    if f[5] and f[5] ~= ARGV[1] and (f[7] or '') == (f[4] or '') then rest = tonumber(f[6]) - now end
    if rest <= 0 then
      redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', string.format('%.0f', now + ARGV[2]), 'leased', f[4] or '')
      if not f[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2] * 10) end
      return {1, 0, f[1] or '0', f[2] or '', f[3] or '', f[4] or '', now}
    end
    return {0, rest, f[1] or '0', f[2] or '', f[3] or '', f[4] or '', now}
    """)

  private static let renewScript = RedisScript(
    """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + ARGV[2]))
    return 1
    """)

  // Those that wait were notified when the session was replaced, and its lease has not counted since.
  private static let releaseScript = RedisScript(
    """
    local f = redis.call('HMGET', KEYS[1], 'owner', 'leased', 'token')
    if f[1] ~= ARGV[1] then return 0 end
    redis.call('HDEL', KEYS[1], 'owner', 'until', 'leased')
    if (f[2] or '') == (f[3] or '') then redis.call('PUBLISH', ARGV[2], 'released') end
    return 1
    """)

  private static let replaceScript = RedisScript(
    """
    local f = redis.call('HMGET', KEYS[1], 'generation', 'write')
    if f[2] == ARGV[6] then return 1 end
    local generation = f[1] or '0'
    if ARGV[1] == '' then
      if tonumber(generation) >= tonumber(ARGV[2]) then return 0 end
    elseif generation ~= ARGV[1] then
      return 0
    end
    redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'sealed', ARGV[3], 'end', ARGV[4], 'token', ARGV[5],
      'write', ARGV[6])
    redis.call('PEXPIRE', KEYS[1], ARGV[7])
    redis.call('PUBLISH', ARGV[8], ARGV[2])
    return 1
    """)
}
