import ArgumentParser
import NovaCache
import NovaCore
import NovaMedia
import NovaSDK

struct DownloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Download an upload or the file at a URL.",
    usage: "nova download <upload-id-or-url> [-o <file>] [--force] [<options>]",
    discussion: """
      An interrupted download leaves <file>.part, and the same command continues it. The token is sent to the gateway \
      only, wherever the URL leads. --timeout limits the whole download.
      """)

  @Argument(
    help: ArgumentHelp(
      "ID of an upload, or a URL; a path such as /media/1 is on the gateway.", valueName: "upload-id-or-url"))
  var source: DownloadSource
  @Option(
    name: [.customShort("o"), .customLong("out")],
    help: ArgumentHelp(
      "The file to write, a directory for it, or - for standard output. Default: the upload's or the URL's name.",
      valueName: "file"), completion: .file())
  var out: String?
  @Flag(help: "Replace the file if it exists.") var force = false
  @Flag(help: "Read through the cache of images, for files up to 32 MiB; see `nova cache info`.") var cache = false
  @Flag(help: "Print the result as JSON.") var json = false
  @OptionGroup var progress: ProgressOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard let out else { return }
    if out.isEmpty { throw ValidationError("invalid --out: expected the path of a file") }
    if out == "-", json { throw ValidationError("--json requires a file: --out - writes the bytes to standard output") }
    if out == "-", force { throw ValidationError("--force requires a file: --out - replaces none") }
  }

  func run() async throws {
    if out == "-", System.isTerminal(System.standardOutput) {
      throw Failure(
        "cannot write to standard output: it is a terminal", hint: "Redirect it, or name a file with --out.", .usage)
    }
    try await CommandContext.run(connection) { context in
      // Before the first request, if the name is known.
      if let path = try out.flatMap({ try place($0, name: nil) }) { try check(path) }
      let found = try await source.resolve(context)
      guard out != "-" else { return try await write(found, context) }
      guard let path = try place(out ?? "", name: found.name) else {
        throw Failure(
          "cannot name the file: the URL has no name at its end", hint: "Name the file with --out.", .usage)
      }
      try check(path)
      try report(try await cache ? cached(found, path, context) : download(found, path, context), context)
    }
  }

  /// The path of the file.
  ///
  /// - Parameter name: the name in a directory; nil if it is not known.
  /// - Returns: nil if a name is missing, and for standard output.
  private func place(_ out: String, name: String?) throws -> String? {
    if out == "-" { return nil }
    if out.isEmpty { return name }
    guard System.isDirectory(out) else { return out }
    return name.map { "\(out)\(out.hasSuffix("/") ? "" : "/")\($0)" }
  }

  private func check(_ path: String) throws {
    guard !force, System.mayExist(path) else { return }
    throw Failure(
      "cannot write \(path.printable(to: 200)): the file exists",
      hint: "Replace it with --force, or name another one with --out.",
      .failed)
  }

  private func download(_ found: DownloadSource.Found, _ path: String, _ context: CommandContext) async throws
    -> DownloadedFile
  {
    let transfer = DownloadTransfer(path, context, isQuiet: progress.quiet)
    return try await transfer.run {
      try await context.media.download(url: found.url, to: path) {
        transfer.show(TransferProgress($0), resumedFrom: $0.resumedFrom)
      }
    }
  }

  private func cached(_ found: DownloadSource.Found, _ path: String, _ context: CommandContext) async throws
    -> DownloadedFile
  {
    let cache = MediaCache(client: context.nova.client, cache: try SharedCache.open())
    let image: CachedMedia
    do {
      image = try await cache.image(found.url)
    } catch {
      await cache.shutdown()
      throw error
    }
    await cache.shutdown()
    do throws(SystemError) {
      try System.replaceFile(path, with: image.bytes)
    } catch {
      throw Failure("cannot write \(path.printable(to: 200)): \(error.reason)", .failed)
    }
    return DownloadedFile(path: path, byteCount: image.bytes.count, contentType: image.contentType)
  }

  /// Writes the bytes to standard output.
  private func write(_ found: DownloadSource.Found, _ context: CommandContext) async throws {
    let transfer = DownloadTransfer(found.name ?? "the file", context, isQuiet: progress.quiet)
    let bytes = try await context.media.bytes(of: found.url, limit: .max)
    var count = 0
    try await transfer.run {
      for try await chunk in bytes {
        try context.output.write(chunk)
        count += chunk.count
        transfer.show(TransferProgress(doneBytes: count, totalBytes: bytes.length, state: .running))
      }
      try context.output.flush()
    }
  }

  private func report(_ file: DownloadedFile, _ context: CommandContext) throws {
    if json {
      return try context.output.writeLine(
        json: PrettyJSON.spread(
          .members(
            ("path", .string(file.path)), ("byte_count", .number(String(file.byteCount))),
            ("content_type", file.contentType.map(JSONValue.string)), ("etag", file.etag.map(JSONValue.string)),
            ("resumed_from", .number(String(file.resumedFrom))))))
    }
    let resumed = file.wasResumed ? ", resumed at \(ByteText.size(file.resumedFrom))" : ""
    Diagnostics.confirmation("downloaded \(file.path): \(ByteText.size(file.byteCount))\(resumed)")
  }
}

/// What to download.
enum DownloadSource: ExpressibleByArgument {
  case url(String)
  case upload(String)

  /// Where the bytes are, and the name for their file; nil if there is none.
  typealias Found = (url: String, name: String?)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument.hasPrefix("/") || argument.contains("://") ? .url(argument) : .upload(argument)
  }

  func resolve(_ context: CommandContext) async throws -> Found {
    switch self {
    case .url(let url): return (url, DownloadName.of(url: url))
    case .upload(let id):
      let shown = id.printable(to: 100).quoted
      guard let upload = try await context.media.getUpload(uploadId: id) else {
        throw Failure("not found: upload \(shown)", .notFound)
      }
      guard !upload.url.isEmpty else {
        let status = upload.status.isEmpty ? "not completed" : upload.status.printable(to: 40)
        throw Failure("cannot download upload \(shown): it is \(status), and has no URL yet", .failed)
      }
      return (upload.url, DownloadName.safe(upload.fileName) ?? DownloadName.of(url: upload.url))
    }
  }
}

/// The name of a downloaded file, which the server chooses.
enum DownloadName {
  /// The last part of a URL's path; nil if it has none.
  static func of(url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let rest = path.firstRange(of: "://").map { path[$0.upperBound...].drop { $0 != "/" } } ?? path
    let last = rest.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return safe(PercentEncoding.decode(String(last)) ?? String(last))
  }

  /// A name that is a visible file in the current directory whatever the server sends; nil if nothing is left.
  static func safe(_ name: String) -> String? {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    var safe = ""
    for scalar in last.unicodeScalars where scalar.isSafeToShow && safe.utf8.count < 200 {
      safe.unicodeScalars.append(scalar)
    }
    // Neither hidden nor an option.
    let start = safe.drop { ".- ".contains($0) }
    return start.isEmpty ? nil : String(start)
  }
}

/// Shows the progress of a download.
private final class DownloadTransfer: Sendable {
  private let name: String
  private let path: String
  private let board: TransferBoard
  private let line = Locked<Int?>(nil)
  private let progress = Locked(TransferProgress())

  init(_ path: String, _ context: CommandContext, isQuiet: Bool) {
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    board = TransferBoard(count: 1, totalBytes: 0, isQuiet: isQuiet, isInPlace: !context.isLogging)
  }

  /// Runs the download.
  ///
  /// - Throws: ``Failure`` if a signal interrupted it; what `body` throws.
  func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    defer { if let line = line.withLock({ $0 }) { board.end(line, nil) } }
    do {
      return try await body()
    } catch {
      let progress = progress.withLock { $0 }
      guard Interruption.happened, progress.doneBytes > 0 else { throw error }
      let hasPart = System.fileExists("\(path).part")
      throw Failure(
        "interrupted: \(name) at \(progress.extent)", hint: hasPart ? "Continue with the same command." : nil,
        Interruption.status)
    }
  }

  func show(_ new: TransferProgress, resumedFrom: Int = 0) {
    progress.withLock { $0 = new }
    let line = line.withLock { line in
      var first = new
      first.doneBytes = resumedFrom
      let shown = line ?? board.begin(name, first)
      line = shown
      return shown
    }
    board.update(line, new)
  }
}

extension TransferProgress {
  fileprivate init(_ progress: DownloadProgress) {
    self.init(
      doneBytes: progress.receivedBytes, totalBytes: progress.totalBytes, bytesPerSecond: progress.bytesPerSecond,
      timeLeft: progress.timeLeft, state: .running)
  }
}
