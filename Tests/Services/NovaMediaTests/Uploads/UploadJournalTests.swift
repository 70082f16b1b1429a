import NovaCore
import NovaLibc
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Journals on a disk that becomes full.
@Suite(.hangLimit) struct UploadJournalTests {
  private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
  private static let chunk = 16 << 10

  /// An upload of a file that the server has started, with its journal on a disk with this much room.
  private struct Begun {
    let folder: TemporaryFolder
    let media: MediaService
    let reader: UploadReader
    let start: UploadRecord.Start
    let url: String
    let directory: UploadDirectory

    init(_ server: UploadServer) async throws {
      folder = try TemporaryFolder()
      media = try server.media(state: folder, attempts: 1)
      reader = try UploadReader(try UploadFile(path: try folder.write(bytes, to: "walk.bin")))
      let answer = try await media.startUpload(
        StartUploadRequest(userId: "u", fileName: "walk.bin", fileSize: Int64(bytes.count), contentType: "a/b"))
      url = answer.uploadUrl
      start = UploadRecord.Start(uploadId: answer.upload?.id ?? "", uploadUrl: url, chunkSize: answer.chunkSize)
      directory = try #require(UploadDirectory(media.client.configuration))
      try directory.create()
    }

    func journal(room: Int = .max, limit: Int = UploadJournal.maximumLength) throws -> UploadJournal {
      let file = try #require(reader.file)
      return try UploadJournal.create(
        UploadRecord.Beginning(
          id: "abc", path: file.path, file: file.identity, contentType: "a/b", fileName: "walk.bin", userId: "u",
          gateway: media.gateway, key: "key", time: 1_764_583_200),
        in: directory, limit: limit, writing: FullDisk.writing(roomFor: room))
    }

    var startLine: Int { start.json(at: media.client.clock.unixTime).jsonUTF8.count + 1 }

    /// Uploads the file with the journal, and then releases the journal.
    func upload(room: Int) async throws -> APIError? {
      let journal = try journal(room: room)
      let ledger = UploadLedger(journal, clock: media.client.clock)
      ledger.began(start)
      let upload = MediaUpload(id: "abc", clock: media.client.clock) { [self] control in
        var engine = UploadEngine(
          media, control: control, reader: reader, ledger: ledger,
          request: StartUploadRequest(userId: "u", fileName: "a", fileSize: Int64(reader.count)), start: start,
          url: url,
          renew: { [start, url] in (start, url) })
        return try await engine.run()
      }
      let error = await apiError { try await upload.value }
      await journal.flush()
      return error
    }
  }

  /// Only complete lines are kept, whatever part of a line fits.
  @Test(arguments: [0, 1, 50, 100, 150, 200, 300, 400]) func halfALineIsRemoved(room: Int) async throws {
    let begun = try await Begun(UploadServer())
    do {
      let journal = try begun.journal(room: room)
      journal.append(begun.start.json(at: 1_764_583_201))
      for offset in 1...5 {
        let digest = [UInt8](repeating: UInt8(offset), count: 32)
        journal.append(UploadRecord.Position(offset: offset, digest: digest).json(at: 1_764_583_202))
      }
      await journal.flush()
    }
    let written = try begun.folder.bytes("state/uploads/abc.upload")
    let record = try #require(UploadRecord(journal: written))
    #expect(record.length == written.count, "\(String(decoding: written, as: UTF8.self))")
    #expect((record.start == nil) == (room < begun.startLine))
    #expect(try await begun.directory.open("abc").1 == record)
  }

  /// A journal that is too large to read would be useless.
  @Test func aJournalDoesNotOutgrowItsLimit() async throws {
    let begun = try await Begun(UploadServer())
    do {
      let journal = try begun.journal(limit: 1000)
      journal.append(begun.start.json(at: 1_764_583_201))
      for offset in 1...20 {
        let digest = [UInt8](repeating: UInt8(offset), count: 32)
        journal.append(UploadRecord.Position(offset: offset, digest: digest).json(at: 1_764_583_202))
      }
      await journal.flush()
    }
    let record = try await begun.directory.open("abc").1
    #expect((800...1000).contains(record.length), "\(record.length)")
    #expect((1..<20).contains(record.position?.offset ?? 0), "\(record)")
  }

  /// The disk is full before the server's response, within it, and within the first position.
  @Test(arguments: [0, 20, nil]) func aFullDiskDoesNotEndTheUpload(room: Int?) async throws {
    let server = UploadServer()
    let begun = try await Begun(server)
    #expect(try await begun.upload(room: room ?? begun.startLine + 30) == nil)
    #expect(server.onlyUpload?.bytes == Self.bytes && server.onlyUpload?.status == "completed")
    let written = try begun.folder.bytes("state/uploads/abc.upload")
    let record = try #require(UploadRecord(journal: written))
    #expect(record.length == written.count && record.position == nil && (record.start == nil) == (room != nil))
  }

  /// What was recorded before the disk was full is enough.
  @Test(arguments: [0, 20, nil]) func anUploadContinuesFromItsFirstLines(room: Int?) async throws {
    let server = UploadServer { step, number in step == .put && number == 4 ? .lostBefore : nil }
    let begun = try await Begun(server)
    #expect(try await begun.upload(room: room ?? begun.startLine + 30)?.code == .networkError)
    let pending = try #require(try await begun.media.pendingUploads().uploads.first)
    #expect(pending.id == "abc" && pending.uploadId == (room == nil ? "up1" : nil))
    let upload = try await begun.media.resumeUpload(pending).value
    #expect(server.current.uploads[upload.id]?.bytes == Self.bytes && upload.status == "completed")
    #expect(try await begun.media.pendingUploads() == PendingUploads(uploads: [], dropped: []))
  }
}
