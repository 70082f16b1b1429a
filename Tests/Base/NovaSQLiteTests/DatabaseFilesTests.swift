import NovaSQLite
import NovaSupport
import NovaTestSupport
import Testing

@Suite struct DatabaseFilesTests {
  @Test func copiesAreNamedByTheirTime() throws {
    let directory = try TemporaryFolder()
    let files = DatabaseFiles("\(directory.path)/a.db")
    #expect(files.copies == [])
    var copies: [String] = []
    for time in [7, 7, 8] as [Int64] {
      for suffix in ["", "-wal", "-shm"] { try write("x", to: files.path + suffix) }
      copies.append(try files.moveAside(unixTime: time))
      #expect(!SystemIO.exists(files.path) && !SystemIO.exists(files.path + "-wal"))
    }
    #expect(copies == ["7", "7-2", "8"].map { "\(files.path).corrupt-\($0)" })
    #expect(files.copies == copies)
    #expect(copies.allSatisfy { DatabaseFiles.origin(of: $0) == files.path })
    for copy in copies { #expect(DatabaseFiles(copy).remove()) }
    #expect(SystemIO.fileNames(in: directory.path) == [])
    #expect(files.remove())
  }

  @Test func oneAtATimeRepairs() throws {
    let directory = try TemporaryFolder()
    let files = DatabaseFiles("\(directory.path)/a.db")
    try files.repairing { try #expect(FileLock(acquiring: "\(files.path)-repair") == nil) }
    let missing = DatabaseFiles("\(directory.path)/missing/a.db")
    let error = #expect(throws: SQLiteError.self) { try missing.repairing {} }
    #expect(error?.kind == .cannotOpen)
  }

  private func write(_ text: String, to path: String) throws {
    var file = try AtomicFile(for: path)
    try file.write(Array(text.utf8))
    try file.publish()
  }
}
