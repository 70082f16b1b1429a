import NovaCore
import NovaTestSupport
import Testing

@testable import NovaAnnouncements

@Suite struct RewardTests {
  @Test(
    arguments: [
      ("500 PLN", 500), ("1 250.50 zł", 1250.5), ("PLN 500", 500), ("500", 500), ("0", nil), ("0.00 zł", nil),
      ("0.50", 0.5), ("500.-", 500),
      ("ok. 500 zł", 500), ("1\u{A0}250,00", nil), ("1\u{202F}250 zł", 1250), ("$1,250", 1250), ("1,250.50", 1250.5),
      ("1,000,000 zł", 1_000_000), ("-500", nil), ("- 5", nil), ("\u{2212}5 PLN", nil), ("-$5", nil), ("$-5", nil),
      ("reward – 500", nil), ("PLN 500,-", 500),
      ("€ 2.000", nil), ("2.000", nil), ("12.500 zł", nil), ("0.500", 0.5), ("2000.500", 2000.5), ("1,250.500", 1250.5),
      ("reward: 500.", 500), ("007", 7), ("12.5", 12.5),
      ("", nil), (" ", nil), ("negotiable", nil), ("PLN", nil), ("...", nil), ("1.250,50", nil), ("12,50 zł", nil),
      ("1250,50 zł", nil), ("1.2.3", nil), ("500-800 PLN", nil), ("500 PLN or 100 EUR", nil), (".50 zł", nil),
      ("1.5 5", nil), ("٥٠٠", nil), ("1..5", nil), (",500", nil), ("1,2345", nil), ("12,,500", nil),
    ] as [(String, Double?)])
  func amountsAreRead(_ text: String, _ amount: Double?) { #expect(Reward.amount(text) == amount, "\(text)") }

  @Test func hugeNumbersAreNone() {
    #expect(Reward.amount(String(repeating: "9", count: 400)) == nil)
    #expect(Reward.amount(String(repeating: "9", count: 100_000) + ".5") == nil)
  }

  /// A written amount is read whatever stands around it and between its groups.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func writtenAmountsComeBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let cents = Int.random(in: 1...999_999_999, using: &random)
    let separator = try #require(["", " ", "\u{A0}", ",", "\u{2009}"].randomElement(using: &random))
    var digits = ""
    for (place, digit) in String(cents / 100).reversed().enumerated() {
      if place > 0, place % 3 == 0 { digits = separator + digits }
      digits = "\(digit)" + digits
    }
    let fraction = cents % 100
    let text = "for \(digits).\(fraction < 10 ? "0" : "")\(fraction) zł"
    #expect(Reward.amount(text) == Double(cents) / 100, "seed \(seed): \(text)")
  }

  /// Whatever the text, the result is nil or a positive amount.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func anyTextIsAnAmountOrNone(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let characters = Array("0123456789.,  -złPE+\u{A0}\n'👍e")
    let text = String(
      (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
    if let amount = Reward.amount(text) { #expect(amount.isFinite && amount > 0, "seed \(seed): \(text)") }
  }
}
