import ArgumentParser
import NovaCache
import NovaSDK

struct DownloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Download an upload or the file at a URL.",
    usage: "nova download <upload-id-or-url> [-o <file>] [--force] [<options>]",
    discussion: """
      An interrupted download leaves <file>.part, and the same command continues it. The token is sent only to the \
      gateway, wherever the URL leads. --timeout limits the whole download, which can take longer than a call: 10m, \
      2h. -o names the file; --json prints the result as JSON.
      """)

  @Argument(help: .value("upload-id-or-url", "ID of an upload, or a URL; a path such as /media/1 is on the gateway."))
  var source: DownloadSource
  @Option(
    name: [.customShort("o"), .customLong("out")],
    help: .value(
      "file",
      "The file to write, a directory for it, or - for standard output. Default: the upload's or the URL's name."),
    completion: .file())
  var out: String?
  @Flag(help: "Replace the file if it exists.") var force = false
  @Flag(help: "Read through the cache of downloaded files, for files up to 32 MiB; see `nova cache info`.") var cache =
    false
  @Flag(help: "Print the result as JSON.") var json = false
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard let out else { return }
    if out.isEmpty { throw ValidationError("invalid --out: expected the path of a file") }
    if out == "-", json { throw ValidationError("--json requires a file: --out - writes the bytes to standard output") }
    if out == "-", force { throw ValidationError("--force requires a file: --out - replaces none") }
    // In every other command, -o is the format.
    if OutputFormat(rawValue: out) != nil, !System.isDirectory(out) {
      let other = json || out == "table" ? "" : "print the result as JSON with --json, or "
      throw ValidationError(
        "invalid --out \(out): it names a file, not a format; \(other)write a file of this name with --out ./\(out)")
    }
  }

  func run() async throws {
    if out == "-", System.isTerminal(System.standardOutput) {
      throw Failure(
        "cannot write to standard output: it is a terminal", hint: "Redirect it, or name a file with --out.", .usage)
    }
    try await CommandContext.run(connection, limiting: .command) { context in
      // Before the first request, if the name is known.
      if let path = out.flatMap({ path(of: $0, name: nil) }) { try check(path) }
      let found = try await source.resolve(context)
      if out == "-" {
        warn(about: try await write(found, to: context.output, context), found)
        return
      }
      guard let path = path(of: out ?? "", name: found.name) else {
        throw Failure(
          "cannot name the file: the URL has no name at its end", hint: "Name the file with --out.", .usage)
      }
      try check(path)
      let (file, image) = try await download(found, to: path, context)
      warn(about: file, found)
      try report(file, from: image, to: context.output)
    }
  }

  private func warn(about file: DownloadedFile, _ found: DownloadSource.Found) {
    let difference = found.expected?.difference(contentType: file.contentType, byteCount: file.byteCount)
    if let difference { Diagnostics.warning(difference) }
  }

  /// The path of the file.
  ///
  /// - Parameter name: the name in a directory; nil if it is not known.
  /// - Returns: nil if a name is missing, and for standard output.
  private func path(of out: String, name: String?) -> String? {
    if out == "-" { return nil }
    if out.isEmpty { return name }
    guard System.isDirectory(out) else { return out }
    return name.map { "\(out)\(out.hasSuffix("/") ? "" : "/")\($0)" }
  }

  private func check(_ path: String) throws {
    let shown = path.printable(to: 200)
    if path.hasSuffix("/"), !System.mayExist(path) {
      throw Failure(
        "cannot write to \(shown): there is no such directory", hint: "Create it, or name another place with --out.",
        .failed)
    }
    if json, System.isStandardOutput(path) {
      throw Failure(
        "cannot write to \(shown): it is standard output, where --json prints the result",
        hint: "Name a file with --out, or leave out --json.", .usage)
    }
    if force { return }
    if System.isDanglingLink(path) {
      throw Failure(
        "cannot write \(shown): a symbolic link is there that leads to no file",
        hint: "Replace it with --force, or name another file with --out.", .failed)
    }
    if System.mayExist(path), !System.isStream(path) { throw Self.existing(path) }
  }

  private static func existing(_ path: String) -> Failure {
    Failure(
      "cannot write \(path.printable(to: 200)): the file exists",
      hint: "Replace it with --force, or name another one with --out.", .failed)
  }

  // MARK: Ways to download

  private func download(_ found: DownloadSource.Found, to path: String, _ context: CommandContext) async throws
    -> (DownloadedFile, CachedMedia?)
  {
    guard cache else { return (try await file(of: found, at: path, context), nil) }
    let image = try await cached(found, at: path, context)
    if image.replacesFailure {
      Diagnostics.warning(
        "the server failed or could not be reached: the file is the cache's, which the server confirmed "
          + "\(image.age.formatted) ago")
    }
    return (DownloadedFile(path: path, byteCount: image.bytes.count, contentType: image.contentType), image)
  }

  private func file(of found: DownloadSource.Found, at path: String, _ context: CommandContext) async throws
    -> DownloadedFile
  {
    if System.isStream(path) { return try await stream(found, to: path, context) }
    let transfer = DownloadTransfer(
      of: found.url, named: path.name, part: "\(path).part", in: context, isQuiet: connection.quiet)
    return try await transfer.run(in: context) {
      try await context.media.download(
        url: found.url, to: path, source: found.uploadID, expected: found.expected, replaces: force
      ) { transfer.show($0) }
    }
  }

  private func cached(_ found: DownloadSource.Found, at path: String, _ context: CommandContext) async throws
    -> CachedMedia
  {
    let cache = MediaCache(
      client: context.client, cache: try SharedCache.open(), options: context.media.options)
    let image: CachedMedia
    do {
      image = try await cache.image(found.url, id: found.uploadID)
      if let problem = found.expected?.problem(contentType: image.contentType, byteCount: image.bytes.count) {
        await cache.remove(found.url, id: found.uploadID)
        throw APIError(
          .invalidResponse, "cannot download", reason: problem, rpc: MediaService.downloadBytes.descriptor.id)
      }
    } catch {
      await cache.shutdown()
      throw DownloadFailure.of(error, downloading: found.url, context)
    }
    await cache.shutdown()
    let isWritten = try Failure.writing(path) { try System.writeFile(path, image.bytes, replaces: force) }
    guard isWritten else { throw Self.existing(path) }
    return image
  }

  /// Writes the bytes to a device or a pipe, where a download cannot be continued.
  private func stream(_ found: DownloadSource.Found, to path: String, _ context: CommandContext) async throws
    -> DownloadedFile
  {
    let shown = path.printable(to: 200)
    let stream = try Failure.writing(path) { try OutputStream(path) }
    guard !System.isTerminal(stream.descriptor) else {
      throw Failure("cannot write to \(shown): it is a terminal", hint: "Name a file with --out.", .usage)
    }
    var file = try await write(found, to: StandardOutput(stream.descriptor), context)
    file.path = path
    return file
  }

  private func write(
    _ found: DownloadSource.Found, to output: StandardOutput, _ context: CommandContext
  ) async throws -> DownloadedFile {
    let transfer = DownloadTransfer(
      of: found.url, named: found.name ?? "the file", in: context, isQuiet: connection.quiet)
    return try await transfer.run(in: context) {
      let bytes = try await context.media.bytes(of: found.url, limit: .max, expected: found.expected)
      var count = 0
      for try await chunk in bytes {
        try output.write(chunk)
        count += chunk.count
        transfer.show(DownloadProgress(receivedBytes: count, totalBytes: bytes.length))
      }
      try output.flush()
      return DownloadedFile(path: "-", byteCount: count, contentType: bytes.contentType, etag: bytes.etag)
    }
  }

  /// - Parameter image: what the cache had; nil without it.
  private func report(_ file: DownloadedFile, from image: CachedMedia?, to output: StandardOutput) throws {
    if json {
      return try output.writeLine(
        json: PrettyJSON.spread(
          .members(
            ("path", .string(file.path.shownPath)), ("byte_count", .integer(file.byteCount)),
            ("content_type", file.contentType.map(JSONValue.string)), ("etag", file.etag.map(JSONValue.string)),
            ("resumed_from", .integer(file.resumedFrom)),
            ("from_cache", image.map { .bool($0.source != .network) }),
            ("age_seconds", image.map { .integer($0.age.components.seconds) }),
            ("replaces_failure", image.map { .bool($0.replacesFailure) }))))
    }
    let resumed = file.wasResumed ? ", resumed at \(ByteText.size(file.resumedFrom))" : ""
    let origin = image.map { $0.source == .network ? "" : ", from the cache" } ?? ""
    Diagnostics.confirmation("downloaded \(file.path.shownPath): \(ByteText.size(file.byteCount))\(resumed)\(origin)")
  }
}
