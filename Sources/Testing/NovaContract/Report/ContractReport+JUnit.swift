import NovaCore

extension ContractReport {
  /// The report as JUnit XML for CI servers: a suite for each service, a case for each RPC.
  ///
  /// New differences of a grade that fails the check are failures, unchecked RPCs are skipped, and other differences are in `system-out`. A check
  /// that ended early has an additional error.
  public var junit: String { testResults.junit }
}

extension ContractTestResults {
  /// The results as JUnit XML.
  package var junit: String {
    // The root has no count of what was skipped in the schema that most CI servers go by.
    let totals = attributes(of: cases).filter { $0.key != "skipped" }
    return #"<?xml version="1.0" encoding="UTF-8"?>"#
      + element("testsuites", ["name": tool].merging(totals) { $1 }, content: suites.map(element).joined()) + "\n"
  }

  private func element(_ suite: Suite) -> String {
    element(
      "testsuite", ["name": suite.name].merging(attributes(of: suite.cases)) { $1 },
      content: suite.cases.map(element).joined())
  }

  private func attributes(of cases: [Case]) -> [String: String] {
    var (failures, errors, skipped) = (0, 0, 0)
    for test in cases {
      switch test.outcome {
      case .failed: failures += 1
      case .ended: errors += 1
      case .skipped: skipped += 1
      case .passed: break
      }
    }
    return [
      "tests": String(cases.count), "failures": String(failures), "errors": String(errors),
      "skipped": String(skipped), "time": cases.reduce(Duration.zero) { $0 + $1.duration }.inSeconds,
    ]
  }

  private func element(_ test: Case) -> String {
    var content = ""
    switch test.outcome {
    case .passed: break
    case .failed(let message, let kind, let details):
      content += element("failure", ["message": message, "type": kind], content: details.xml)
    case .ended(let message): content += element("error", ["message": message, "type": "stopped"])
    case .skipped(let reason): content += element("skipped", reason.map { ["message": $0] } ?? [:])
    }
    if !test.output.isEmpty { content += element("system-out", [:], content: test.output.xml) }
    return element(
      "testcase", ["classname": test.group, "name": test.name, "time": test.duration.inSeconds], content: content)
  }

  /// - Parameter content: XML already.
  private func element(_ name: String, _ attributes: [String: String], content: String = "") -> String {
    let order = ["classname", "name", "tests", "failures", "errors", "skipped", "time", "message", "type"]
    let all = order.compactMap { key in attributes[key].map { " \(key)=\"\($0.xml)\"" } }.joined()
    return content.isEmpty ? "\n<\(name)\(all)/>" : "\n<\(name)\(all)>\(content)</\(name)>"
  }
}

extension Duration {
  /// Seconds with three decimal places.
  fileprivate var inSeconds: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return "\(milliseconds / 1000).\(Int(milliseconds % 1000).padded(to: 3))"
  }
}

extension String {
  /// The text for XML's attributes and contents. Characters that XML 1.0 does not have become `?`.
  fileprivate var xml: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "?"
      case _ where !scalar.isSafeToShow: text += "&#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
