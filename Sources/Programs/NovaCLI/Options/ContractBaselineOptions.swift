import ArgumentParser
import NovaContract
import NovaCore

/// The file with the known differences of a gateway.
struct ContractBaselineOptions: ParsableArguments {
  @Option(
    help: .value(
      "file",
      "File with known differences, which do not fail the check; - for standard input. Create it with --update-baseline."
    ),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Flag(help: "Write the differences found to the baseline, and keep the reasons in it.")
  var updateBaseline = false

  func validate() throws {
    if updateBaseline, baseline == nil { throw ValidationError("--update-baseline requires --baseline <file>") }
    if baseline?.isEmpty == true || updateBaseline && baseline == "-" {
      throw ValidationError("invalid --baseline: expected the path of a file")
    }
  }

  /// The known differences; nil without a file. A file that is to be written need not exist.
  func read() throws -> ContractBaseline? {
    guard let baseline else { return nil }
    if baseline != "-", !System.fileExists(baseline) {
      if updateBaseline { return ContractBaseline() }
      throw Failure(
        "cannot read the baseline \(baseline): there is no such file", hint: "Create it with --update-baseline.",
        .badData)
    }
    do {
      return try ContractBaseline(jsonUTF8: try Input.read(baseline).bytes)
    } catch let error as ContractBaselineError {
      throw Failure(
        "invalid baseline \(baseline): \(error)",
        hint: "Correct it, or delete it and create it with --update-baseline.",
        .badData)
    }
  }

  /// Marks the known differences in the report, and writes the baseline if that was asked for.
  func finish(_ known: ContractBaseline?, _ report: inout ContractReport) throws {
    guard let known, let path = baseline else { return }
    guard updateBaseline else { return report.apply(known) }
    guard report.stop == nil else {
      report.apply(known)
      return Diagnostics.warning("the baseline is unchanged: the check ended early")
    }
    let updated = known.updated(with: report)
    do throws(SystemError) {
      try System.replaceFile(path, with: updated.jsonUTF8)
    } catch {
      report.apply(known)
      throw Failure("cannot write the baseline \(path): \(error.reason)", .failed)
    }
    report.apply(updated)
    let kept = updated.entries.count { entry in known.entries.contains { $0.matches(entry) } }
    let (added, removed) = (updated.entries.count - kept, known.entries.count - kept)
    Diagnostics.note("baseline \(path): \(updated.entries.count) entries, \(added) added, \(removed) removed")
  }
}
