import NovaHTTP
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

  @Test(arguments: ["Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"])
  func secretsDoNotShow(name: String) {
    let request = HTTPRequest(method: .get, url: "http://localhost/", headers: [name: Canary.secret, "Accept": "a/b"])
    var text = "\(request) \(String(reflecting: request)) \(request.headers) \(request.headers.fields)"
    dump(request, to: &text)
    #expect(Canary.leaks(in: text).isEmpty && text.contains("****") && text.contains("a/b"))
    #expect(request.headers[name] == Canary.secret)
  }
}
