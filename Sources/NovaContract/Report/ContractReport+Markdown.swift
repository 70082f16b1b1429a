import NovaCore

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
    let unchecked = results.filter { $0.unchecked != nil }
    if !unchecked.isEmpty {
      lines += ["## Not checked", "", "| RPC | Why |", "|---|---|"]
      lines += unchecked.map { "| \($0.rpc) | \(($0.unchecked ?? "").markdownCell) |" } + [""]
    }
    for (heading, items) in [("Left behind", leftBehind), ("Not cleaned up", notCleanedUp)] where !items.isEmpty {
      lines += ["## \(heading)", ""] + items.map { "- \($0.markdownCell)" } + [""]
    }
    return lines.joined(separator: "\n")
  }

  /// One line with the counts of differences, RPCs and requests.
  public var summary: String {
    let counts = ContractDifference.Grade.allCases.map { "\(count($0)) \($0)" }.joined(separator: ", ")
    let rpcs = "\(checkedCount) of \(results.count) RPCs with \(requestCount) requests"
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
    let times = count > 1 ? "×\(count)" : ""
    return
      "| \(rpc) | \(request.markdownCell) | \(place) | \(expected.markdownCell) | \(found.markdownCell) | \(times) |"
  }
}

extension String {
  /// The text in a cell of a table: nothing in it ends the cell, makes a link or is HTML.
  fileprivate var markdownCell: String {
    var text = ""
    for character in self {
      switch character {
      case "|", "\\", "`", "*", "_", "[", "]", "<", ">": text += "\\\(character)"
      case let character where character.isNewline: text += " "
      default: text += String(character).printable(to: .max)
      }
    }
    return text
  }

  fileprivate var markdownCode: String {
    "`\(printable(to: .max).replacing("`", with: "'").replacing("|", with: "\\|"))`"
  }
}
