import NovaCore
import NovaRegistry

/// Parses a fault rule.
struct FaultRuleParser {
  /// The rule without surrounding whitespace.
  let rule: String
  /// The rest of the rule after its target.
  private(set) var fault: String

  init(_ text: String) {
    rule = text.trimmed
    fault = rule
  }

  mutating func parse() throws(FaultRuleError) -> (FaultTarget, [FaultStep], Double) {
    guard rule.utf8.count <= 1000 else { throw error("it is longer than 1000 bytes") }
    let target = try takeTarget()
    var (faults, probability) = (fault[...], 1.0)
    if let at = fault.lastIndex(of: "@") {
      probability = try self.probability(fault[fault.index(after: at)...])
      faults = fault[..<at]
    }
    let texts = faults.split(separator: ",", omittingEmptySubsequences: false)
    let steps = try texts.map { text throws(FaultRuleError) in try step(text.trimmed, isAlone: texts.count == 1) }
    return (target, steps, probability)
  }

  // MARK: Target

  /// Parses the target. `latency=50ms` also has an equals sign, but no target.
  private mutating func takeTarget() throws(FaultRuleError) -> FaultTarget {
    guard let equals = rule.firstIndex(of: "=") else { return .all }
    let name = rule[..<equals].trimmed
    if ["latency", "throttle", "bandwidth"].contains(name) { return .all }
    fault = rule[rule.index(after: equals)...].trimmed
    if name == "*" { return .all }
    let registry = RPCRegistry.nova
    if let rpc = registry.rpc(named: name) { return .rpc(rpc.id) }
    let transfers = MediaTransfer.allCases.map(\.rawValue)
    if let transfer = transfers.first(where: { $0.equalsIgnoringASCIICase(name) }) { return .rpc(transfer) }
    let services = Set(registry.rpcs.map(\.service))
    // `social.*` is every call of the service.
    let service = (name.hasSuffix(".*") ? String(name.dropLast(2)) : name).lowercased()
    if services.contains(service) { return .service(service) }
    let names = registry.rpcs.map(\.id) + transfers + services.sorted()
    let hint = Suggestion.closest(to: name, among: names).map { "; did you mean \($0)?" }
    throw error(
      "unknown RPC or service \"\(name.shortened(to: 60))\""
        + (hint ?? "; expected one like social.CreateLike or social"))
  }

  // MARK: Effects

  private func step(_ text: String, isAlone: Bool) throws(FaultRuleError) -> FaultStep {
    var (text, times) = (text, isAlone ? nil : 1)
    // One of them ends with an x.
    if FrameFault.named[text] == nil, let mark = text.lastIndex(of: "x"),
      case let digits = text[text.index(after: mark)...],
      digits.isEmpty || digits.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    {
      guard let count = number(digits, FaultKind.times) else {
        throw error(
          "invalid count \"x\(digits)\"; expected x\(FaultKind.times.lowerBound) to x\(FaultKind.times.upperBound)")
      }
      (text, times) = (text[..<mark].trimmed, count)
    }
    return FaultStep(effect: try effect(text), times: times)
  }

  private func effect(_ text: String) throws(FaultRuleError) -> FaultEffect {
    let words = text.split { $0 == " " || $0 == "=" }.map(String.init)
    switch words.first {
    case "drop" where words.count == 1: return .drop
    case "drop" where words == ["drop", "after"]: return .dropAfter
    case "hang" where words.count == 1: return .hang
    case "corrupt" where words.count == 1: return .corrupt
    case "cut" where words.count == 2: return .cut(try bytes(words[1], of: "cut"))
    case "duplicate" where words.count == 1: return .duplicate
    case "new" where words == ["new", "epoch"]: return .newEpoch
    case "half-open" where words.count == 2: return .halfOpen(try bytes(words[1], of: "half-open"))
    case "stall" where words.count == 2: return .stall(seconds: try stall(words[1]))
    case "reset" where words.count == 2: return .frames(.reset(try resetCode(words[1])))
    case _? where FrameFault.named[words.joined(separator: " ")] != nil:
      return FrameFault.named[words.joined(separator: " ")].map { .frames($0) } ?? .pass
    case "latency" where words.count == 2: return .latency(try latency(words[1]))
    case "bandwidth" where words.count > 1: return .bandwidth(try bandwidth(text, words.dropFirst()))
    case "throttle" where words.count == 2: return .throttle(try throttle(words[1]))
    case let first? where first.utf8.allSatisfy(\.isASCIIDigit): return try status(first, words.dropFirst())
    default:
      let examples = FaultKind.all.map(\.example).joined(separator: ", ")
      throw error(
        "invalid fault \"\(text.shortened(to: 60))\"; expected one like \(examples), in a rule such as social.CreateLike=503x2"
      )
    }
  }

  private func status(_ text: String, _ more: ArraySlice<String>) throws(FaultRuleError) -> FaultEffect {
    guard let status = number(text[...], FaultKind.statuses) else {
      throw error(
        "invalid status \"\(text.shortened(to: 20))\"; "
          + "expected \(FaultKind.statuses.lowerBound) to \(FaultKind.statuses.upperBound)"
      )
    }
    if more.isEmpty { return status < 300 ? .pass : .status(status, retryAfter: nil) }
    guard more.count == 2, more.first == "retry-after", let last = more.last,
      let seconds = number(last[...], FaultKind.retryAfterSeconds), FaultKind.failingStatuses.contains(status)
    else {
      throw error(
        "unexpected \"\(more.joined(separator: " ").shortened(to: 60))\" after the status; "
          + "expected \"retry-after 3\", in seconds up to \(FaultKind.retryAfterSeconds.upperBound)"
      )
    }
    return .status(status, retryAfter: seconds)
  }

  private func latency(_ text: String) throws(FaultRuleError) -> FaultLatency {
    let marks: [(String, FaultLatency.Shape)] = [("±", .even), ("+-", .even), ("~", .normal)]
    let mark = marks.first { text.contains($0.0) }
    let parts =
      mark.flatMap { mark in text.firstRange(of: mark.0) }
      .map { [text[..<$0.lowerBound], text[$0.upperBound...]] } ?? [text[...]]
    let unit = parts[0].hasSuffix("ms") ? "ms" : "s"
    guard let base = milliseconds(parts[0], unit: nil), parts.count == 1 || milliseconds(parts[1], unit: unit) != nil
    else {
      throw error("invalid latency \"\(text.shortened(to: 40))\"; expected one like 50ms, 1.5s, 50ms±20 or 50ms~20")
    }
    let spread = parts.count == 1 ? 0 : milliseconds(parts[1], unit: unit) ?? 0
    guard max(base, spread) <= FaultLatency.maximumMilliseconds else {
      throw error("the latency must be at most 10s; for a call without a response, use hang")
    }
    return FaultLatency(milliseconds: base, spread: spread, shape: mark?.1 ?? .even)
  }

  private func bytes(_ text: String, of fault: String) throws(FaultRuleError) -> Int {
    guard let count = number(text[...], FaultKind.cutCounts) else {
      throw error("invalid number of bytes \"\(text.shortened(to: 40))\"; expected one like \(fault) 1000")
    }
    return count
  }

  private func resetCode(_ text: String) throws(FaultRuleError) -> FrameFault.ResetCode {
    if let code = FrameFault.ResetCode(rawValue: text.lowercased()) { return code }
    let codes = FrameFault.ResetCode.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("unknown error code \"\(text.shortened(to: 40))\"; expected one of \(codes)")
  }

  private func stall(_ text: String) throws(FaultRuleError) -> Int {
    guard text.hasSuffix("s"), let seconds = number(text.dropLast(), FaultKind.stallSeconds) else {
      let limit = FaultKind.stallSeconds.upperBound
      throw error("invalid duration \"\(text.shortened(to: 40))\"; expected one like stall 40s, at most \(limit)s")
    }
    return seconds
  }

  private func bandwidth(_ text: String, _ words: ArraySlice<String>) throws(FaultRuleError) -> FaultBandwidth {
    if let bandwidth = FaultBandwidth(words) { return bandwidth }
    throw error(
      "invalid bandwidth \"\(text.shortened(to: 60))\"; expected one like bandwidth 20kB/s, bandwidth down 1.5Mbit/s, or "
        + "bandwidth up shared 1MiB/s, from 1B/s to 1GB/s")
  }

  private func throttle(_ text: String) throws(FaultRuleError) -> FaultThrottle {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = number(parts[0], FaultKind.throttleCounts),
      let seconds = FaultKind.throttleUnits[String(parts[1])]
    else {
      throw error("invalid rate \"\(text.shortened(to: 40))\"; expected one like 10/s, 100/m or 1000/h")
    }
    return FaultThrottle(count: count, seconds: seconds)
  }

  // MARK: Numbers

  private func probability(_ text: Substring) throws(FaultRuleError) -> Double {
    let isPercent = text.trimmed.hasSuffix("%")
    let number = decimal(isPercent ? text.trimmed.dropLast().trimmed[...] : text.trimmed[...])
    guard let number, case let value = isPercent ? number / 100 : number, value <= 1 else {
      throw error("invalid probability \"@\(text.prefix(20))\"; expected @0 to @1, for example @0.1 or @10%")
    }
    return value
  }

  private func milliseconds(_ text: Substring, unit: String?) -> Double? {
    if text.hasSuffix("ms") { return decimal(text.dropLast(2)) }
    if text.hasSuffix("s") { return decimal(text.dropLast()).map { $0 * 1000 } }
    return unit.flatMap { unit in decimal(text).map { unit == "ms" ? $0 : $0 * 1000 } }
  }

  private func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.count <= 9, text.utf8.allSatisfy(\.isASCIIDigit), let value = Int(text) else { return nil }
    return range.contains(value) ? value : nil
  }

  /// Parses digits with at most one point. Double would also accept signs, exponents, and `nan`.
  private func decimal(_ text: Substring) -> Double? {
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
    else {
      return nil
    }
    return Double(text)
  }

  private func error(_ problem: String) -> FaultRuleError { FaultRuleError(rule, problem) }
}
