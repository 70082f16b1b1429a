import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// The user's own files next to a download and in its place, which no download has written.
@Suite(.hangLimit) struct UserFileTests {
  private let folder: TemporaryFolder
  private let bytes = someBytes(3000)
  private var path: String { "\(folder.path)/data" }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [#"{"mine":"precious"}"#, "no JSON", "[]", "", String(repeating: "long ", count: 20_000)])
  func anotherFileWithTheNameOfTheRecordStays(_ text: String) async throws {
    for hasPart in [false, true] {
      _ = try folder.write(text, to: "data.part.json")
      if hasPart { _ = try folder.write("", to: "data.part") }
      try await withMedia(FileServer.script { _ in FileServer.Behavior(file: bytes) }) { media, server in
        let error = await apiError { try await media.download(url: "/1", to: path) }
        #expect(error?.code == .failedPrecondition && server.requests.isEmpty, "\(error as Any)")
        #expect(error?.message.contains("data.part.json\": it was not left by a download") == true, "\(error as Any)")
      }
      #expect(try folder.bytes("data.part.json") == Array(text.utf8))
      #expect(folder.names == (hasPart ? ["data.part", "data.part.json"] : ["data.part.json"]))
    }
  }

  /// A download that ended before its first byte leaves only a record.
  @Test func aRecordAloneIsReplaced() async throws {
    let record = PartRecord(url: "http://localhost/1", head: MediaHead(etag: "\"1\"", validator: .etag("\"1\"")))
    _ = try folder.write(record.json, to: "data.part.json")
    try await withMedia(FileServer.script { _ in FileServer.Behavior(file: bytes) }) { media, _ in
      _ = try await media.download(url: "/1", to: path)
    }
    #expect(try folder.bytes("data") == bytes && folder.names == ["data"])
  }

  /// A file, a dangling link, and a folder that appear during a download.
  @Test(arguments: ["file", "link", "folder"], [false, true])
  func whatAppearsMeanwhileIsReplacedOnlyOnDemand(_ kind: String, replaces: Bool) async throws {
    try await withMedia(FileServer.script { _ in FileServer.Behavior(file: bytes) }) { (media, server) async throws in
      let path = path
      let error = await apiError {
        try await media.download(url: "/1", to: path, source: nil, replaces: replaces) { progress in
          guard progress.receivedBytes == 0 else { return }
          switch kind {
          case "file": try? Data("mine".utf8).write(to: URL(filePath: path))
          case "link": symlink("nowhere", path)
          default: mkdir(path, 0o700)
          }
        }
      }
      if replaces, kind != "folder" {
        #expect(error == nil)
        #expect(try folder.bytes("data") == bytes && folder.names == ["data"])
        return
      }
      #expect(error?.code == .failedPrecondition, "\(error as Any)")
      if !replaces {
        let problem = kind == "link" ? "a symbolic link is there" : "a file appeared there during the download"
        #expect(error?.message.contains(problem) == true, "\(error as Any)")
      }
      #expect(try folder.bytes("data.part") == bytes)
      if kind == "file" { #expect(try folder.bytes("data") == Array("mine".utf8)) }
      // The same download continues once the path is free.
      #expect(rename(path, "\(path).away") == 0)
      let count = server.requests.count
      #expect(try await media.download(url: "/1", to: path, source: nil, replaces: false).resumedFrom == bytes.count)
      #expect(server.requests.count == count + 1)
      #expect(try folder.bytes("data") == bytes)
    }
  }
}
