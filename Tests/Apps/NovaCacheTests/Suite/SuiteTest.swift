import Foundation

/// A test of the public suite for HTTP caches, as written by Tools/cache-suite.mjs.
struct SuiteTest: Decodable, Sendable {
  let id: String
  /// `required`, `optimal`, or `check`, which is a question without a right answer.
  let kind: String
  /// Whether it belongs to the suite's selection for client caches.
  let isForClients: Bool
  let leftOut: String?
  let steps: [Step]

  /// One request, the server's response to it, and what is expected of both.
  struct Step: Decodable, Sendable {
    var method: String?
    var file: String?
    var query: String?
    var request: [Field]?
    var status: Int?
    var response: [Field]?
    var content: String?
    /// Seconds before the server responds.
    var delay: Int?
    /// Whether three seconds pass after the step.
    var pause: Bool?
    var disconnect: Bool?
    var magicLocations: Bool?
    var magicDates: Bool?
    var rfc850: [String]?
    var expectedType: String?
    var expectedStatus: Int?
    var anyStatus: Bool?
    var expectedText: String?
    var ignoresBody: Bool?
    var expectedResponse: [Field]?
    var missingResponse: [Field]?
    var expectedRequest: [Field]?
    var missingRequest: [Field]?
    var expectedMethod: String?
  }

  /// A field with a value, with an operator and a value, or alone.
  struct Field: Decodable, Sendable {
    enum Value: Sendable { case text(String), seconds(Int) }

    let name: String
    let value: Value?
    /// The third element: whether the cached response must have it, or the operand of an operator.
    let isChecked: Bool
    let operand: Value?

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        (self.name, value, isChecked, operand) = (name, nil, true, nil)
        return
      }
      var container = try decoder.unkeyedContainer()
      name = try container.decode(String.self)
      value = try Self.value(&container)
      if let isChecked = try? container.decodeIfPresent(Bool.self) {
        (self.isChecked, operand) = (isChecked, nil)
      } else {
        isChecked = true
        operand = container.isAtEnd ? nil : try Self.value(&container)
      }
    }

    private static func value(_ container: inout any UnkeyedDecodingContainer) throws -> Value {
      if let seconds = try? container.decode(Int.self) { return .seconds(seconds) }
      return .text(try container.decode(String.self))
    }
  }

  static func all() throws -> [SuiteTest] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tests.json")
    return try JSONDecoder().decode([SuiteTest].self, from: try Data(contentsOf: file))
  }
}
