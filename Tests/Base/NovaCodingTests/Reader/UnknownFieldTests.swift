import Testing

@testable import NovaCoding

/// Undeclared fields: skipped in what servers send, refused in what a person writes.
@Suite struct UnknownFieldTests {
  @Test(arguments: [
    (#"{"nme": 1}"#, "nme", "nme", 1), (#"{"children": [{}, {"nme": 1}]}"#, "children[1].nme", "nme", 19),
    (#"{"children":[{"children":[{"x":{}}]}]}"#, "children[0].children[0].x", "x", 27),
    ("{\"\\u006eo pe\": 1}", #"["no pe"]"#, "no pe", 1),
  ])
  func isRefusedWithItsPath(json: String, path: String, name: String, offset: Int) throws {
    let error = try #require(throws: ProtoJSONError.self) { try Node(refusingUnknownFieldsIn: Array(json.utf8)) }
    #expect(error.path == path)
    #expect(error.unknownField?.name == name)
    #expect(error.unknownField?.message.name == Node.descriptor.name)
    #expect(error.offset == offset)
    #expect((try? Node(jsonUTF8: Array(json.utf8))) != nil)
  }

  @Test(arguments: ["{}", #"{"children": [{}], "children": []}"#, "{", "[]", "{} x"])
  func allElseIsReadAsUsual(_ json: String) {
    func outcome(_ read: () throws -> Node) -> String { Result { try read() }.map { "\($0)" }.description }
    #expect(
      outcome { try Node(jsonUTF8: Array(json.utf8)) }
        == outcome { try Node(refusingUnknownFieldsIn: Array(json.utf8)) }
    )
  }
}

extension Result {
  fileprivate var description: String {
    switch self {
    case .success(let value): "\(value)";
    case .failure(let error): "\(error)"
    }
  }
}
