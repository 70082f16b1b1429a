import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaContract

@Suite struct ReportFormatTests {
  /// A report with texts that could end a line, a command or a cell.
  private static func report(maximumRequests: Int = 2000) async -> ContractReport {
    let text = "%0A::error::x\r\n::set-env name=A::b\u{1B}[31m\u{202E}``` ]]> </failure> |,:"
    return await ContractCheck.ofMock({ $0.maximumRequests = maximumRequests }) {
      WrongGateway(
        base: $0, path: "/api/v1/social/likes/count",
        change: WrongGateway.member("count") {
          [.init(name: "count", value: .string(text)), .init(name: text, value: $0)]
        })
    }.run()
  }

  @Test func annotationsAreOneLineEach() async {
    let report = await Self.report()
    #expect(report.count(.breaking) == 1 && report.count(.additive) == 1)
    let lines = report.gitHubAnnotations.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == report.differences.count + 2 && lines.last == "")
    for line in lines.dropLast() {
      #expect(line.starts(with: /::(error|warning|notice) title=[^:,]+::[^\r]/), "\(line)")
      #expect(!line.unicodeScalars.contains { !$0.isSafeToShow })
    }
    #expect(lines[0].hasPrefix("::error title=social.GetLikeCount::breaking: "))
    #expect(lines[0].contains("%0Acurl -sS -i ") && lines[0].contains("%0AHTTP 200, "))
    #expect(lines[0].contains("%250A::error::x"))
  }

  @Test func anEarlyEndIsAnError() async {
    let report = await Self.report(maximumRequests: 20)
    #expect(
      report.gitHubAnnotations.contains(
        "::error title=Contract check::it ended early: the maximum number of requests was sent (20)\n"))
    #expect(SARIFShape.log.problems(report.sarif) == [])
    #expect(
      report.sarif["runs"]?.elements?.first?["invocations"]?.elements?.first?["executionSuccessful"] == .bool(false))
  }

  @Test func sarifHasTheShapeOfTheSchema() async throws {
    var report = await Self.report()
    for isApplied in [false, true] {
      let sarif = try JSONValue(jsonUTF8: report.sarif.jsonUTF8)
      #expect(SARIFShape.log.problems(sarif) == [])
      let run = try #require(sarif["runs"]?.elements?.first)
      let rules = run["tool"]?["driver"]?["rules"]?.elements ?? []
      for result in run["results"]?.elements ?? [] {
        #expect(rules[result["ruleIndex"]?.integerValue ?? -1]["id"] == result["ruleId"])
      }
      #expect(Set((run["results"]?.elements ?? []).map { $0["partialFingerprints"] }).count == report.differences.count)
      // All results have suppressions, or none (section 3.27.23).
      #expect((run["results"]?.elements ?? []).allSatisfy { ($0["suppressions"]?.elements == []) == isApplied })
      report.apply(ContractBaseline())
    }
    report.apply(ContractBaseline().updated(with: report))
    let results = report.sarif["runs"]?.elements?.first?["results"]?.elements ?? []
    #expect(results.allSatisfy { $0["suppressions"]?.elements?.first?["justification"] == .string("in the baseline") })
  }

  @Test func markdownBlocksStayClosed() async {
    let markdown = await Self.report().markdown
    #expect(markdown.contains("<details><summary>Requests and responses</summary>"))
    var fence: Substring?
    for line in markdown.split(separator: "\n") {
      if let open = fence {
        if line == open { fence = nil }
      } else if line.hasPrefix("```") {
        fence = line.prefix { $0 == "`" }
      }
    }
    #expect(fence == nil && markdown.contains("````"))
  }
}

/// The part of SARIF's schema that the report uses: members, types, and the values that are allowed.
private enum SARIFShape {
  private static let message = Shape.object(["text": .string])
  private static let level = Shape.oneOf(["none", "note", "warning", "error"])
  private static let natural = Shape.check("0 or more") { ($0.integerValue ?? -1) >= 0 }
  private static let positive = Shape.check("1 or more") { ($0.integerValue ?? 0) >= 1 }
  private static let uri = Shape.check("a relative URI") { value in
    guard let text = value.stringValue, !text.hasPrefix("/") else { return false }
    return (try? HTTPURL(parsing: "http://localhost/\(text)")) != nil && !text.contains("{")
  }

  private static let location = Shape.object([
    "physicalLocation": .object([
      "artifactLocation": .object(["uri": uri]), "region": .object(["startLine": positive]),
    ]),
    "logicalLocations": .list(
      .object(["name": .string, "fullyQualifiedName": .string, "kind": .oneOf(["function", "member"])])),
  ])

  private static let result = Shape.object(
    [
      "ruleId": .string, "ruleIndex": natural, "level": level, "message": message, "locations": .list(location),
      "occurrenceCount": positive, "partialFingerprints": .map(.string), "properties": .map(.anything),
    ],
    ["suppressions": .list(.object(["kind": .oneOf(["inSource", "external"]), "justification": .string]))])

  private static let run = Shape.object([
    "tool": .object([
      "driver": .object([
        "name": .string, "version": .string,
        "rules": .list(.object(["id": .string, "shortDescription": message, "fullDescription": message])),
      ])
    ]),
    "invocations": .list(
      .object([
        "executionSuccessful": .bool,
        "toolExecutionNotifications": .list(.object(["level": level, "message": message])),
      ])),
    "results": .list(result), "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]),
    "properties": .map(.anything),
  ])

  static let log = Shape.object(["$schema": .string, "version": .constant("2.1.0"), "runs": .list(run)])
}
