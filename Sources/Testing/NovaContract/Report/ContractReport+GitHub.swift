import NovaCore

extension ContractReport {
  /// The report as workflow commands of GitHub Actions, which become annotations: errors for breaking differences,
  /// warnings for tolerated ones, notices for additive and known ones, and for entries of the baseline that are stale.
  public var gitHubAnnotations: String {
    var lines = differences.map(\.annotation)
    if let stop { lines.append(Self.command("error", title: "Contract check", "it ended early: \(stop)")) }
    if !refused.isEmpty {
      let text =
        "not checked, because authentication or a different account is required: \(refused.joined(separator: ", "))"
      lines.append(Self.command("error", title: "Contract check", text))
    }
    lines += staleEntries.map {
      Self.command("notice", title: "Contract baseline", "no longer found: \($0.description)")
    }
    lines.append(Self.command("notice", title: "Contract check", summary))
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate static func command(_ name: String, title: String, _ message: String) -> String {
    "::\(name) title=\(title.workflowProperty)::\(message.workflowData)"
  }
}

extension ContractDifference {
  fileprivate var annotation: String {
    let level =
      switch grade {
      case _ where isKnown: "notice"
      case .breaking: "error"
      case .tolerated: "warning"
      case .additive: "notice"
      }
    var text = "\(grade): \(sentence)\(knownSuffix)"
    if let evidence { text += "\n\(evidence.curl)\n\(evidence.response(bodyLength: 500))" }
    return ContractReport.command(level, title: rpc, text)
  }
}

extension String {
  /// The text as the message of a workflow command: nothing in it ends the command.
  fileprivate var workflowData: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable(to: .max) }
    return lines.map { line in line.replacingScalars { $0 == "%" ? "%25" : nil } }.joined(separator: "%0A")
  }

  /// The same as the value of a property.
  fileprivate var workflowProperty: String {
    workflowData.replacingScalars { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}
