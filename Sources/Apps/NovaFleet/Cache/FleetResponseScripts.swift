internal import NovaRedis

/// The steps of ``FleetResponses`` in Redis.
///
/// The epoch of a URL consists of two random texts: one for all URLs, and one for the URL. What was found or stored
/// with another epoch is out of date. Removing a text changes the epoch, and so does losing it (`FLUSHALL`, eviction).
enum FleetResponseScripts {
  /// The epoch, which is created if it is absent, and the variants. Keys: both texts, the variants. Arguments: a
  /// random text, and the times to live of both texts.
  static let find = RedisScript(
    """
    local function text(key, time)
      local found = redis.call('GET', key)
      if found then return found end
      -- A full or read-only store refuses it. Nothing can be published then.
      local reply = redis.pcall('SET', key, ARGV[1], 'PX', time)
      return reply.ok and ARGV[1] or ''
    end
    local epoch = text(KEYS[1], ARGV[2]) .. text(KEYS[2], ARGV[3])
    local found = {epoch}
    if redis.call('HGET', KEYS[3], 'epoch') == epoch then
      local fields = redis.call('HGETALL', KEYS[3])
      for i = 1, #fields, 2 do
        if fields[i] ~= 'epoch' then found[#found + 1] = fields[i]; found[#found + 1] = fields[i + 1] end
      end
    end
    return found
    """)

  /// Stores a variant, unless the URL was removed. The longest time to live of the variants counts for all of them.
  /// Keys as before. Arguments: the epoch, the variant, its bytes, its time to live, the maximum number of variants,
  /// and the time to live of the text for all URLs.
  static let publish = RedisScript(
    """
    local all, url = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
    if not all or not url or all .. url ~= ARGV[1] then return 0 end
    local isFull = redis.call('HLEN', KEYS[3]) > tonumber(ARGV[5]) and redis.call('HEXISTS', KEYS[3], ARGV[2]) == 0
    if isFull or redis.call('HGET', KEYS[3], 'epoch') ~= ARGV[1] then redis.call('DEL', KEYS[3]) end
    redis.call('HSET', KEYS[3], 'epoch', ARGV[1], ARGV[2], ARGV[3])
    for i = 2, 3 do
      if redis.call('PTTL', KEYS[i]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
    end
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
    return 1
    """)

  /// Removes a text of epochs, and sends a message to all processes. Arguments: the channel, the message.
  static let remove = RedisScript(
    "redis.call('DEL', KEYS[1]); redis.call('PUBLISH', ARGV[1], ARGV[2]); return 1")

  /// Takes the lock of a load. A lock of another epoch does not count. Keys: both texts, the lock. Arguments: the
  /// epoch, the token, and the time to live.
  static let beginLoad = RedisScript(
    """
    if (redis.call('GET', KEYS[1]) or '') .. (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 'stored' end
    local held = redis.call('GET', KEYS[3])
    if held and string.sub(held, 1, #ARGV[1]) == ARGV[1] then
      local state = string.sub(held, #ARGV[1] + 1)
      if state == ':stored' then return 'stored' end
      if state == ':alone' then return 'alone' end
      return 'running'
    end
    local reply = redis.pcall('SET', KEYS[3], ARGV[1] .. '=' .. ARGV[2], 'PX', ARGV[3])
    return reply.ok and 'begun' or 'alone'
    """)

  /// Ends a load of this token. What is not in the store after all was too large. Keys: the lock, and the variants of
  /// the owner and of all. Arguments: the epoch, the token, the result, and for how long the outcomes count.
  static let endLoad = RedisScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] .. '=' .. ARGV[2] then return 0 end
    local time, isStored = ARGV[5], false
    for i = 2, 3 do isStored = isStored or redis.call('HGET', KEYS[i], 'epoch') == ARGV[1] end
    if ARGV[3] == 'abandoned' then return redis.call('DEL', KEYS[1]) end
    local state = ':alone'
    if ARGV[3] == 'stored' and isStored then state, time = ':stored', ARGV[4] end
    if ARGV[3] == 'failed' then time = ARGV[6] end
    return redis.call('SET', KEYS[1], ARGV[1] .. state, 'PX', time)
    """)
}
