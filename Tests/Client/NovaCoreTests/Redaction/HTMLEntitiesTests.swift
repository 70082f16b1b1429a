import Testing

@testable import NovaCore

@Suite struct HTMLEntitiesTests {
  @Test(arguments: [
    ("", ""), ("no entity", "no entity"), ("a &amp; b", "a & b"), ("&amp;lt;", "&lt;"), ("&Tab;&diams;", "\t♦"),
    ("&DiacriticalGrave;", "`"), ("&DiacriticalGraves;", "&DiacriticalGraves;"), ("&AMP;&Amp;", "&&Amp;"),
    ("&#65;&#x42;&#X43;", "ABC"), ("&#x1F600;", "😀"), ("&#00000000000065;", "A"), ("&#000000000000065;", "A"),
    ("&#0000000000000065;", "&#0000000000000065;"), ("&#xD800;&#x110000;", "&#xD800;&#x110000;"),
    ("&#;&#x;", "&#;&#x;"),
    ("&;&&amp", "&;&&amp"), ("&unknown;", "&unknown;"), ("é&eacute;&", "éé&"), ("&eé;", "&eé;"),
  ])
  func isDecoded(_ text: String, _ decoded: String) {
    #expect(HTMLEntities.decoded(text) == decoded)
  }

  @Test(.timeLimit(.minutes(1))) func manyBeginningsTakeLinearTime() {
    let text = String(repeating: "&", count: 1 << 20)
    #expect(HTMLEntities.decoded(text) == text)
  }
}
