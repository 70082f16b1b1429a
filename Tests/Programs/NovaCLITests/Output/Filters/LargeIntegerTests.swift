import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Integers beyond the digits of a double on their way through `--jq`, with the system's jq, whichever version that is.
@Suite struct LargeIntegerTests {
  private static let large = "9007199254740993"
  private static let json =
    #"{"id":9007199254740993,"most":9223372036854775807,"least":-9223372036854775808,"exact":9007199254740992,"float":9.5e18,"name":"n9007199254740993","list":[{"id":9007199254740995}]}"#

  private func filtered(_ json: String, _ expression: String, size: Int = .max) throws -> String {
    let filter = try JQFilter(expression, isTerminal: false)
    var (output, rest) = ([UInt8](), Array(json.utf8)[...])
    while !rest.isEmpty {
      output += try filter.filtered(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    let (last, failure) = try filter.end()
    if let failure { throw failure }
    return String(decoding: output + last, as: UTF8.self)
  }

  private static let samples: [(expression: String, expected: String)] = [
    (".id", "9007199254740993\n"), (".most, .least", "9223372036854775807\n-9223372036854775808\n"),
    (".exact", "9007199254740992\n"), (".list[0].id", "9007199254740995\n"), (".list[].id", "9007199254740995\n"),
    ("[.id, .name] | @tsv", "9007199254740993\tn9007199254740993\n"),
    (#""\(.id) of \(.name)""#, "9007199254740993 of n9007199254740993\n"),
    (#"select(.name == "n9007199254740993").id"#, "9007199254740993\n"),
    (#"select(.name != "x") | .id"#, "9007199254740993\n"),
    (".list | map(.id) | .[0]", "9007199254740995\n"), ("[.id] | join(\",\")", "9007199254740993\n"),
    ("{name} | .name", "n9007199254740993\n"), (".missing // .id", "9007199254740993\n"),
    ("keys[0:2] | .[]", "exact\nfloat\n"),
  ]

  @Test(arguments: samples, [1, 7, Int.max])
  func digitsStay(_ sample: (expression: String, expected: String), _ size: Int) throws {
    #expect(try filtered(Self.json, sample.expression, size: size) == sample.expected)
  }

  @Test func aTopLevelIntegerStays() throws {
    #expect(try filtered("\(Self.large)\n\(Self.large)", ".") == "\(Self.large)\n\(Self.large)\n")
    #expect(try filtered("[1,-2.5e3,\"\\\"9007199254740993\"]", ".[]") == "1\n-2500\n\"9007199254740993\n")
  }

  /// What computes with numbers, compares, or sorts them would give something else for a text.
  @Test(arguments: [
    ".id + 1", ".id == 9007199254740993", "select(.id > 5)", ".id | tonumber", "[.id] | sort", "[.id] | max",
    ".id | length",
    ".id | type", ".id * 2", ".id = 1", "[.id, 3] | add", ".list | sort_by(.id)", ".list | group_by(.id)", "-.id",
    #"select(.id == "9007199254740993")"#, ".id | tojson", ".id | numbers", #""\(.id + 1)""#, "limit(1; .id)",
    "def f: .id; f", ".id | [null, length, null]", "[.id, type, 1]", ".id | (., length, .)",
    "{a: (.id | [., floor, .])}",
    ".list[] | .id | [., tojson, .]", "reduce .list[] as $x (0; . + $x.id)", ". as $x | $x.id % 10", ".id | floor",
    "unique",
  ])
  func whatDependsOnNumbersIsRefusedIfItWouldRound(_ expression: String) throws {
    guard try rounds() else { return }
    let failure = #expect(throws: Failure.self, "\(expression)") { try filtered(Self.json, expression) }
    #expect(failure?.status == .badData && failure?.message.contains(Self.large) == true, "\(expression)")
    #expect(failure?.hint?.contains("jq 1.7") == true)
  }

  /// Numbers anywhere in lists, documents one after the other, and of any length.
  @Test(arguments: [1, 5, Int.max]) func listsKeepTheirDigits(_ size: Int) throws {
    let large = ["9007199254740993", "-9007199254740993", "9223372036854775807", "18446744073709551615"]
    let lists = "[[\(large[0]),[\(large[1])]],{\"a\":[\(large[2])]}]\n{\"next\":[[[\(large[3])]]]}\n"
    #expect(try filtered(lists, ".. | scalars", size: size) == large.map { "\($0)\n" }.joined())
    let lines = large.map { "{\"id\":\($0),\"ids\":[\($0)]}\n" }.joined()
    #expect(try filtered(lines, ".id, .ids[]", size: size) == large.map { "\($0)\n\($0)\n" }.joined())
    #expect(try filtered(lines, "{id, length: .ids[0], type} | .id, .length", size: size).contains(large[3]))
  }

  /// What the expression makes of texts is its own.
  @Test func integersOfTextsAreTheExpressions() throws {
    #expect(try filtered(#"{"id":"9007199254740993"}"#, ".id") == "9007199254740993\n")
    #expect(try filtered(#"{"id":"12"}"#, ".id | tonumber + 1") == "13\n")
  }

  /// Whether the system's jq is one that rounds.
  private func rounds() throws -> Bool {
    let run = Process()
    run.executableURL = URL(filePath: "/usr/bin/env")
    run.arguments = ["jq", "-n", Self.large]
    let output = Pipe()
    run.standardOutput = output
    try run.run()
    run.waitUntilExit()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) != "\(Self.large)\n"
  }

  /// Without large integers, every expression is jq's own business.
  @Test(arguments: [(".id + 1", "6\n"), ("[.id] | max", "5\n"), (".id | type", "number\n")])
  func otherNumbersPass(_ expression: String, _ expected: String) throws {
    #expect(try filtered(#"{"id":5,"name":"9007199254740993"}"#, expression) == expected)
  }

  /// A jq that keeps digits gets numbers.
  @Test func anExactProgramGetsNumbers() async throws {
    let folder = try TemporaryFolder()
    let program = "\(folder.path)/jq"
    try "#!/bin/sh\nexec cat\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let run = try await ProgramRun(
      ["decode", "Something", "--jq", ".id + 1"], input: #"{"id":9007199254740993,"userId":"u","contentType":"text"}"#,
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"]
    ).result()
    #expect(run.output.contains("\"id\": \(Self.large)") || run.output.contains("\"id\":\(Self.large)"), "\(run)")
  }
}
