import NovaContract
import NovaCore

/// The changes of a contract for people. Texts are wrapped, never cut.
struct ContractDiffPage {
  private static let labels = 9
  /// More RPCs than this are counted.
  private static let mostRPCs = 5

  private let diff: ContractDiff
  private let styles: Styles
  /// The width of the terminal; nil for a file or a pipe.
  private let width: Int?

  init(_ diff: ContractDiff, _ styles: Styles, width: Int?) {
    (self.diff, self.styles, self.width) = (diff, styles, width)
  }

  var lines: [String] { diff.changes.flatMap(section) + wrapped(diff.summary).map(styles.heading) }

  private func section(_ change: ContractChange) -> [String] {
    var lines = wrapped("\(change.grade): \(change.place): \(change.kind.words)").map { line in
      switch change.grade {
      case .breaking: styles.error(line)
      case .dangerous: styles.warning(line)
      case .compatible: styles.faint(line)
      }
    }
    if let before = change.before { lines += field("old", before) }
    if let after = change.after { lines += field("new", after) }
    lines += field("meaning", change.meaning)
    if change.rpcs != [change.place] { lines += field("in", rpcs(change.rpcs)) }
    return lines + [""]
  }

  private func rpcs(_ rpcs: [String]) -> String {
    let shown = rpcs.prefix(Self.mostRPCs).joined(separator: ", ")
    return rpcs.count > Self.mostRPCs ? "\(shown), and \(rpcs.count - Self.mostRPCs) more" : shown
  }

  private func field(_ name: String, _ text: String) -> [String] {
    wrapped(text, first: "  \(name.padded(to: Self.labels))", rest: String(repeating: " ", count: Self.labels + 2))
  }

  private func wrapped(_ text: String, first: String = "", rest: String = "  ") -> [String] {
    guard let width else { return [first + text.displayed] }
    let lines = text.displayed.wrapped(to: max(12, width - rest.columns), splittingWords: true)
    return lines.enumerated().map { ($0 == 0 ? first : rest) + $1 }
  }
}

extension ContractChange.Kind {
  fileprivate var words: String {
    switch self {
    case .removedRPC: "removed"
    case .addedRPC: "added"
    case .renamedRPC: "renamed"
    case .method: "another HTTP method"
    case .path: "another path"
    case .authentication: "authentication changed"
    case .stream: "streaming changed"
    case .contentType: "another media type"
    case .successStatus: "another status of success"
    case .errors: "other errors"
    case .removedField: "removed"
    case .addedField: "added"
    case .renamedField: "renamed"
    case .movedField: "moved to another part of the request"
    case .fieldNumber: "another field number"
    case .required: "now required"
    case .optional: "now optional"
    case .nullable: "null changed"
    case .type: "another type"
    case .addedValue: "a new value"
    case .removedValue: "a value removed"
    case .tightened: "a tighter limit"
    case .loosened: "a looser limit"
    case .pattern: "another pattern"
    case .standard: "another default"
    }
  }
}
