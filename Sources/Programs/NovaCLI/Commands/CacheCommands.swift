import ArgumentParser
import NovaCache
import NovaCore
import NovaOffline

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Show or clear the cache of downloaded files and stored answers.",
    subcommands: [CacheInfo.self, CacheClear.self])
}

struct CacheInfo: AsyncParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the directory, the size, and the age of the cache.",
    usage: "nova cache info [--output <output>]",
    discussion: """
      All programs of this user that use the default directory share the cache. OLDEST and NEWEST are the times when the \
      least and the most recently used entries were last used; the oldest are removed first when the cache is full.

      If commands with --cache have stored answers, OFFLINE STORE is their file. It contains the answers of all \
      gateways and accounts.
      """)

  @OptionGroup var output: OutputOptions<ResultFormat>
  @OptionGroup var filter: FilterOptions

  func run() async throws {
    let cache = try SharedCache.open()
    let usage = await cache.usage()
    await cache.shutdown()
    let answers = AnswerCache.ofUser()
    let stored = try await answers?.info()
    let (directory, limit) = (cache.options.directory ?? "", cache.options.diskBytes)
    let record = JSONValue.members(
      ("directory", .string(directory)), ("entry_count", .integer(usage.entries)),
      ("byte_count", .integer(usage.diskBytes)), ("maximum_byte_count", .integer(limit)),
      ("oldest_used_at", usage.oldestUse.map { .integer($0) }),
      ("newest_used_at", usage.newestUse.map { .integer($0) }), ("offline_store", stored.map(AnswerCache.json)))
    try filter.template?.check(record)
    let output = try filter.standardOutput()
    let cells = CellText(isTerminal: output.isTerminal)
    // For people on a terminal, and for scripts elsewhere.
    func size(_ count: Int) -> String { output.isTerminal ? ByteText.size(count) : String(count) }
    func time(_ seconds: Int64?) -> String { seconds.flatMap { cells.time(Int($0)) } ?? CellText.none }
    switch format {
    case .table, .ids:
      try output.writeRows([
        ("DIRECTORY", directory),
        ("ENTRIES", output.isTerminal ? CountText.full(usage.entries) : String(usage.entries)),
        ("SIZE", size(usage.diskBytes)), ("LIMIT", size(limit)), ("OLDEST", time(usage.oldestUse)),
        ("NEWEST", time(usage.newestUse)),
      ])
      if let stored { try output.writeRows(AnswerCache.rows(stored, size: size, time: time)) }
    case .json, .ndjson: try output.writeLine(record, as: format)
    }
    try output.finish()
    if let problem = stored?.problem { Diagnostics.warning(problem) }
  }
}

struct CacheClear: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all downloaded files and stored answers from the cache.",
    usage: "nova cache clear [--yes]",
    discussion: """
      Removed files are downloaded again when they are needed. Stored answers are removed, too, and are not available \
      offline until they are fetched again. Queued changes are kept; see `nova outbox list`.
      """)

  @OptionGroup var confirmation: ConfirmationOptions

  func run() async throws {
    let cache = try SharedCache.open()
    let confirmation = try confirmation.confirmation(to: "clear the cache in \(cache.options.directory ?? "memory")")
    let usage = await cache.usage()
    let answers = AnswerCache.ofUser()
    if usage.entries > 0 || answers != nil { try confirmation.obtain() }
    await cache.removeAll()
    await cache.shutdown()
    let entries = CountText.phrase(usage.entries, one: "entry", many: "entries")
    Diagnostics.confirmation("removed \(entries), \(ByteText.size(usage.diskBytes))")
    guard let answers else { return }
    try await answers.clear()
    Diagnostics.confirmation("removed the stored answers in \(answers.directory.path)")
  }
}

/// The cache that programs of a user share.
enum SharedCache {
  /// - Throws: ``Failure`` if there is no directory for it.
  static func open() throws -> HTTPCache {
    guard let directory = HTTPCache.defaultDirectory else {
      throw Failure(
        "\(UserDirectories.problem("XDG_CACHE_HOME")), so there is no place for the cache",
        hint: "Set XDG_CACHE_HOME to the absolute path of a directory.", .failed)
    }
    return HTTPCache(HTTPCache.Options(directory: directory))
  }
}
