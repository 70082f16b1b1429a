import NovaCore
import Testing

@testable import NovaCLI

@Suite struct MCPResultsTests {
  private func texts(_ result: JSONValue) -> [String] {
    (result["content"]?.elements ?? []).compactMap { $0["text"]?.stringValue }
  }

  @Test func aShortResultIsWhole() {
    let result = MCPResults { [] }.result("short", isError: false)
    #expect(texts(result) == ["short"] && result["isError"] == false)
  }

  /// All parts together are the result, and no character is cut.
  @Test func aLongResultCanBeReadToItsEnd() throws {
    let results = MCPResults { [] }
    let whole = (0..<60_000).map { $0 % 7 == 0 ? "é" : $0 % 11 == 0 ? "🍞" : "x" }.joined()
    let shown = texts(results.result(whole, isError: true))
    #expect(shown.count == 2 && shown.allSatisfy { $0.utf8.count <= MCPResults.limit })
    var read = shown[0]
    var note = shown[1]
    while let match = note.firstMatch(of: /"result": (\d+), "offset": (\d+)/) {
      let (id, offset) = (try #require(Int(match.1)), try #require(Int(match.2)))
      #expect(offset == read.utf8.count)
      let part = try results.rest(of: id, from: offset)
      #expect(part.utf8.count <= MCPResults.limit)
      let pieces = part.split(separator: "\n[This result has ", maxSplits: 1)
      read += pieces[0]
      note = pieces.count > 1 ? String(pieces[1]) : ""
    }
    #expect(read == whole)
  }

  @Test func onlySomeResultsAreKept() throws {
    let results = MCPResults { [] }
    let long = String(repeating: "x", count: MCPResults.limit + 1)
    for _ in 0..<10 { _ = results.result(long, isError: false) }
    #expect(throws: Failure.self) { try results.rest(of: 2, from: 0) }
    #expect(try results.rest(of: 3, from: MCPResults.limit) == "x")
    for offset in [-1, MCPResults.limit + 1] {
      #expect(throws: Failure.self) { try results.rest(of: 10, from: offset) }
    }
  }

  @Test func tokensAreMasked() {
    let token = "secret-token-0123456789"
    let result = MCPResults { [token] }.result(#"{"a":"\#(token)","b":"Bearer abcdefghij0123456789"}"#, isError: false)
    #expect(texts(result) == [#"{"a":"****","b":"Bearer ****"}"#], "\(texts(result))")
  }
}
