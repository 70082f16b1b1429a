import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Every kind of source arrives, in chunks of the size that the server requests.
@Suite struct UploadSourceTests {
  static let kinds = ["file", "bytes", "chunks", "byte sequence"]

  static func source(_ kind: String, _ bytes: [UInt8], in folder: TemporaryFolder) throws -> MediaSource {
    switch kind {
    case "file": .file(try folder.write(bytes, to: "walk.mp4"))
    case "bytes": .bytes(bytes)
    case "chunks": .chunks(Pieces(bytes: bytes, size: 1000), length: bytes.count)
    default: .byteSequence(Bytes(bytes: bytes), length: bytes.count)
    }
  }

  @Test(arguments: kinds, [1, 16 << 10, (16 << 10) + 1, 100_000])
  func everySourceArrives(kind: String, size: Int) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    let upload = try server.media(state: folder).upload(
      try Self.source(kind, bytes, in: folder), userId: "u", fileName: "a b.bin")
    let record = try await upload.value
    #expect(record.status == "completed" && server.onlyUpload?.bytes == bytes)
    #expect(server.onlyUpload?.contentType == "application/octet-stream" && server.onlyUpload?.fileName == "a b.bin")
    #expect(upload.progress == UploadProgress(uploadedBytes: size, totalBytes: size, state: .completed))
    let puts = (size + (16 << 10) - 1) / (16 << 10)
    var steps: [UploadServer.Step] = Array(repeating: .put, count: puts)
    steps.insert(.start, at: 0)
    steps += [.progress, .complete]
    #expect(server.current.steps == steps)
    #expect(server.current.reports == [size])
    #expect(try await server.media(state: folder).pendingUploads() == PendingUploads(uploads: [], dropped: []))
  }

  @Test func aFileHasItsNameAndType() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(SampleMedia.mp4(), to: "Größe é 😀.mov")
    _ = try await server.media(state: folder).upload(.file(path), userId: "u").value
    #expect(server.onlyUpload?.fileName == "Größe é 😀.mov" && server.onlyUpload?.contentType == "video/mp4")
  }

  @Test(arguments: ["", "/nowhere/x", "directory", "empty", "a\u{0}b", "/dev/null"])
  func aFileThatCannotBeUploadedIsNotStarted(name: String) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path: String =
      switch name {
      case "directory": folder.path
      case "empty": try folder.write("", to: "empty")
      default: name
      }
    let media = try server.media(state: folder)
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .invalidArgument, "\(name): \(String(describing: error))")
    #expect(server.current.steps.isEmpty && !folder.names.contains("state"))
  }

  @Test(arguments: ["", ".", "..", "a/b", "a\nb", String(repeating: "é", count: 128)])
  func aNameThatIsNotPlainIsRefused(name: String) async throws {
    let server = UploadServer()
    let error = await apiError {
      try await server.media().upload(.bytes([1]), userId: "u", fileName: name).value
    }
    #expect(error?.code == .invalidArgument && server.current.steps.isEmpty, "\(String(describing: error))")
  }

  /// If the name of a file cannot be sent, another one can be passed.
  @Test(arguments: ["a\nb.mov", "a\u{7f}", "\u{1b}[31m.mov"]) func aFileWithControlCharactersInItsNameNeedsAnotherName(
    name: String
  ) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(SampleMedia.mp4(), to: name)
    let media = try server.media(state: folder)
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .invalidArgument && error?.message.hasSuffix("pass another fileName") == true)
    #expect(error?.message.utf8.allSatisfy { $0 >= 0x20 } == true && server.current.steps.isEmpty, "\(error as Any)")
    _ = try await media.upload(.file(path), userId: "u", fileName: "b.mov").value
    #expect(server.onlyUpload?.fileName == "b.mov" && server.onlyUpload?.status == "completed")
  }

  @Test func argumentsAreCheckedBeforeAnythingIsSent() async throws {
    let server = UploadServer()
    let media = try server.media()
    let uploads = [
      media.upload(.bytes([]), userId: "u"), media.upload(.bytes([1]), userId: ""),
      media.upload(.chunks(Pieces(bytes: [], size: 1), length: 0), userId: "u"),
      media.upload(.chunks(Pieces(bytes: [1], size: 1), length: -1), userId: "u"),
      media.upload(.bytes([1]), userId: "u", contentType: "image/png"),
      media.upload(.bytes(SampleMedia.jpeg()), userId: "u", contentType: "image/png"),
    ]
    for upload in uploads {
      let error = await apiError { try await upload.value }
      #expect(error?.code == .invalidArgument && upload.progress.state == .failed, "\(String(describing: error))")
    }
    #expect(server.current.steps.isEmpty)
  }

  @Test(arguments: [(50_000, 49_999), (50_000, 50_001), (50_000, 10)])
  func aSequenceOfAnotherLengthIsAnError(length: Int, real: Int) async throws {
    let server = UploadServer()
    let media = try server.media()
    let source = MediaSource.chunks(Pieces(bytes: [UInt8](repeating: 1, count: real), size: 999), length: length)
    let error = await apiError { try await media.upload(source, userId: "u").value }
    #expect(
      error?.code == .invalidArgument && error?.message.contains("length") == true, "\(String(describing: error))")
    #expect(server.count(.complete) == 0)
  }

  @Test func aSequenceIsReadOnce() async throws {
    let server = UploadServer()
    let media = try server.media()
    let source = MediaSource.chunks(Pieces(bytes: [1, 2, 3], size: 2), length: 3)
    _ = try await media.upload(source, userId: "u").value
    let error = await apiError { try await media.upload(source, userId: "u").value }
    #expect(error?.code == .invalidArgument && error?.message.contains("already read") == true, "\(error as Any)")
  }

  /// Only the chunk that is being sent and the next one.
  @Test func aSequenceIsNotReadAhead() async throws {
    let read = Locked(0)
    let most = Locked(0)
    let chunk = 16 << 10
    let server = UploadServer(chunkSize: chunk) { step, number in
      if step == .put {
        let ahead = read.withLock { $0 } - (number - 1) * chunk
        most.withLock { $0 = max($0, ahead) }
      }
      return nil
    }
    let source = MediaSource.chunks(
      Pieces(bytes: [UInt8](repeating: 7, count: 20 * chunk), size: 1024, read: read), length: 20 * chunk)
    _ = try await server.media().upload(source, userId: "u").value
    // And a piece of the source on the way.
    #expect(most.withLock { $0 } <= 2 * chunk + 2048)
  }

  @Test func aFailingSequenceEndsTheUpload() async throws {
    let server = UploadServer()
    let media = try server.media()
    let source = MediaSource.chunks(
      Pieces(bytes: [UInt8](repeating: 1, count: 40_000), size: 100, failsAt: 30_000), length: 40_000)
    let error = await apiError { try await media.upload(source, userId: "u").value }
    #expect(error?.code == .invalidArgument && error?.message.contains("PieceError") == true, "\(error as Any)")
  }
}

struct PieceError: Error {}

/// Bytes in pieces.
struct Pieces: AsyncSequence, Sendable {
  let bytes: [UInt8]
  let size: Int
  var read: Locked<Int>?
  var failsAt = Int.max

  struct AsyncIterator: AsyncIteratorProtocol {
    let pieces: Pieces
    var position = 0

    mutating func next() async throws -> [UInt8]? {
      if position >= pieces.failsAt { throw PieceError() }
      let piece = pieces.bytes[position..<Swift.min(position + pieces.size, pieces.bytes.count)]
      position += piece.count
      let end = position
      pieces.read?.withLock { $0 = end }
      return piece.isEmpty ? nil : Array(piece)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}

private struct Bytes: AsyncSequence, Sendable {
  let bytes: [UInt8]

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: IndexingIterator<[UInt8]>
    mutating func next() async -> UInt8? { rest.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes.makeIterator()) }
}
