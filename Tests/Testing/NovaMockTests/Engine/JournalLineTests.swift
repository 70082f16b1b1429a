import NovaCore
import NovaMock
import Testing

/// Invalid lines of a state file.
@Suite struct JournalLineTests {
  private let backend = MockBackend(dataSet: .empty) { 1_764_583_200 }

  @Test(arguments: [
    (#"{"t":9223372036854775807,"rpc":"graph.CreateFollow"}"#, "invalid time 9223372036854775807"),
    (#"{"t":-9223372036854775808,"reset":true}"#, "invalid time -9223372036854775808"),
    (#"{"t":1,"advance":9223372036854775807}"#, "the clock cannot be set forward by 9223372036854775807 s"),
    (#"{"t":1,"rpc":"\u001B[31mred"}"#, #"unknown RPC \u{1b}[31mred"#),
    (#"{"t":1,"advance":-1}"#, "the clock cannot be set forward by -1 s"),
  ])
  func timesOutOfRangeAreRefused(line: String, problem: String) {
    let error = #expect(throws: MockJournalError.self) { try backend.replay(Array(line.utf8)) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "no error")")
  }

  @Test func theClockGoesNoFurtherThanItsMaximum() throws {
    for _ in 0..<3 { try backend.replay(Array(#"{"t":1764583200,"advance":3155760000}"#.utf8)) }
    backend.advanceClock(by: .seconds(1))
    let body = Array(#"{"email":"a@example.com","username":"ann","password":"a good password"}"#.utf8)
    #expect(
      backend.respond(to: HTTPRequest(method: .post, url: HTTPURL(received: "/api/v1/auth/register"), body: body))
        .status == 200)
  }
}
