import Testing

@testable import NovaCore

@Suite struct PathTemplateTests {
  private let template = PathTemplate("/api/v1/somethings/{id}/meaning")

  @Test(arguments: ["a", "a b", "a/b", "..", "%", "é", "?x=1#y"])
  func whatIsWrittenIsRead(_ id: String) {
    let path = template.path { _ in PercentEncoding.encode(id) }
    #expect(template.match(path) == ["id": id], "\(path)")
  }

  @Test(arguments: [
    "/api/v1/somethings//meaning", "/api/v1/somethings/a", "/api/v1/somethings/a/b/meaning",
    "/api/v1/somethings/a/meaning/", "/api/v1/somethings/%/meaning", "/api/v1/somethings/%ff/meaning",
    "/api/v1/somethings/a/Meaning", "api/v1/somethings/a/meaning", "",
  ])
  func otherPathsAreNotIts(_ path: String) { #expect(template.match(path) == nil) }
}
