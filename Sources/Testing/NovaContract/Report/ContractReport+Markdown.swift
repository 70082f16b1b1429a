import NovaCore
import NovaCoverage

extension ContractReport {
  /// The report as Markdown, for pull requests and wikis.
  public var markdown: String {
    var lines = ["# Contract check", "", summary.printable(to: .max), ""]
    for grade in ContractDifference.Grade.allCases {
      let differences = differences.filter { $0.grade == grade }
      guard !differences.isEmpty else { continue }
      lines += [
        "## \(grade.heading)", "", "| RPC | Request | Where | Expected | Found | |", "|---|---|---|---|---|---|",
      ]
      lines += differences.map(\.row) + [""]
    }
    lines += Self.list("No longer found", staleEntries.map(\.description))
    let unchecked = results.filter { $0.unchecked != nil }
    if !unchecked.isEmpty {
      lines += ["## Not checked", "", "| RPC | Why |", "|---|---|"]
      lines += unchecked.map { "| \($0.rpc) | \(($0.unchecked ?? "").markdownCell) |" } + [""]
    }
    lines += Self.list(
      "Not checked over gRPC", skippedChecks.map { "\($0.reason): \($0.probes.joined(separator: ", "))" })
    lines += Self.list(
      "Not probed for leaks", skippedProbes.map { "\($0.probes.joined(separator: ", ")), because \($0.reason)" })
    if showsCoverage, let coverage { lines += Self.section(of: coverage) }
    lines += Self.list("Left behind", leftBehind) + Self.list("Not cleaned up", notCleanedUp) + evidence
    return lines.joined(separator: "\n")
  }

  /// What was tried of each RPC.
  private static func section(of coverage: ContractCoverage) -> [String] {
    let rows = coverage.rpcs.map { rpc in
      let shares = ContractCoverage.kinds.map { kind in rpc.shares[kind].map { "\($0.tried)/\($0.total)" } ?? "-" }
      return "| \(rpc.rpc) | \(shares.joined(separator: " | ")) | \(rpc.missingText.markdownCell) |"
    }
    return [
      "## Coverage", "", coverage.summary, "", "| RPC | Statuses | Fields | Constraints | Never tried |",
      "|---|---|---|---|---|",
    ]
      + rows + [""]
  }

  /// A section with a list; empty without items.
  private static func list(_ heading: String, _ items: [String]) -> [String] {
    items.isEmpty ? [] : ["## \(heading)", ""] + items.map { "- \($0.markdownCell)" } + [""]
  }

  /// The requests and responses, folded.
  private var evidence: [String] {
    let sections = differences.flatMap { difference -> [String] in
      guard let evidence = difference.evidence else { return [] }
      let path = difference.path.isEmpty ? "" : ", \(difference.path)"
      let body = evidence.response().split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0).printable(to: .max)
      }.joined(separator: "\n")
      return ["### \(difference.rpc), \("\(difference.request)\(path)".markdownCell)", ""]
        + evidence.curl.printable(to: .max).markdownBlock("sh") + body.markdownBlock("text")
    }
    guard !sections.isEmpty else { return [] }
    return ["<details><summary>Requests and responses</summary>", ""] + sections + ["</details>", ""]
  }

  /// One line with the counts of differences, RPCs and requests.
  public var summary: String {
    let known = knownCount > 0 ? " (\(knownCount) known)" : ""
    let counts = ContractDifference.Grade.allCases.map { "\(count($0)) \($0)" }.joined(separator: ", ") + known
    let rpcs =
      "\(checkedCount) of \(results.count) RPCs with \(requestCount) \(requestCount == 1 ? "request" : "requests")"
    let end = stop.map { " It ended early: \($0)." } ?? ""
    return "\(target): \(counts); \(rpcs)\(isReadOnly ? ", read-only" : "").\(end)"
  }
}

extension ContractDifference.Grade {
  fileprivate var heading: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension ContractDifference {
  fileprivate var row: String {
    let place = path.isEmpty ? "" : path.markdownCode
    let known = acceptedReason.map { $0.isEmpty ? "known" : "known: \($0.markdownCell)" }
    let times = [count > 1 ? "×\(count)" : nil, known].compactMap(\.self).joined(separator: ", ")
    return
      "| \(rpc) | \(request.markdownCell) | \(place) | \(expected.markdownCell) | \(found.markdownCell) | \(times) |"
  }
}

extension String {
  /// The text in a cell of a table: nothing in it ends the cell, makes a link or is HTML.
  fileprivate var markdownCell: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ").printable(to: .max)
      .replacingScalars { "|\\`*_[]<>".unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }

  /// The lines of a code block. Its fence is longer than any in the text.
  fileprivate func markdownBlock(_ language: String) -> [String] {
    let longest = utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ["\(fence)\(language)", self, fence, ""]
  }

  fileprivate var markdownCode: String {
    "`\(printable(to: .max).replacingScalars { $0 == "`" ? "'" : $0 == "|" ? "\\|" : nil })`"
  }
}
