import ArgumentParser
import NovaContract
import NovaCore

struct ContractDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "List what changed between two versions of a contract, and what breaks JSON clients.",
    usage: "nova contract diff <old> <new> [--fail-on <grade>] [-o <format>]",
    discussion: """
      nova contract diff main/Proto Proto
      nova contract diff openapi-1.4.json openapi-1.5.yaml
      nova openapi | nova contract diff openapi-1.4.json -
      nova contract diff main/Proto Proto --fail-on dangerous -o json

      A version is a directory of .proto files with gateway.yaml, an OpenAPI document of version 3 in JSON or YAML, or - \
      for a document from standard input. Both must be of the same kind.

      Each change has one of three grades: breaking (clients fail, or misunderstand what they get), dangerous (clients \
      can fail, depending on how they are written: a new value of an enum, a new error), compatible (clients don't \
      notice it). A change of a message counts once, however many RPCs have it.

      EXIT CODES:
        0    no changes that fail the comparison
        1    breaking changes; with --fail-on dangerous, also dangerous ones
        64   invalid usage
        65   a version cannot be read
        141  the reader closed the output, as `| head` does
      """)

  @Argument(help: .value("old", "The old version: a directory, an OpenAPI document, or -."), completion: .file())
  var old: String

  @Argument(help: .value("new", "The new version: a directory, an OpenAPI document, or -."), completion: .file())
  var new: String

  @Option(help: .value("grade", "Least severe grade that fails the comparison: breaking or dangerous."))
  var failOn = FailingChange.breaking

  @Option(name: .shortAndLong, help: "Format of the changes.")
  var output = ContractDiffFormat.table

  @OptionGroup var filter: FilterOptions

  func validate() throws {
    if old == "-", new == "-" { throw ValidationError("only one version can be standard input") }
    if filter.isUsed, output != .json {
      throw ValidationError("\(filter.jq == nil ? "--template" : "--jq") reads JSON; add -o json")
    }
  }

  func run() throws {
    let sources = (try ContractSource(old), try ContractSource(new))
    guard sources.0.isProto == sources.1.isProto else {
      throw Failure(
        "cannot compare .proto files with an OpenAPI document",
        hint: "Write the document of each version with `nova openapi`.", .badData)
    }
    let diff = ContractDiff(from: try sources.0.contract(), to: try sources.1.contract())
    if filter.isUsed {
      try filter.write(diff.json)
    } else {
      let output = StandardOutput()
      switch self.output {
      case .json: try output.writeLine(json: PrettyJSON.spread(diff.json))
      case .table:
        let page = ContractDiffPage(diff, output.styles, width: System.terminalWidth(output.descriptor))
        for line in page.lines { try output.writeLine(line) }
      }
      try output.finish()
    }
    let failing = ContractChange.Grade.allCases.filter { $0 <= failOn.grade && diff.count($0) > 0 }
    guard let last = failing.last else { return }
    let counts = failing.map { "\(diff.count($0)) \($0)" }.joined(separator: " and ")
    throw Failure("\(counts) \(diff.count(last) == 1 ? "change" : "changes")", .failed)
  }
}

enum ContractDiffFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// The changes that fail a comparison.
enum FailingChange: String, ExpressibleByArgument, CaseIterable {
  case breaking
  /// Dangerous and breaking ones.
  case dangerous

  var grade: ContractChange.Grade { self == .breaking ? .breaking : .dangerous }
}

/// A version of a contract on the command line.
private struct ContractSource {
  private enum Content {
    case proto([(name: String, text: String)], gateway: String?)
    case openAPI(String, name: String)
  }

  private let content: Content

  init(_ path: String) throws {
    if path != "-", System.isDirectory(path) {
      var files: [(name: String, path: String)] = []
      Self.collect(path, under: "", depth: 0, into: &files)
      guard !files.isEmpty else {
        throw Failure(
          "cannot read \(path.shownPath): it has no .proto files",
          hint: "Name the directory above the packages, such as Proto.", .badData)
      }
      let gateway = path + "/gateway.yaml"
      content = .proto(
        try files.map { ($0.name, try Self.text($0.path)) },
        gateway: System.fileExists(gateway) ? try Self.text(gateway) : nil)
    } else {
      content = .openAPI(try Self.text(path), name: path == "-" ? "standard input" : path.shownPath)
    }
  }

  var isProto: Bool { if case .proto = content { true } else { false } }

  func contract() throws -> DescribedContract {
    switch content {
    case .proto(let files, let gateway):
      do throws(DescriptionError) {
        return try DescribedContract(protoFiles: files, gateway: gateway)
      } catch { throw Failure("invalid contract: \(error)", .badData) }
    case .openAPI(let text, let name):
      let document = try Self.document(text, name)
      do throws(DescriptionError) {
        return try DescribedContract(openAPI: document)
      } catch { throw Failure("invalid OpenAPI document \(name): \(error)", .badData) }
    }
  }

  /// The document, which is YAML if it is not an object in JSON.
  private static func document(_ text: String, _ name: String) throws -> JSONValue {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      do throws(ProtoJSONError) {
        return try JSONValue(jsonUTF8: text.utf8Bytes)
      } catch { throw Failure(error, in: name) }
    }
    do throws(YAMLError) {
      return try YAMLReader.value(of: text)
    } catch { throw Failure("\(name):\(error.line): \(error.problem)", .badData) }
  }

  private static func text(_ path: String) throws -> String {
    let input = try Input.read(path, what: "an OpenAPI document")
    guard let text = InputText.text(of: input.bytes) else {
      throw Failure("cannot read \(input.name ?? "standard input"): not UTF-8", .badData)
    }
    return text
  }

  /// Finds the `.proto` files below a directory, except in hidden directories.
  private static func collect(
    _ directory: String, under prefix: String, depth: Int, into files: inout [(name: String, path: String)]
  ) {
    // Links can lead back up.
    guard depth < 20 else { return }
    for name in SystemIO.fileNames(in: directory) where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      if System.isDirectory(path) {
        collect(path, under: "\(prefix)\(name)/", depth: depth + 1, into: &files)
      } else if name.hasSuffix(".proto") {
        files.append((prefix + name, path))
      }
    }
  }
}
