import NovaCore

extension ContractReport {
  /// The report as JUnit XML for CI servers: a suite for each service, a case for each RPC.
  ///
  /// New differences of a grade that fails the check are failures, unchecked RPCs are skipped, and other differences are in `system-out`. A check
  /// that ended early has an additional error.
  public var junit: String {
    let services = results.reduce(into: [(name: String, results: [RPCResult])]()) { services, result in
      let name = String(result.rpc.prefix { $0 != "." })
      if services.last?.name == name {
        services[services.count - 1].results.append(result)
      } else {
        services.append((name, [result]))
      }
    }
    var suites = services.map { suite($0.name, $0.results) }
    if let gateway { suites.append(suite(Self.gateway, [gateway])) }
    if let stop {
      let error = element("error", ["message": stop.description, "type": "stopped"])
      suites.append(
        element(
          "testsuite",
          ["name": "check", "tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0.000"],
          content: element("testcase", ["classname": "check", "name": "to its end", "time": "0.000"], content: error)))
    }
    // The root has no count of what was skipped in the schema that most CI servers go by.
    let totals = attributes(of: results + [gateway].compactMap(\.self), errors: stop == nil ? 0 : 1).filter {
      $0.key != "skipped"
    }
    return #"<?xml version="1.0" encoding="UTF-8"?>"#
      + element("testsuites", ["name": "nova contract check"].merging(totals) { $1 }, content: suites.joined()) + "\n"
  }

  /// The differences of the gateway as a whole, as if they were an RPC's; nil if there are none.
  private var gateway: RPCResult? {
    if gatewayDifferences.isEmpty { return nil }
    var result = RPCResult(rpc: "\(Self.gateway).responses")
    result.differences = gatewayDifferences
    return result
  }

  private func hasFailed(_ result: RPCResult) -> Bool { result.differences.contains(where: fails) }

  private func suite(_ name: String, _ results: [RPCResult]) -> String {
    element(
      "testsuite", ["name": name].merging(attributes(of: results, errors: 0)) { $1 },
      content: results.map(testCase).joined())
  }

  private func attributes(of results: [RPCResult], errors: Int) -> [String: String] {
    [
      "tests": String(results.count + errors), "failures": String(results.count(where: hasFailed)),
      "errors": String(errors), "skipped": String(results.count { !hasFailed($0) && $0.unchecked != nil }),
      "time": results.reduce(Duration.zero) { $0 + $1.duration }.inSeconds,
    ]
  }

  private func testCase(_ result: RPCResult) -> String {
    var content = ""
    let failures = result.differences.filter(fails)
    if let first = failures.first {
      content += element(
        "failure", ["message": first.sentence, "type": first.kind.rawValue], content: text(of: failures))
    } else if let reason = result.unchecked {
      content += element("skipped", ["message": reason])
    }
    let others = result.differences.filter { !fails($0) }
    if !others.isEmpty { content += element("system-out", [:], content: text(of: others)) }
    let name = String(result.rpc.drop { $0 != "." }.dropFirst())
    let service = String(result.rpc.prefix { $0 != "." })
    return element(
      "testcase", ["classname": "nova.\(service)", "name": name, "time": result.duration.inSeconds], content: content)
  }

  private func text(of differences: [ContractDifference]) -> String {
    differences.map(\.details.xml).joined(separator: "\n")
  }

  /// - Parameter content: XML already.
  private func element(_ name: String, _ attributes: [String: String], content: String = "") -> String {
    let order = ["classname", "name", "tests", "failures", "errors", "skipped", "time", "message", "type"]
    let all = order.compactMap { key in attributes[key].map { " \(key)=\"\($0.xml)\"" } }.joined()
    return content.isEmpty ? "\n<\(name)\(all)/>" : "\n<\(name)\(all)>\(content)</\(name)>"
  }
}

extension ContractDifference {
  /// Everything about the difference, in lines: the sentence, the request as curl, the response.
  fileprivate var details: String {
    var lines = ["\(grade): \(kind): \(sentence)\(knownSuffix)"]
    if let evidence { lines += [evidence.curl, evidence.response()] }
    return lines.joined(separator: "\n")
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
