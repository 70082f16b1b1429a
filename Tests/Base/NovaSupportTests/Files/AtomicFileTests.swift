import Foundation
import NovaSupport
import Testing

@Suite struct AtomicFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

  @Test func theFirstOfSeveralFilesStays() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "file").path
    var first = try AtomicFile(for: path)
    var second = try AtomicFile(for: path)
    try first.write(Array("first".utf8))
    try second.write(Array("second".utf8))
    #expect(try first.publish(.keepingExisting))
    #expect(try !second.publish(.keepingExisting))
    #expect(try SystemIO.readFile(path) == Array("first".utf8))
    // A published file has no second name while it is open.
    #expect(names.count == 2, "\(names)")
    #expect(try second.publish())
    #expect(try SystemIO.readFile(path) == Array("second".utf8))
    #expect(names == ["file"])
  }

  @Test func removesOnlyWhatWasLeftForTheSamePlace() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let kept = ["file", "file.tmp", "file.tmpfile", "other.tmp-1"]
    for name in kept + ["file.tmp-1", "file.tmp-2abc"] { try Data().write(to: folder.appending(path: name)) }
    AtomicFile.removeUnpublished(for: folder.appending(path: "file").path)
    #expect(names == kept)
    AtomicFile.removeUnpublished(for: folder.appending(path: "missing/file").path)
  }
}
