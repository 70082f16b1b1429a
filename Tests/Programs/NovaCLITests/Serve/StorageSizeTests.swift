import Testing

@testable import NovaCLI

@Suite struct StorageSizeTests {
  @Test(
    arguments: [
      ("1", 1), ("1000", 1000), ("10b", 10), ("1KiB", 1024), ("1k", 1024), ("1500 KiB", 1500 << 10),
      ("512MiB", 512 << 20),
      ("512 MIB", 512 << 20), ("4GiB", 4 << 30), ("4g", 4 << 30), ("2TiB", 2 << 40), ("4194303 TiB", 4_194_303 << 40),
    ] as [(String, Int64)])
  func sizes(_ text: String, _ bytes: Int64) throws {
    let size = try #require(StorageSize(argument: text))
    #expect(size.bytes == bytes)
    #expect(StorageSize(argument: size.description) == size, "\(size)")
  }

  @Test(arguments: [
    "", "0", "0MiB", "-1", "+1", "1.5GiB", "MiB", "1PiB", "1 byte", "0x10", "4194304 TiB", "9223372036854775807",
    "99999999999999999999", "1MiB2", "１",
  ])
  func otherTextIsRefused(_ text: String) { #expect(StorageSize(argument: text) == nil) }

  @Test(
    arguments: [
      (4 << 30, "4GiB"), (1 << 40, "1TiB"), (1536 << 20, "1536MiB"), (1024, "1KiB"), (1000, "1000"),
    ] as [(Int64, String)])
  func descriptions(_ bytes: Int64, _ text: String) { #expect(StorageSize(bytes: bytes).description == text) }
}
