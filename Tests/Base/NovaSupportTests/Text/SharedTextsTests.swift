import NovaSupport
import Testing

@Suite("Texts in order, in parts and in sets")
struct SharedTextsTests {
  @Test("the parts between the places of a character, with and without empty ones")
  func parts() {
    let cases: [(String, [String], [String])] = [
      ("", [""], []), (",", ["", ""], []), ("a", ["a"], ["a"]), ("a,b", ["a", "b"], ["a", "b"]),
      (",a,,b,", ["", "a", "", "b", ""], ["a", "b"]), ("é,\u{301}", ["é", "\u{301}"], ["é", "\u{301}"]),
    ]
    for (text, all, filled) in cases {
      #expect(text.parts(between: ",", keepsEmpty: true) == all)
      #expect(text.parts(between: ",", keepsEmpty: false) == filled)
    }
  }

  @Test("sorting and sets are the standard library's")
  func order() {
    let texts = ["b", "", "a", "é", "B", "b"]
    #expect(texts.inOrder() == texts.sorted())
    #expect(texts.inOrder { $0.utf8.count > $1.utf8.count } == ["é", "b", "a", "B", "b", ""])
    var set = Set(of: texts)
    #expect(set == Set(texts))
    let isNew = ["a", "c", "c"].map { set.add($0) }
    #expect(isNew == [false, true, false])
  }

  @Test("a beginning is one of bytes, not of characters")
  func beginnings() {
    let cases = [
      ("", "", true), ("a", "", true), ("", "a", false), ("abc", "ab", true), ("ab", "ab", true), ("ab", "abc", false),
      ("ab", "b", false), ("/\u{301}", "/", true), ("é", "e\u{301}", false),
    ]
    for (text, beginning, begins) in cases {
      #expect(text.begins(withBytesOf: beginning) == begins, "\(text) and \(beginning)")
    }
  }

  @Test("the first place of one of several characters")
  func place() {
    let bytes = "ab/c?d".utf8Bytes
    #expect(bytes.place(of: ASCIISet("/?"), from: 0, to: 6) == 2)
    #expect(bytes.place(of: ASCIISet("/?"), from: 3, to: 6) == 4)
    #expect(bytes.place(of: ASCIISet("/?"), from: 5, to: 6) == 6)
    #expect(bytes.place(of: ASCIISet("/"), from: 0, to: 2) == 2)
  }

  @Test(
    "integers with a sign are read as the standard library reads them",
    arguments: [
      "0", "7", "-7", "+7", "007", "", "-", "+", "+-1", "1.0", "1e3", " 1", "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "99999999999999999999", "٣",
    ])
  func decimal(_ text: String) { #expect(Int64(decimal: text) == Int64(text)) }

  @Test("numbers are padded with zeros, and never cut")
  func padding() {
    #expect([0, 7, 42, 123].map { $0.padded(to: 2) } == ["00", "07", "42", "123"])
    #expect(CivilDate.text(year: 33, month: 4, day: 3) == "0033-04-03")
    #expect(CivilDate.clock(86_399) == "23:59:59")
  }
}
