package import NovaCore

/// A difference between two versions of a contract, as JSON clients see it.
package struct ContractChange: Sendable, Hashable {
  /// What a change does to clients of the old version.
  package enum Grade: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Clients fail, or misunderstand what they get.
    case breaking
    /// Clients can fail, depending on how they are written.
    case dangerous
    /// Clients don't notice it.
    case compatible

    package static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What has changed.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case removedRPC, addedRPC, renamedRPC, method, path, authentication, stream, contentType, successStatus, errors
    case removedField, addedField, renamedField, movedField, fieldNumber
    case required, optional, nullable, type, addedValue, removedValue, tightened, loosened, pattern, standard
  }

  package let grade: Grade
  package let kind: Kind
  /// What has changed: `Post.privacy`, or the RPC.
  package let place: String
  /// The old version; nil for something new.
  package let before: String?
  /// The new version; nil for something removed.
  package let after: String?
  /// What the change means to clients of the old version.
  package let meaning: String
  /// The RPCs that it concerns, in the old contract's order.
  package internal(set) var rpcs: [String]
}

/// The changes between two contracts, the most severe first.
package struct ContractDiff: Sendable {
  package let changes: [ContractChange]

  package init(from old: DescribedContract, to new: DescribedContract) {
    var comparison = OperationComparison(old: old, new: new)
    comparison.compare()
    changes = comparison.changes.all
  }

  /// Counts the changes of a grade.
  package func count(_ grade: ContractChange.Grade) -> Int { changes.count { $0.grade == grade } }

  /// `2 breaking, 1 dangerous, and 3 compatible changes`
  package var summary: String {
    if changes.isEmpty { return "no changes" }
    let counts = ContractChange.Grade.allCases.map { "\(count($0)) \($0)" }
    return "\(counts[0]), \(counts[1]), and \(counts[2]) changes"
  }

  /// The changes as JSON: `counts` and `changes`, in a fixed order.
  package var json: JSONValue {
    [
      "breaking": .bool(count(.breaking) > 0),
      "counts": .object(ContractChange.Grade.allCases.map { .init(name: $0.rawValue, value: .number(count($0))) }),
      "changes": .array(changes.map(\.json)),
    ]
  }
}

extension ContractChange {
  fileprivate var json: JSONValue {
    [
      "grade": .string(grade.rawValue), "kind": .string(kind.rawValue), "place": .string(place),
      "before": before.map { .string($0) }, "after": after.map { .string($0) }, "meaning": .string(meaning),
      "rpcs": .strings(rpcs),
    ]
  }
}

/// Collects changes: one in a message that several RPCs have is one change.
struct ContractChanges {
  private var found: [ContractChange] = []
  private var indices: [[String?]: Int] = [:]

  mutating func add(
    _ grade: ContractChange.Grade, _ kind: ContractChange.Kind, at place: String, from before: String? = nil,
    to after: String? = nil, meaning: String, rpc: String
  ) {
    let key = [kind.rawValue, place, before, after]
    guard let index = indices[key] else {
      indices[key] = found.count
      found.append(
        ContractChange(
          grade: grade, kind: kind, place: place, before: before, after: after, meaning: meaning, rpcs: [rpc]))
      return
    }
    var rpcs = found[index].rpcs
    if !rpcs.contains(rpc) { rpcs.append(rpc) }
    // Requests and responses can have the same message; the worse of the two counts.
    if grade < found[index].grade {
      found[index] = ContractChange(
        grade: grade, kind: kind, place: place, before: before, after: after, meaning: meaning, rpcs: rpcs)
    } else {
      found[index].rpcs = rpcs
    }
  }

  /// The most severe first; changes of one grade in the contract's order.
  var all: [ContractChange] {
    found.enumerated().sorted { ($0.element.grade, $0.offset) < ($1.element.grade, $1.offset) }.map(\.element)
  }
}
