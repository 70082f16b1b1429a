import Foundation
import NovaCore
import NovaRegistry
import NovaTesting
import Testing

@testable import NovaContract

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ReportTests {
  private func report(_ change: @escaping WrongGateway.Change = { $1 }) async -> ContractReport {
    await ContractCheck.ofMock(transport: {
      WrongGateway(base: $0, path: "/api/v1/social/likes/count", change: change)
    }).run()
  }

  @Test func theSameAnswersGiveTheSameReport() async {
    let change = WrongGateway.json(\.camelCased)
    let (first, second) = (await report(change), await report(change))
    #expect(first.json == second.json)
    #expect(first.markdown == second.markdown)
    #expect(first.junit == second.junit)
  }

  @Test func markdownAndXMLAreEscaped() async {
    let report = await report(
      WrongGateway.member("count") { _ in [.init(name: "count", value: .string("<b>|\"&\u{1}"))] })
    #expect(report.markdown.contains(#"string "\<b\>\|"&"#))
    #expect(report.junit.contains("&lt;b&gt;|&quot;&amp;"))
    #expect(!report.junit.contains("\u{1}"))
  }

  @Test func junitHasTheShapeOfTheSchema() async throws {
    let report = await report(WrongGateway.member("count") { _ in [.init(name: "count", value: .string("x"))] })
    let shape = JUnitShape()
    let parser = XMLParser(data: Data(report.junit.utf8))
    parser.delegate = shape
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(shape.problems.isEmpty, "\(shape.problems)")
    #expect(shape.counts["testcase"] == RPCRegistry.nova.rpcs.count)
    #expect(shape.counts["failure"] == 1)
    #expect(report.junit.contains("tests=\"\(RPCRegistry.nova.rpcs.count)\" failures=\"1\" errors=\"0\""))
  }

  @Test func aCheckThatEndedEarlyHasAnError() async {
    let report = await ContractCheck.ofMock { $0.maximumRequests = 20 }.run()
    #expect(report.stop == .maximumRequests(20))
    #expect(report.requestCount == 20)
    #expect(!report.isPassed)
    #expect(report.junit.contains(#"<error message="the maximum number of requests was sent (20)" type="stopped"/>"#))
    #expect(report.json["stopped"] == .string("the maximum number of requests was sent (20)"))
  }

  @Test func secretsThatServersRepeatAreMasked() async {
    let seen = Locked<Set<String>>([])
    let report = await ContractCheck.ofMock(transport: {
      WrongGateway(base: $0, path: "/api/v1/auth/login") { request, _ in
        let json = try? JSONValue(jsonUTF8: request.body.inMemory)
        let password = json?["password"]?.stringValue ?? ""
        seen.withLock { _ = $0.insert(password) }
        return HTTPResponse(status: 400, body: Array("wrong: \(password)".utf8))
      }
    }).run()
    let all = report.inEveryFormat
    #expect(all.contains("wrong: ****"))
    for password in seen.withLock({ $0 }) where password.utf8.count > 12 { #expect(!all.contains(password)) }
    #expect(!all.contains("eyJ"))
  }
}

/// The elements and attributes of JUnit's XML, as the schema that Jenkins publishes has them.
private final class JUnitShape: NSObject, XMLParserDelegate {
  private static let attributes: [String: Set<String>] = [
    "testsuites": ["name", "time", "tests", "failures", "errors", "disabled"],
    "testsuite": ["name", "time", "tests", "failures", "errors", "skipped", "disabled", "timestamp", "hostname"],
    "testcase": ["name", "classname", "time", "assertions", "status"],
    "failure": ["message", "type"], "error": ["message", "type"], "skipped": ["message"], "system-out": [],
  ]
  private static let parents: [String: String] = [
    "testsuites": "", "testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase", "error": "testcase",
    "skipped": "testcase", "system-out": "testcase",
  ]

  private(set) var problems: [String] = []
  private(set) var counts: [String: Int] = [:]
  private var path: [String] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    if Self.parents[name] != path.last ?? "" { problems.append("\(name) in \(path)") }
    let unknown = Set(attributes.keys).subtracting(Self.attributes[name] ?? [])
    if !unknown.isEmpty { problems.append("\(name) has \(unknown)") }
    path.append(name)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    path.removeLast()
  }
}
