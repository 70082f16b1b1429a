import NovaCore

/// What JSON clients see of a contract: operations with their requests, responses, and errors. Read from `.proto` files or
/// from an OpenAPI document, so that two versions can be compared.
package struct DescribedContract: Sendable {
  /// An RPC, or a method of a path.
  struct Operation: Sendable {
    /// `graph.GetFollowers`, an `operationId`, or `GET /pets`.
    let id: String
    /// Whether the ID is the document's own name for it.
    var isNamed = true
    let method: String
    let path: String
    /// The request: its fields are in the path, the query, headers, or the body.
    var request: ObjectShape.Name
    /// What the body of the request is, where it is not the request's fields; nil otherwise.
    var body: ValueShape?
    var requiresBody = false
    /// The media types of the request, the compared one first; empty where JSON is meant.
    var requestTypes: [String] = []
    /// The media types of the response, as those of the request.
    var responseTypes: [String] = []
    /// The response's value; nil without a body.
    var response: ValueShape?
    var successStatuses: Set<String> = []
    /// The statuses of failures, with the codes of gRPC where they are known: `404 NOT_FOUND`.
    var errors: Set<String> = []
    var requiresToken = true
    /// Whether the response is a stream of events.
    var isStream = false
  }

  var operations: [Operation] = []
  var objects: [ObjectShape.Name: ObjectShape] = [:]
}

/// An object with its fields.
struct ObjectShape: Sendable {
  /// The key in ``DescribedContract/objects``.
  typealias Name = String

  /// The name for people: `Post`, or the place of an object without a name.
  let title: String
  var fields: [FieldShape] = []
  /// Whether names outside of the fields are refused.
  var isClosed = false
}

/// A field of an object, or a parameter.
struct FieldShape: Sendable {
  /// Where a field of a request is.
  enum Place: String, Sendable { case path, query, header, cookie, body }

  /// The name in JSON.
  let name: String
  /// The number in protobuf's binary format; nil in OpenAPI.
  var number: Int?
  var place = Place.body
  /// Whether requests without the field are refused, and responses always have it.
  var isRequired = false
  var value: ValueShape
}

/// A value: its type, and the values that it can have.
struct ValueShape: Sendable {
  indirect enum Form: Sendable {
    /// Anything.
    case any
    /// `boolean`, `integer`, `number`, or `string`, with the format: `int64`, `date-time`.
    case scalar(String, format: String?)
    case object(ObjectShape.Name)
    case list(ValueShape)
    case map(ValueShape)
    /// One of several.
    case union([ValueShape])
  }

  var form: Form
  var isNullable = false
  /// The known values of a text; nil if any text is allowed.
  var values: [String]?
  /// The least of something, and the greatest: `minLength` and `maxLength`.
  var limits: [Limit: Double] = [:]
  var pattern: String?
  /// What an absent value means.
  var standard: String?

  init(_ form: Form) { self.form = form }

  static func scalar(_ type: String, format: String? = nil) -> ValueShape { ValueShape(.scalar(type, format: format)) }
}

/// A limit of a value.
enum Limit: String, Sendable, CaseIterable {
  case minLength, maxLength, minimum, maximum, minItems, maxItems
  /// The greatest number of items on a page. A greater one is lowered to it.
  case pageSize

  var isUpper: Bool { [.maxLength, .maximum, .maxItems, .pageSize].contains(self) }

  /// `at least 3 characters`
  func description(_ value: Double) -> String {
    // A limit that is not part of the range is stored as the next number.
    let next = isUpper ? value.nextUp : value.nextDown
    let isOpen = value != value.rounded() && (next == next.rounded() || "\(next)".count + 5 < "\(value)".count)
    let limit = isOpen ? next : value
    let number = limit == limit.rounded() && abs(limit) < 1e15 ? String(Int(limit)) : String(limit)
    return switch self {
    case .minLength: "at least \(number) characters"
    case .maxLength: "at most \(number) characters"
    case .minimum: isOpen ? "more than \(number)" : "\(number) or more"
    case .maximum: isOpen ? "less than \(number)" : "\(number) or less"
    case .minItems: "at least \(number) items"
    case .maxItems: "at most \(number) items"
    case .pageSize: "pages of at most \(number) items"
    }
  }
}

extension ValueShape {
  /// `string`, `list of Post`, `integer (int64)`.
  func description(in contract: DescribedContract) -> String {
    let text =
      switch form {
      case .any: "any value"
      case .scalar(let type, let format): type + (format.map { " (\($0))" } ?? "")
      case .object(let name): contract.objects[name]?.title ?? "object"
      case .list(let item): "list of \(item.description(in: contract))"
      case .map(let value): "map of \(value.description(in: contract))"
      case .union(let options): "one of " + options.map { $0.description(in: contract) }.joined(separator: ", ")
      }
    return isNullable ? "\(text) or null" : text
  }
}

/// Why a contract cannot be read.
package struct DescriptionError: Error, Hashable, CustomStringConvertible {
  /// The file and the line: `graph.proto:12`; empty for the whole.
  package let place: String
  package let problem: String

  package var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}
