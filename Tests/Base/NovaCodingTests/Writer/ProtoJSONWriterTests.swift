import NovaCoding
import Testing

@Suite struct ProtoJSONWriterTests {
  @Test func responsesHaveDefaultsAndRequestsDoNot() throws {
    #expect(try Node().json() == #"{"id":"","display_name":"","secret_token":"","children":[]}"#)
    #expect(try Node().json(.request) == "{}")
    #expect(try Optionals().json() == "{}")
    #expect(try Nothing().json() == "{}")
    #expect(
      try Optionals(doubleValue: 0, int32Value: 0, boolValue: false, stringValue: "", bytesValue: [], color: Color())
        .json(.request)
        == #"{"double_value":0,"int32_value":0,"bool_value":false,"string_value":"","bytes_value":"","#
        + #""color":"COLOR_UNSPECIFIED"}"#)
    #expect(try Node(leaf: Leaf()).json(.request) == #"{"leaf":{}}"#)
    #expect(try Node(leaf: Leaf()).json(.response).hasSuffix(#""leaf":{"weight":0}}"#))
  }

  @Test func namesStandInTheStyleThatWasAskedFor() throws {
    let node = Node(displayName: "a", children: [Node(displayName: "b")])
    let camel = ProtoJSONOptions(names: .lowerCamelCase, includesDefaults: false)
    #expect(try node.json(.request) == #"{"display_name":"a","children":[{"display_name":"b"}]}"#)
    #expect(try node.json(camel) == #"{"displayName":"a","children":[{"displayName":"b"}]}"#)
  }

  @Test func only64BitIntegersBecomeStrings() throws {
    let options = ProtoJSONOptions(includesDefaults: false, writesInt64AsString: true)
    let message = Scalars(
      doubleValue: 1, int32Value: 2, int64Value: -3, uint32Value: 4, uint64Value: .max, sint64Value: 5, fixed64Value: 6,
      createdAt: 7)
    #expect(
      try message.json(options)
        == #"{"double_value":1,"int32_value":2,"int64_value":"-3","uint32_value":4,"uint64_value":"18446744073709551615","#
        + #""sint64_value":"5","fixed64_value":"6","created_at":"7"}"#)
    #expect(try Maps(byUint32: [1: 2]).json(options) == #"{"by_uint32":{"1":"2"}}"#)
    #expect(try Repeated(uint64Values: [1, 2]).json(options) == #"{"uint64_values":["1","2"]}"#)
  }

  @Test(arguments: [
    (Repeated(int32Values: [0, 2_147_483_648]), "int32_values[1]"),
    (Repeated(times: [Timestamp(seconds: .max)]), "times[0]"),
    (Repeated(nodes: [Node(), Node(leaf: Leaf(weight: .max))]), "nodes[1].leaf.weight"),
    (
      Repeated(nodes: [Node(children: [Node(), Node(children: [Node(leaf: Leaf(weight: .min))])])]),
      "nodes[0].children[1].children[0].leaf.weight"
    ),
    // Reports the first of several problems.
    (Repeated(int32Values: [.max, .min], nodes: [Node(leaf: Leaf(weight: .min))]), "int32_values[0]"),
    (Repeated(nodes: [Node(leaf: Leaf(weight: .max)), Node(leaf: Leaf(weight: .min))]), "nodes[0].leaf.weight"),
  ])
  func anErrorSaysWhereTheValueIs(_ message: Repeated, _ path: String) throws {
    for options in ProtoJSONOptions.all {
      let error = try #require(throws: ProtoJSONError.self) { try message.jsonUTF8(options) }
      #expect(error.path == path)
    }
  }

  @Test func anErrorSaysWhichEntryOfAMap() throws {
    let message = Maps(nodes: ["a": Node(), "b\"": Node(children: [Node(leaf: Leaf(weight: .max))])])
    let error = try #require(throws: ProtoJSONError.self) { try message.jsonUTF8() }
    #expect(error.path == #"nodes["b\""].children[0].leaf.weight"#)
    #expect(error.expected == "an integer from -2147483648 to 2147483647")
    #expect(error.found == "9223372036854775807")
  }

  @Test func anErrorInAMessageSaysTheField() throws {
    let error = try #require(throws: ProtoJSONError.self) { try Scalars(fixed32Value: -1).jsonUTF8() }
    #expect(error.path == "fixed32_value")
    #expect(error.expected == "an integer from 0 to 4294967295")
    #expect(error.found == "-1")
  }
}
