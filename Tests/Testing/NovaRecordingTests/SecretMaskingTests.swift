import NovaCore
import NovaTestSupport
import NovaRecording
import NovaTesting
import Testing

@Suite struct SecretMaskingTests {
  static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

  @Test(arguments: [
    #"{"password":"hunter2-hunter2"}"#, #"{"nested":[{"refreshToken":"hunter2-hunter2"}]}"#,
    #"{"apiKey":{"any":"hunter2-hunter2"}}"#, #"{"note":"Bearer hunter2-hunter2"}"#,
    #"{"url":"https://storage/x?part=1&X-Amz-Signature=hunter2-hunter2"}"#, #"{"secret":["hunter2-hunter2"]}"#,
    #"{"token":"hunter2-hunter2","echo":"you sent hunter2-hunter2."}"#,
    // Not JSON to the end.
    #"{"password": "hunter2-hunter2", "#, #"{"token":"hunter2-hunter2"#, "token=hunter2-hunter2&x=1",
    "the header was Authorization: Bearer hunter2-hunter2", "Cookie: hunter2-hunter2",
    // Forms with files; the last two are cut off.
    "--B\r\nContent-Disposition: form-data; name=\"password\"\r\nContent-Length: 15\r\n\r\n"
      + "hunter2-hunter2\r\n--B--\r\n",
    "--B\r\nContent-Disposition: form-data; name=api_key\r\n\r\nhunter2\r\n--B\r\n"
      + "Content-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n{\"token\":\"hunter2-hunter2\"}\r\n--B--",
    "--B\r\ncontent-disposition: form-data; name=\"token\"\r\n\r\nhunter2-hunter2",
    "--B\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nhunter2-hunter2\r\n--B\r\nContent-Disp",
  ])
  func masksBodies(body: String) async throws {
    let request = HTTPRequest(method: .post, url: "http://localhost/x", body: Array(body.utf8))
    let cassette = try await recording([request]) { HTTPResponse(status: 400, body: $0.body) }
    let folder = try RecordingFolder()
    try cassette.write(to: folder.file())
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("{{secret:1}}") || text.contains("%7B%7Bsecret%3A1%7D%7D"))
  }

  @Test func masksTokensUnderWhateverName() async throws {
    let request = HTTPRequest(
      method: .get, url: "http://localhost/x/\(Self.token)?q=\(Self.token)&sig=hunter2",
      headers: ["X-Api-Key": "hunter2", "Cookie": "a=hunter2", "X-Trace": Self.token])
    let cassette = try await recording([request])
    let line = "\(cassette)"
    #expect(!line.contains("hunter2"))
    #expect(!line.contains(Self.token))
    let masked = try #require(cassette.interactions.first?.request)
    let placeholder = try #require(masked.headers["X-Trace"])
    #expect(PercentEncoding.decode(masked.path) == "/x/\(placeholder)")
    #expect(PercentEncoding.pairs(masked.query).map(\.value).contains(placeholder))
  }

  @Test func masksFormsWithBinaryFiles() async throws {
    let start = "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
    let next = "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
    let file: [UInt8] = [0, 13, 10, 45, 45, 66, 120, 255, 13, 10]
    let body = Array((start + "hunter2" + next).utf8) + file + Array("\r\n--B--\r\n".utf8)
    let cassette = try await recording([HTTPRequest(method: .post, url: "http://localhost/x", body: body)])
    let masked = Array((start + "{{secret:1}}" + next).utf8) + file + Array("\r\n--B--\r\n".utf8)
    #expect(cassette.interactions[0].request.body == masked)
  }

  @Test func keepsTextsWithoutSecrets() async throws {
    let body =
      #"{"user_id":"mock-user-id","limit":10,"content":"a token of thanks? yes://no","token":"","is_token":true}"#
    let cassette = try await recording([.json(.post, "/api/v1/x?limit=3", body: body)])
    #expect(cassette.interactions[0].request.body == Array(body.utf8))
    #expect(cassette.interactions[0].request.query == "limit=3")
  }
}

/// A secret is known by the field in which it was sent, and found wherever a server repeats it.
@Suite struct SecretSpellingMaskingTests {
  @Test(arguments: 1...2) func noSpellingShows(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(4000 + seed))
    let (password, token) = (
      SecretSpellings.password(using: &generator), SecretSpellings.token(using: &generator)
    )
    for secret in [password, token] {
      for spelled in TestDepth.cases(SecretSpellings.all(of: secret, using: &generator), sample: 12) {
        let text = try await recorded(password: password, token: token, spelled: spelled)
        let leaks = SecretSpellings.leaks(of: secret, spelled, in: text)
        #expect(leaks == [], "\(spelled) of \(secret): \(text)")
      }
    }
  }

  /// All that becomes of a cassette of answers that quote a secret.
  private func recorded(password: String, token: String, spelled: SpelledSecret) async throws -> String {
    let body = #"{"email":"e@x.example","password":"\#(SecretSpellings.json(password))"}"#
    let request = HTTPRequest(
      method: .post, url: "http://localhost/api/v1/auth/login",
      headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: Array(body.utf8))
    let bodies = [
      #"{"message":"\#(spelled.inJSON)","\#(spelled.inJSON)":1}"#, #"{"message":"\#(spelled.inJSON)"#,
      "<p>\(spelled.text)</p>", "\0\(spelled.text)",
    ]
    let next = Locked(0)
    let cassette = try await recording(bodies.map { _ in request }) { _ in
      let number = next.withLock { next in
        next += 1
        return next - 1
      }
      return HTTPResponse(
        status: 400, headers: ["X-Said": spelled.text, "Location": "/?x=\(PercentEncoding.encode(spelled.text))"],
        body: Array(bodies[number].utf8))
    }
    let folder = try RecordingFolder()
    try cassette.write(to: folder.file())
    let parts = [try folder.bytes(), cassette.har, cassette.pact(consumer: "Test")]
    // Bodies that are no text are in Base64.
    let binary = cassette.interactions.compactMap(\.outcome.response).map {
      String(decoding: $0.body.inMemory, as: UTF8.self)
    }
    return (parts.map { String(decoding: $0, as: UTF8.self) } + binary + ["\(cassette)"]).joined(separator: "\n")
  }
}

extension Cassette.Outcome {
  fileprivate var response: HTTPResponse? { if case .response(let response) = self { response } else { nil } }
}
