/// A difference between an answer and the contract.
public struct ContractDifference: Sendable, Hashable {
  /// The severity of a difference for programs that use the SDK; the most severe first.
  public enum Grade: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The SDK cannot read it, or misunderstands it.
    case breaking
    /// The SDK reads it correctly, although the contract defines another form.
    case tolerated
    /// The contract does not define it, and the SDK ignores it.
    case additive

    public static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The kind of a difference.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// There was no complete answer.
    case noAnswer
    /// The HTTP status, or the gRPC code in the body, is not the expected one.
    case status
    /// A request that the contract refuses was accepted.
    case accepted
    /// The body of a failure has none of the contract's three shapes.
    case errorShape
    /// The content type is not JSON.
    case contentType
    /// The body is not JSON.
    case notJSON
    /// The contract does not define the field.
    case unknownField
    /// A field is absent.
    case missing
    /// A field is absent, and an unknown one with a similar name is present.
    case renamed
    /// A value has another type.
    case wrongType
    /// A value does not fit its type, or is implausible.
    case outOfRange
    /// A name is in the other style: lowerCamelCase instead of snake_case, or vice versa.
    case nameStyle
    /// A field has its alias as its name.
    case alias
    /// A 64-bit integer is a string instead of a number, or vice versa.
    case int64Form
    /// A number is in another form: a whole one with a fraction or an exponent, or one in quotes.
    case numberForm
    /// A time is in another form.
    case timestampForm
    /// An enum's value is a number.
    case enumForm
    /// A field is present twice.
    case repeatedField
    /// `null` instead of a value.
    case nullValue
    /// Values that contradict each other.
    case inconsistent
    /// A created or changed record differs from what was sent.
    case lost
    /// A caller gets something that only others may see.
    case leak
  }

  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// The name of the first request whose answer has it: `limit 2, offset 1`.
  public let request: String
  /// The names of all requests whose answers have it.
  public internal(set) var requests: [String]
  /// The place in the answer: `profiles[].created_at`. Empty for the answer as a whole.
  public let path: String
  /// The kind of a difference.
  public let kind: Kind
  /// The severity for programs that use the SDK.
  public let grade: Grade
  /// What the contract requires.
  public let expected: String
  /// What the answer contains. Values of secret fields are never shown.
  public internal(set) var found: String
  /// Who gets what; nil for other differences than leaks of the probes.
  var leak: LeakSentence?
  /// The number of places where it was found.
  public internal(set) var count: Int
  /// The first request and its response; nil if they are unknown.
  public internal(set) var evidence: ContractEvidence?
  /// Why the difference is accepted, as the baseline has it: empty without a reason; nil if it is new.
  public internal(set) var acceptedReason: String?
  /// Whether a baseline contains the difference.
  public var isKnown: Bool { acceptedReason != nil }
}

extension ContractDifference {
  /// `limit 1: profiles[].created_at: expected Unix seconds, found string "…" (3 times)`
  var sentence: String {
    let place = path.isEmpty ? "" : "\(path): "
    let times = count > 1 ? " (\(count) times)" : ""
    // It contains what the contract requires.
    if kind == .leak { return "\(request): \(found)\(times)" }
    return "\(request): \(place)expected \(expected), found \(found)\(times)"
  }

  /// ` (known: until v2)`; empty for a new difference.
  var knownSuffix: String { acceptedReason.map { $0.isEmpty ? " (known)" : " (known: \($0))" } ?? "" }
}

/// A leak in words, with everyone who gets it: one fault of a gateway is one difference, whoever notices it.
struct LeakSentence: Sendable, Hashable {
  /// `GetPost shows alice's private post`
  let what: String
  /// `to bob, a stranger`
  private(set) var readers: [String]
  /// The right answer: `found:false`.
  let answer: String

  init(_ what: String, to reader: String, answer: String) {
    (self.what, readers, self.answer) = (what, [reader], answer)
  }

  /// Whether both are about the same thing.
  func isSame(as other: LeakSentence) -> Bool { what == other.what && answer == other.answer }

  mutating func add(_ other: LeakSentence) { readers += other.readers.filter { !readers.contains($0) } }

  /// `leak: GetPost shows alice's private post to bob, a stranger, and to carol, a follower; answer found:false`
  var text: String { "leak: \(what) \(readers.joined(separator: ", and ")); answer \(answer)" }
}

/// A difference that is not yet assigned to a request.
struct Finding: Hashable {
  var path = ""
  let kind: ContractDifference.Kind
  let grade: ContractDifference.Grade
  let expected: String
  let found: String
  var count = 1
  /// Who gets what, of a probe's leak.
  var leak: LeakSentence?

  init(
    _ kind: ContractDifference.Kind, _ grade: ContractDifference.Grade, at path: String = "", expected: String,
    found: String
  ) {
    (self.kind, self.grade, self.path, self.expected, self.found) = (kind, grade, path, expected, found)
  }
}

extension [Finding] {
  /// Adds a finding, by default a breaking one.
  mutating func add(
    _ kind: ContractDifference.Kind, _ grade: ContractDifference.Grade = .breaking, at path: String = "",
    expected: String, found: String
  ) {
    add(Finding(kind, grade, at: path, expected: expected, found: found))
  }

  /// Adds a finding; the same kind in the same place of another element is counted.
  mutating func add(_ finding: Finding) {
    if let known = firstIndex(where: {
      $0.path == finding.path && $0.kind == finding.kind && $0.grade == finding.grade
    }) {
      self[known].count += 1
    } else {
      append(finding)
    }
  }
}
