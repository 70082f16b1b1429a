import NovaCore
@testable import NovaContract
import Testing

@Suite struct NormalizerTests {
  private func normalized(_ json: String...) throws -> [String] {
    var normalizer = Normalizer(prefix: "tq7")
    let token = try AccessToken("secret")
    let refreshToken = try #require(RefreshToken("secret"))
    normalizer.know(
      ContractAccount(
        userID: "user-5", username: "tq7_ada", email: "tq7_ada@contract.example", createdAt: 1000, password: "x",
        token: token, refreshToken: refreshToken), as: "ada")
    return try json.map { text in
      String(decoding: normalizer.normalized(try JSONValue(jsonUTF8: Array(text.utf8))).jsonUTF8, as: UTF8.self)
    }
  }

  @Test(arguments: [
    (#"{"id":"post-9","other_id":"post-8"}"#, ##"{"id":"#1","other_id":"#2"}"##),
    (#"{"id":"post-9","parent_id":"","post_ids":["post-9"]}"#, ##"{"id":"#1","parent_id":"","post_ids":["#1"]}"##),
    (#"{"id":7,"url":"/media/7/a.png"}"#, ##"{"id":"#1","url":"/media/7/a.png"}"##),
    (
      #"{"id":"up-1","url":"/media/up-1/a.png","cdn_url":"/media/up-12/a"}"#,
      ##"{"id":"#1","url":"/media/#1/a.png","cdn_url":"/media/up-12/a"}"##
    ),
    (#"{"results":{"user-5":true,"tq7-none-1":false}}"#, #"{"results":{"user ada":true,"~-none-1":false}}"#),
    (#"["user-5","user-6"]"#, #"["user ada","user-6"]"#),
    (
      #"{"created_at":1000,"updated_at":999,"deleted_at":0}"#,
      #"{"created_at":"during the scenario","updated_at":"before the scenario","deleted_at":"never"}"#
    ),
    (
      #"{"created_at":"1970-01-01T00:16:41Z","expires_at":4602}"#,
      #"{"created_at":"during the scenario","expires_at":"60 min after the start"}"#
    ),
    (#"{"token":"abc","refresh_token":""}"#, #"{"token":"****","refresh_token":""}"#),
    (#"{"message":"there is no post user-5, 12 of 3,000"}"#, #"{"message":"there is no post user ada, N of N"}"#),
    (#"{"content":"12 of tq7"}"#, #"{"content":"12 of ~"}"#),
    (
      #"[{"ranking_score":5.5},{"ranking_score":5.5},{"ranking_score":6}]"#,
      #"[{"ranking_score":"the first"},{"ranking_score":"not above the one before"},{"ranking_score":"above the one before"}]"#
    ),
  ])
  func everyRule(_ json: String, _ expected: String) throws {
    #expect(try normalized(json) == [expected])
  }

  @Test func idsKeepTheirNumbersThroughoutAScenario() throws {
    #expect(
      try normalized(#"{"id":"b"}"#, #"{"id":"a"}"#, #"{"ids":["x"],"post_ids":["a","b","c"]}"#)
        == [##"{"id":"#1"}"##, ##"{"id":"#2"}"##, ##"{"ids":["x"],"post_ids":["#2","#1","#3"]}"##])
  }
}
