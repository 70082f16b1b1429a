import Testing

/// A text for the reader, with the name that a failing test shows.
struct JSONSample: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text with every non-ASCII byte as `<hex>`.
  var testDescription: String { readable(bytes) }
}

/// Bytes in readable form: non-ASCII bytes are shown as `<hex>`.
func readable(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { byte in
    (0x20..<0x7F).contains(byte)
      ? String(UnicodeScalar(byte)) : "<\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))>"
  }.joined()
}

enum JSONSamples {
  /// Texts that are never a JSON value.
  static let malformed: [JSONSample] = malformedTexts.map { JSONSample($0) } + malformedBytes.map { JSONSample($0) }

  private static let malformedTexts = [
    // Nothing, or not a value at all.
    "", " ", ",", ":", "}", "]", "/", "'", "#", "@", "<", "\\", "undefined", "None", "nil", "NaN", "-NaN", "Infinity",
    "-Infinity", "+Infinity", "inf", "-inf", "x", "a b", "\u{0}", "\u{7F}", "1\u{FEFF}", "\u{A0}1", "\u{2028}1",
    // Literals.
    "t", "tru", "true1", "truee", "True", "TRUE", "f", "fals", "falsee", "False", "n", "nul", "nulll", "Null", "NULL",
    "null0", "true false", "nulltrue",
    // Numbers.
    "-", "--1", "-a", "- 1", "+", "+1", "++1", "01", "-01", "00", "-00", "1.", "-1.", ".5", "-.5", ".", "1..2", "1.2.3",
    "1e", "1E", "1e+", "1e-", "1ee1", "1e1e1", "1e1.5", "1.e1", ".e1", "e1", "0e", "1 2", "1a", "1_000", "1,000.",
    "0x10",
    "0b1", "0o7", "1f", "1.0f", "1/2", "1-", "1+1", "١", "1\u{FF11}", "0.", "0.e1", "-0.", "1e٢", "Infinity1",
    "\u{FF11}",
    // Strings.
    #"""#, #"""""#, #""a"#, #""a\""#, #""\"#, "'a'", "`a`", #"a""#, #""a"b"#, #""a" "b""#, #""a"1"#, #""\a""#,
    #""\x41""#, #""\0""#, #""\'""#, #""\ ""#, #""\U0041""#, #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#,
    #""\u123g""#, #""\u 123""#, #""\u+123""#, #""\u-123""#, #""\u{41}""#, #""\ud800""#, #""\uD800x""#, #""\ud800\n""#,
    #""\ud800\u""#, #""\ud800\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\udc00\ud800""#, #""\uDFFF""#,
    #""\ud83d\ude0""#, #""\ud83d\ude0g""#, #""\ud83d""#, #""\ud83d\"#, #""\é""#, "\"\n\"", "\"\t\"", "\"\r\"",
    "\"\u{0}\"", "\"\u{1F}\"", "\"a\u{8}b\"", "\"0123456789abcdef\n\"",
    // Lists.
    "[", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[1}", "[\"a\",", "[\"a\" \"b\"]",
    "[[]", "[]]", "[1],[2]", "[\"a\":1]", "[a]", "[1]x", "[-]", "[01]", "[1.]", "[tru]", "[\"\u{1}\"]", "[1,2,3,]",
    // Objects.
    "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}", "{\"a\"}", "{\"a\",1}",
    "{\"a\" 1}", "{\"a\":}", "{:1}", "{1:1}", "{a:1}", "{'a':1}", "{null:1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}",
    "{\"a\":1,,\"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\"=1}", "{\"a\":1]", "{[1]:1}", "{{}}", "{\"a\":1}}", "{}{}",
    #"{"\ud800":1}"#, "{\"\u{1}\":1}", #"{"\x":1}"#, "{\"a\":01}", "{\"a\":nul}", "{\"a\":\"\\q\"}",
    // Comments.
    "/**/1", "1/**/", "//\n1", "1//", "#\n1", "[1/*,*/]",
  ]

  private static let malformedBytes: [[UInt8]] = [
    // Invalid UTF-8: lone continuations, overlong forms, surrogates, values beyond U+10FFFF, truncated sequences.
    quoted([0x80]), quoted([0xBF]), quoted([0xC0, 0x80]), quoted([0xC1, 0xBF]), quoted([0xC2]), quoted([0xC2, 0x20]),
    quoted([0xC2, 0xC2]), quoted([0xDF, 0x7F]), quoted([0xE0, 0x80, 0x80]), quoted([0xE0, 0x9F, 0xBF]), quoted([0xE1]),
    quoted([0xE1, 0x80]), quoted([0xE1, 0x80, 0x20]), quoted([0xE1, 0x80, 0xC0]), quoted([0xED, 0xA0, 0x80]),
    quoted([0xED, 0xBF, 0xBF]), quoted([0xEF, 0xBF]), quoted([0xF0, 0x80, 0x80, 0x80]),
    quoted([0xF0, 0x8F, 0xBF, 0xBF]),
    quoted([0xF1, 0x80, 0x80]), quoted([0xF1, 0x80, 0x80, 0x20]), quoted([0xF4, 0x90, 0x80, 0x80]),
    quoted([0xF5, 0x80, 0x80, 0x80]), quoted([0xF8, 0x88, 0x80, 0x80, 0x80]), quoted([0xFC]), quoted([0xFE]),
    quoted([0xFF]), quoted([0x41, 0xFF, 0x41]), quoted(Array("\\".utf8) + [0xC3, 0xA9]), quoted([0x5C, 0xFF]),
    quoted(Array(repeating: 0x61, count: 15) + [0xC0]), quoted(Array("\\u00".utf8) + [0xC3, 0xA9]),
    [0xFF], [0x80], [0xC3, 0xA9], [0x20, 0xEF, 0xBB, 0xBF, 0x31], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31],
    [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x31], [0x22, 0xC3], [0x22, 0xE2, 0x82], [0x22, 0xF0, 0x9F, 0x98],
    [0x5B, 0xFF, 0x5D], Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8), Array("1".utf8) + [0xA0], [0x31, 0x00],
    // UTF-16.
    [0x31, 0x00, 0x00, 0x00], [0xFE, 0xFF, 0x00, 0x31], [0xFF, 0xFE, 0x31, 0x00],
  ]

  /// JSON values of every kind and shape.
  static let valid: [JSONSample] = validTexts.map { JSONSample($0) }

  private static let validTexts = [
    "null", "true", "false", "0", "-0", "1", "-1", "123456789012345678901234567890", "0.5", "-0.5", "0e1", "0E+1",
    "0e-1",
    "1e5", "1E5", "1e+5", "1e-5", "1.5e10", "1.50", "0.000", "1e308", "20e-1", "-1.5E-7", " 1 ", "\t1\n", "\r\n1\r\n",
    #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#, #""\ud83d\ude00""#, #""\uD83D\uDE00""#,
    #""\udbff\udfff""#, #""\ud800\udc00""#, #""\uffff""#, #""\ufffe""#, #""\u2028""#, "\"\u{2028}\"", "\"\u{7F}\"",
    "\"é\"", "\"€\"", "\"😀\"", "\"\u{10FFFF}\"", "\"\u{FFFD}\"", "\"\u{FEFF}\"", "\"/\"", "\"'\"", "\"//\"",
    "\"{[,:]}\"",
    "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[[]]]", "[null,true,\"a\",1.5,{},[]]", "[\n1\n,\n2\n]",
    "{}", "{ }", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }", "{\"\":1}", "{\"a\":{\"b\":{\"c\":[{}]}}}",
    #"{"\u0061":1}"#, "{\"é\":1}", #"{"\ud83d\ude00":1}"#, "{\"a b\":1}", "{\"a\\\"b\":1}", "{\"a\":1,\"A\":2}",
  ]

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }
}
