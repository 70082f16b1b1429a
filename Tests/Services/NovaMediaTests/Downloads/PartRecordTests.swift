import NovaCore
import Testing

@testable import NovaMedia

@Suite struct PartRecordTests {
  private static let digest = String(repeating: "ab", count: 32)

  @Test(arguments: [
    #""strong_etag":"\"a\"""#, #""last_modified":"Sun, 06 Nov 1994 08:49:37 GMT""#, #""size":0"#, #""etag":"W/\"a\"""#,
    #""sha256":"\#(digest)""#, #""source":"upload-1""#,
    #""content_type":"video/mp4","size":7,"strong_etag":"\"a\"","sha256":"\#(digest)""#,
  ])
  func aWrittenRecordIsReadAgain(members: String) throws {
    let record = try #require(PartRecord(Array(#"{"place":"http://localhost/a#1",\#(members)}"#.utf8)))
    #expect(PartRecord(record.json) == record)
  }

  /// The validator is sent back to the server, and sizes and digests decide about existing bytes.
  @Test(arguments: [
    "", "[]", "{}", #"{"place":1}"#, #"{"place":"x","strong_etag":"a"}"#, #"{"place":"x","strong_etag":"W/\"a\""}"#,
    #"{"place":"x","strong_etag":"\"a\nX-A: b\""}"#, #"{"place":"x","last_modified":"yesterday"}"#,
    #"{"place":"x","last_modified":"Sun, 06 Nov 1994 08:49:37 GMT\r\nX-A: b"}"#, #"{"place":"x","size":-1}"#,
    #"{"place":"x","sha256":"ab"}"#, #"{"place":"x","sha256":"no digits"}"#,
  ])
  func whatNoDownloadWroteIsNoRecord(text: String) {
    #expect(PartRecord(Array(text.utf8)) == nil)
  }
}
