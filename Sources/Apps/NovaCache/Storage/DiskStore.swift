import NovaCore
import NovaLibc

/// Responses in files. Several processes can share them without a lock: files are moved into place atomically, and open
/// files can be read after they were removed.
final class DiskStore: Sendable {
  private struct State {
    /// The size of all files, as far as this process knows; nil before the directory is first read.
    var byteCount: Int?
    /// The bytes that were written since the directory was last read. Other processes change it, too.
    var unverifiedBytes = 0
    var isEvicting = false
    var hasRemovedEarlierFiles = false
    var healed = 0
  }

  /// Change this name whenever the format of the files changes.
  static let folderName = "v3"
  /// Earlier formats, whose files do not contain their caller or their URL.
  private static let earlierFolderNames = ["v1", "v2"]

  private let root: String
  private let directory: String
  private let limit: Int
  private let state = Locked(State())

  init(directory: String, limit: Int) {
    root = directory
    self.directory = "\(directory)/\(Self.folderName)"
    self.limit = max(0, limit)
  }

  /// The maximum size of a stored body.
  var largestBody: Int { limit / 8 }
  /// The number of damaged files that were removed.
  var healed: Int { state.withLock { $0.healed } }

  // MARK: Reading

  /// The responses of a key, with undamaged heads.
  func responses(for key: CacheKey) -> [StoredResponse] {
    guard let prefix = try? key.filePrefix else { return [] }
    let folder = shard(prefix)
    guard isPrivate(folder) else { return [] }
    if let file = open("\(folder)/\(prefix)\([SelectingField].noFileSuffix)") { return [response(file, key)] }
    let paths = SystemIO.fileNames(in: folder).filter { $0.hasPrefix(prefix) && !Self.isTemporary($0) }
      .map { "\(folder)/\($0)" }
    return withoutSurplus(paths).compactMap { path in open(path).map { response($0, key) } }
  }

  /// Removes the least recently used variants if there are too many, because a lookup opens all of them.
  private func withoutSurplus(_ paths: [String]) -> [String] {
    guard paths.count > MemoryStore.maximumVariants else { return paths }
    let byUse = paths.map { (path: $0, usedAt: Self.status($0)?.modificationTime ?? 0) }
      .sorted { $0.usedAt > $1.usedAt }.map(\.path)
    for path in byUse.dropFirst(MemoryStore.maximumVariants) { unlink(path) }
    return Array(byUse.prefix(MemoryStore.maximumVariants))
  }

  private func response(_ file: DiskFile, _ key: CacheKey) -> StoredResponse {
    StoredResponse(key: key, head: file.head, body: .disk(file))
  }

  private func open(_ path: String) -> DiskFile? {
    do throws(DiskFile.Problem) {
      return try DiskFile(path)
    } catch {
      if error == .damaged { heal(path) }
      return nil
    }
  }

  /// Removes a response with a damaged body.
  func heal(_ response: StoredResponse) {
    if let path = try? path(response.key, response.head.selection) { heal(path) }
  }

  private func heal(_ path: String) { if unlink(path) == 0 { state.withLock { $0.healed += 1 } } }

  // MARK: Writing

  /// Creates a writer for a response's file; nil if the response cannot be stored.
  func writer(_ head: StoredHead, for key: CacheKey, length: Int?) -> DiskWriter? {
    // Cookies are secrets, and stay in memory.
    guard (length ?? 0) <= largestBody, head.headers["Set-Cookie"] == nil, head.headers["Set-Cookie2"] == nil,
      let path = try? path(key, head.selection), isPrivate(path.parentPath)
    else { return nil }
    if let writer = try? DiskWriter(self, path: path, head: head) { return writer }
    guard (try? PrivateDirectory.create(path.parentPath)) != nil else { return nil }
    return try? DiskWriter(self, path: path, head: head)
  }

  /// Moves a file into its place, and makes room if the limit is exceeded.
  @discardableResult
  func publish(_ writer: DiskWriter, at now: Double) -> Bool {
    guard let count = try? writer.publish(at: now) else { return false }
    let isFull = state.withLock { state in
      state.unverifiedBytes += count
      state.byteCount? += count
      return (state.byteCount ?? .max) > limit || state.unverifiedBytes > limit / 10
    }
    if isFull { evict(at: now) }
    removeEarlierFiles()
    return true
  }

  /// Stores a response at once.
  func insert(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, at now: Double) {
    guard let writer = writer(head, for: key, length: body.count) else { return }
    do { try writer.append(body) } catch { return }
    publish(writer, at: now)
  }

  /// Replaces the head of a stored response, and copies the body of its file.
  func update(_ file: DiskFile, with head: StoredHead, for key: CacheKey, at now: Double) {
    guard let writer = writer(head, for: key, length: file.bodyCount) else { return }
    var offset = 0
    while offset < file.bodyCount {
      guard let piece = file.read(at: offset, count: min(256 << 10, file.bodyCount - offset)) else { return }
      do { try writer.append(piece) } catch { return }
      offset += piece.count
    }
    // The new digest covers the bytes that were read, so they must be verified first.
    guard file.verify() else { return }
    publish(writer, at: now)
  }

  // MARK: Removing

  func remove(_ key: CacheKey, _ selection: [SelectingField]) {
    if let path = try? path(key, selection) { unlink(path) }
  }

  /// Removes a URL for all callers.
  func remove(_ url: HTTPURL) {
    guard let prefix = try? url.filePrefix else { return }
    let folder = shard(prefix)
    for name in SystemIO.fileNames(in: folder) where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
  }

  func removeAll() {
    removeEarlierFiles()
    for file in files() { unlink(file.path) }
    state.withLock { state in
      state.byteCount = 0
      state.unverifiedBytes = 0
    }
  }

  /// Removes the files of earlier versions of the cache, once.
  private func removeEarlierFiles() {
    let isFirst = state.withLock { state in
      defer { state.hasRemovedEarlierFiles = true }
      return !state.hasRemovedEarlierFiles
    }
    guard isFirst else { return }
    for folder in Self.earlierFolderNames.map({ "\(root)/\($0)" }) where SystemIO.exists(folder) {
      for file in files(in: folder) { unlink(file.path) }
      for shard in SystemIO.fileNames(in: folder) { rmdir("\(folder)/\(shard)") }
      rmdir(folder)
    }
  }

  // MARK: Bounds

  /// A file, temporary or not.
  private struct Item {
    let path: String
    let name: String
    let byteCount: Int
    let usedAt: Double
  }

  /// A summary of all files.
  struct Contents {
    var names: [String] = []
    var byteCount = 0
    /// The first and last time of use, in seconds since 1970; nil without files.
    var uses: ClosedRange<Double>?
  }

  /// The names, sizes, and times of use of all responses.
  func contents() -> Contents {
    let items = files().filter { !Self.isTemporary($0.name) }
    let times = items.map(\.usedAt)
    var contents = Contents(names: items.map(\.name), byteCount: items.reduce(0) { $0 + $1.byteCount })
    if let first = times.min(), let last = times.max() { contents.uses = first...last }
    return contents
  }

  /// Removes the least recently used files until a tenth of the space is free, and files left by killed processes.
  private func evict(at now: Double) {
    let isFirst = state.withLock { state in
      defer { state.isEvicting = true }
      return !state.isEvicting
    }
    guard isFirst else { return }
    let items = files()
    var byteCount = items.reduce(0) { $0 + $1.byteCount }
    let isFull = byteCount > limit
    for item in items.sorted(by: { $0.usedAt < $1.usedAt }) {
      let isLeftover = Self.isTemporary(item.name) && item.usedAt < now - 3600
      guard isLeftover || isFull && byteCount > limit / 10 * 9 && !Self.isTemporary(item.name) else { continue }
      unlink(item.path)
      byteCount -= item.byteCount
    }
    state.withLock { state in
      state.byteCount = byteCount
      state.unverifiedBytes = 0
      state.isEvicting = false
    }
  }

  private func files() -> [Item] { files(in: directory) }

  private func files(in directory: String) -> [Item] {
    SystemIO.fileNames(in: directory).filter { $0.utf8.count == 2 }.flatMap { shard in
      SystemIO.fileNames(in: "\(directory)/\(shard)").compactMap { name in
        let path = "\(directory)/\(shard)/\(name)"
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Item(path: path, name: name, byteCount: Int(status.st_size), usedAt: status.modificationTime)
      }
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  // MARK: Places

  private static func isTemporary(_ name: String) -> Bool { name.contains(".tmp-") }

  private func shard(_ prefix: String) -> String { "\(directory)/\(prefix.prefix(2))" }

  private func path(_ key: CacheKey, _ selection: [SelectingField]) throws -> String {
    let prefix = try key.filePrefix
    return try "\(shard(prefix))/\(prefix)\(selection.fileSuffix)"
  }

  /// Whether no other user can put files into a folder, or it does not exist yet.
  private func isPrivate(_ folder: String) -> Bool {
    [directory, folder].allSatisfy { folder in
      do throws(SystemError) {
        try PrivateDirectory.require(folder)
        return true
      } catch {
        return error.code == ENOENT
      }
    }
  }
}
