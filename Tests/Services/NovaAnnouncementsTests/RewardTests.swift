import NovaCore
import NovaTestSupport
import Testing

@testable import NovaAnnouncements

@Suite struct RewardTests {
  @Test(
    arguments: [
      ("500 PLN", 500), ("1 250.50 zł", 1250.5), ("PLN 500", 500), ("500", 500), ("0", nil), ("0.00 zł", nil),
      ("0.50", 0.5), ("500.-", 500),
      ("ok. 500 zł", 500), ("1\u{A0}250,00", 1250), ("1\u{202F}250 zł", 1250), ("$1,250", 1250), ("1,250.50", 1250.5),
      ("1,000,000 zł", 1_000_000), ("-500", nil), ("- 5", nil), ("\u{2212}5 PLN", nil), ("-$5", nil), ("$-5", nil),
      ("reward – 500", nil), ("PLN 500,-", 500),
      ("€ 2.000", nil), ("2.000", nil), ("12.500 zł", nil), ("0.500", 0.5), ("2000.500", 2000.5), ("1,250.500", 1250.5),
      ("reward: 500.", 500), ("007", 7), ("12.5", 12.5),
      ("", nil), (" ", nil), ("negotiable", nil), ("PLN", nil), ("...", nil), ("1.250,50", nil), ("12,50 zł", 12.5),
      ("1250,50 zł", 1250.5), ("1.2.3", nil), ("500-800 PLN", nil), ("500 PLN or 100 EUR", nil), (".50 zł", nil),
      ("1.5 5", nil), ("٥٠٠", nil), ("1..5", nil), (",500", nil), ("1,2345", nil), ("12,,500", nil),
      ("500,00 PLN", 500), ("1 250,50 zł", 1250.5), ("12,5", 12.5), ("0,50 €", 0.5), ("0,00", nil),
      ("1 000 000,00 zł", 1_000_000),
      ("1,250,50", nil), ("1,5,5", nil), (",50 zł", nil), ("12,50,00", nil), ("12, 50", nil), ("12 ,50", nil),
      ("0,500", nil), ("2000,500", nil), ("1 250,500", nil), ("1,250 500", nil), ("5 10", nil), ("2025 500", nil),
      ("1  250", nil), ("0 500", nil), ("1.000.000,00 €", nil), ("10,00-20,00 zł", nil), ("-12,50 zł", nil),
    ] as [(String, Double?)])
  func amountsAreRead(_ text: String, _ amount: Double?) { #expect(Reward.amount(text) == amount, "\(text)") }

  /// Prices and rewards as people write them in announcements.
  @Test(
    arguments: [
      ("NAGRODA 1000 ZŁ!!!", 1000), ("nagroda: 1.000 zł", nil), ("1500zł", 1500), ("500,- zł", 500), ("zł 500", 500),
      ("Belohnung 250 €", 250), ("250,00€", 250), ("EUR 1.500,-", nil), ("CHF 1'000.-", nil), ("CHF 500.–", 500),
      ("£1,000 reward", 1000), ("US$ 2,500.00", 2500), ("R$ 1.000,00", nil), ("R$ 500,00", 500), ("₹1,00,000", nil),
      ("Rs. 5,000", 5000), ("¥10,000", 10_000), ("10万円", nil), ("500 kr", 500), ("1 500:-", 1500),
      ("10 000 Kč", 10_000),
      ("5 tys. zł", nil), ("5tys", nil), ("1,5 tys. zł", nil), ("$1k", nil), ("1K USD", nil), ("2 mln", nil),
      ("10 %", nil),
      ("do 500 zł", 500), ("od 200 do 500 zł", nil), ("500 zł + szczeniak", 500), ("2x500 zł", nil),
      ("500 zł (2 psy)", nil),
      ("500+ zł", 500), ("~500 zł", 500), ("pięćset", nil), ("do uzgodnienia", nil), ("Rs.5000", nil),
      ("50 kg karmy", 50),
    ] as [(String, Double?)])
  func textsOfPeopleAreRead(_ text: String, _ amount: Double?) { #expect(Reward.amount(text) == amount, "\(text)") }

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
    let mark = separator == "," || random.one(in: 2) ? "." : ","
    let text = "for \(digits)\(mark)\(fraction < 10 ? "0" : "")\(fraction) zł"
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
