/// Where an answer is not what the contract says.
public struct ContractDifference: Sendable, Hashable {
  /// What a difference means to programs that use the SDK; the worst first.
  public enum Grade: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The SDK cannot read it, or takes it for something else.
    case breaking
    /// The SDK reads it as it was meant, though the contract has another form.
    case tolerated
    /// More than the contract knows; the SDK leaves it out.
    case additive

    public static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What kind of difference it is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// There was no complete answer.
    case noAnswer
    /// The HTTP status, or the gRPC code in the body, is not the one that goes with the request.
    case status
    /// A request that the contract refuses was accepted.
    case accepted
    /// A failure's body has none of the contract's three shapes.
    case errorShape
    /// The content type is not JSON's.
    case contentType
    /// The body is not JSON.
    case notJSON
    /// A field that the contract does not know.
    case unknownField
    /// A field is not there.
    case missing
    /// A field is not there, and one that the contract does not know looks like it.
    case renamed
    /// A value has another type.
    case wrongType
    /// A value does not fit its type, or cannot be what it should be.
    case outOfRange
    /// A name is in the other style: lowerCamelCase where the contract says snake_case, or the other way round.
    case nameStyle
    /// A field stands under another name that readers are told of.
    case alias
    /// A 64-bit integer is a string where it should be a number, or the other way round.
    case int64Form
    /// A number is in another form: a whole one with a fraction or an exponent, or one in quotes.
    case numberForm
    /// A time is in another form.
    case timestampForm
    /// An enum's value is a number.
    case enumForm
    /// A field is there twice.
    case repeatedField
    /// `null` where there should be a value.
    case nullValue
    /// Values that contradict each other.
    case inconsistent
    /// A created or changed record differs from what was sent.
    case lost
  }

  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// Which request it was: `limit 2, offset 1`.
  public let request: String
  /// Where in the answer: `profiles[].created_at`. Empty for the answer as a whole.
  public let path: String
  /// What kind of difference it is.
  public let kind: Kind
  /// What it means to programs that use the SDK.
  public let grade: Grade
  /// What the contract says.
  public let expected: String
  /// What was there. Values of secret fields are never shown.
  public let found: String
  /// In how many places of the answer it was found.
  public internal(set) var count: Int
}

/// A difference as it is found, before it is known which request it belongs to.
struct Finding: Hashable {
  var path = ""
  let kind: ContractDifference.Kind
  let grade: ContractDifference.Grade
  let expected: String
  let found: String
  var count = 1

  init(
    _ kind: ContractDifference.Kind, _ grade: ContractDifference.Grade, at path: String = "", expected: String,
    found: String
  ) {
    self.path = path
    self.kind = kind
    self.grade = grade
    self.expected = expected
    self.found = found
  }
}

extension [Finding] {
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
