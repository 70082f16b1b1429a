import Foundation
import NovaCoding
import Testing

/// Nested types, oneofs, recursion, and many fields.
@Suite struct ShapeTests {
  @Test func aOneofHasOneValue() throws {
    var order = Order(payment: .cardToken("tok"))
    #expect(order.cardToken == "tok" && order.cashAmount == nil)
    order.cashAmount = 0
    #expect(order.payment == .cashAmount(0) && order.cardToken == nil)
    // Changes nothing if another field has the value.
    order.cardToken = nil
    #expect(order.payment == .cashAmount(0))
    #expect(try order.json(.request) == #"{"cash_amount":0}"#)
    order.cashAmount = nil
    #expect(order == Order())
  }

  @Test(arguments: [
    (#"{"card_token":""}"#, Order.Payment.cardToken("")), (#"{"cashAmount":"7"}"#, .cashAmount(7)),
    (#"{"cardToken":null,"cash_amount":7}"#, .cashAmount(7)), (#"{"card_token":null}"#, nil),
    (#"{"payment_status":"STATUS_OPEN"}"#, .paymentStatus(.open)),
    (#"{"voucher":{"sku":"a"}}"#, .voucher(Order.Line(sku: "a"))),
  ])
  func oneofsAreRead(_ json: String, _ payment: Order.Payment?) throws {
    #expect(accepted(Order.self, json)?.payment == payment)
    #expect(try JSONDecoder().decode(Order.self, from: Data(json.utf8)).payment == payment)
  }

  @Test func twoFieldsOfAOneofAreAnError() {
    let json = #"{"card_token":"a","cash_amount":1}"#
    #expect(
      outcome(Order.self, json)
        == "error: cash_amount: expected only one field of the oneof payment, found another (line 1, column 33)")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Order.self, from: Data(json.utf8)) }
    // The oneofs of a nested message, and of the next one in a list, are separate.
    #expect(accepted(Choice.self, #"{"a":"x","string_value":"y"}"#)?.stringValue == "y")
    #expect(accepted(Tree.self, #"{"tree":{"tree":{}},"left":{"forest":{}}}"#) != nil)
    #expect(accepted(Forest.self, #"{"others":[{"tree":{}},{"tree":{}}]}"#)?.others.count == 2)
    #expect(accepted(Tree.self, #"{"tree":{},"left":{},"forest":{}}"#) == nil)
  }

  @Test func nestedTypesAreThoseOfTheirScope() {
    let order = accepted(
      Order.self,
      #"{"type":"TYPE_DEFAULT","lines":[{"leaf":{"note":"n"},"leaves":[{"weight":3}]}],"text":{"value":"v"}}"#)
    #expect(order?.type == .default)
    #expect(order?.lines == [Order.Line(leaf: Order.Line.Leaf(note: "n"), leaves: [Leaf(weight: 3)])])
    #expect(order?.text == Order.StringMessage(value: "v"))
    #expect(Order.Line.Leaf.descriptor.name == "nova.testing.v1.Order.Line.Leaf")
  }

  @Test func messagesHoldThemselves() throws {
    var tree = Tree(name: "a", left: Tree(name: "b"), parent: .tree(Tree(name: "c")))
    tree.left?.right = Tree(name: "d")
    tree.around = Forest(first: tree)
    let copy = tree
    tree.left?.right?.name = "e"
    #expect(copy.left?.right?.name == "d" && tree.left?.right?.name == "e")
    #expect(try Tree(jsonUTF8: tree.jsonUTF8()) == tree)
    #expect(copy != tree && Set([copy, tree, tree]).count == 2)
  }

  @Test func recursionHasALimit() {
    let deep = String(repeating: #"{"left":"#, count: 100_000)
    #expect(outcome(Tree.self, deep).contains("expected at most 100 nested objects and lists"))
  }

  @Test func fieldsAfterThe64thAreReadOnce() throws {
    var wide = Wide()
    (wide.f1, wide.f64, wide.f65, wide.f128, wide.f129, wide.f130) = (1, "b", 2, "d", 5, true)
    wide.wide = Wide(f130: true)
    let json = try wide.json(.request)
    #expect(try Wide(jsonUTF8: Array(json.utf8)) == wide)
    for name in ["f1", "f64", "f65", "f129", "f130"] {
      let twice = outcome(Wide.self, #"{"\#(name)":null,"\#(name)":null}"#)
      #expect(twice.hasPrefix("error: \(name): expected the field only once"), "\(twice)")
    }
    #expect(accepted(Wide.self, #"{"f65":1,"wide":{"f65":2,"f1":3},"f1":4}"#)?.wide?.f65 == 2)
  }
}
