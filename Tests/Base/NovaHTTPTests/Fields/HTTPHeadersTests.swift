import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

@Suite struct HTTPHeadersTests {
  @Test func namesAreComparedRegardlessOfCase() {
    let headers: HTTPHeaders = ["Content-Type": "application/json"]
    #expect(headers["content-type"] == "application/json")
    #expect(headers["Content-Typ"] == nil)
  }

  @Test func settingReplacesEveryValueInPlace() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers["a"] = "4"
    #expect(headers.map(\.value) == ["4", "2"])
    headers["A"] = nil
    #expect(headers.map(\.name) == ["B"])
  }

  @Test(.timeLimit(.minutes(1))) func settingAmongManyTakesLinearTime() {
    var headers = HTTPHeaders(Array(repeating: .init(name: "A", value: "1"), count: 400_000))
    headers["a"] = "2"
    #expect(headers.map(\.value) == ["2"])
  }

  @Test func appendingKeepsEarlierValues() {
    var headers: HTTPHeaders = ["Set-Cookie": "a"]
    headers.append(name: "set-cookie", value: "b")
    #expect(headers.values(for: "SET-COOKIE") == ["a", "b"])
  }

  /// A check finds the first invalid field, however the fields were added. A field that was found valid stays valid
  /// only until it is replaced.
  @Test(arguments: 0..<200) func aCheckMissesNothing(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var headers = HTTPHeaders()
    let values = ["1", "two", "a\r\nb", "\u{7F}", "tab\t"]
    var steps: [String] = []
    for _ in 0..<12 {
      let (name, value) = (["A", "b", "B", "C"].randomElement(using: &random)!, values.randomElement(using: &random)!)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: headers.append(name: name, value: value)
      case 1: headers[name] = value
      case 2: headers[name] = nil
      case 3: headers.set(name, toChecked: "made")
      case 4: headers = HTTPHeaders(headers.fields)
      default: _ = headers.check()
      }
      steps.append("\(headers.fields.map { "\($0.name)=\($0.value.debugDescription)" })")
      let problem = headers.fields.lazy.compactMap(\.problem).first
      if headers.isChecked { #expect(problem == nil, "\(steps)") }
      var checked = headers
      #expect(checked.check() == problem, "\(steps)")
      #expect(checked.isChecked == (problem == nil), "\(steps)")
    }
  }

  @Test(arguments: ["Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"])
  func secretsDoNotShow(name: String) {
    let request = HTTPRequest(method: .get, url: "http://localhost/", headers: [name: Canary.secret, "Accept": "a/b"])
    var text = "\(request) \(String(reflecting: request)) \(request.headers) \(request.headers.fields)"
    dump(request, to: &text)
    #expect(Canary.leaks(in: text).isEmpty && text.contains("****") && text.contains("a/b"))
    #expect(request.headers[name] == Canary.secret)
  }
}
