import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaAuth

/// A session file that version 0.1.0 wrote, before the server's clock was stored.
@Suite struct EarlierSessionTests {
  private static let file = """
    Tk9WQVNFU1MBON8rK1Q7bq8neNazG8vcZPHb09m58V+ubFN6gW/fZw4BGW6qga5LVrYtpwC8G/NNlN95uWkHXrasqz9DLgBkDS04\
    Qn2IQIbQ/ccSkWoQLYcsX0HXJPgsFh9y/iKY2Grp5inLL9uwvFRgrArDbs5yN+DJ2GU17e0cpbN/cCJJWayUmliGdnGzkMJsGHuc\
    w0epvfzEHhrbi91zEjBjCutfswa7Jgf73/X2kxpLtx9GqtAprVxkqAO9MMz1soSpJrO0D8Rzp1Kv/65W1oTwTqXm58JrGdpqMOwI\
    0dnNe3Tb2P8p04kmfvgLAZIwBMwFDNrP4HPsmmV+AC9Op+jyWYIUXofibHnrd1FpClymnuV7IETwcYCSDuRQPHQR8ooRpXAFA2wh\
    ri03Mmih0d9yf6TrKMV2XzgVhaC9Qt/SfpvYqy25GANT46HnsAlovMzM7RA8Q0y6AiaOQ36djv4oeMwWml6TZPY9PdJhc6kXG1Dm\
    X8OmZTz9O+jUC3VnrViKRyQVG7WwwPt4ZF+4Ee8MqOM21BPZERp775l7JXlndM7oXW+ovbyPNEnMQZDZH+E68rZNHrLpXBAfo0Rv\
    Shs/NLnkdgR4LjA+8tKS7dRNlZw4cKUQjmr+DWixVKuyxFpZUk/raSQEpCMRjzd71SCVyWBUadKCnSvbP/k0FUtKLa+ELF9i+v3J\
    0ROZ7kvtiIYUQPMb7xsryI+8MOz4cEs4AiZtVlfBZx+Ualo4b+uMAypTdHEiR5zRoqjaOZtv+R5tJMfyaFv6FFjGxC/9XLAx9mlz\
    K/lH4uGXd1NUSNNVNW4=
    """

  private let folder: TemporaryFolder
  private let store: FileSessionStore

  init() throws {
    folder = try TemporaryFolder()
    store = FileSessionStore(
      path: "\(folder.path)/session", key: try SessionKey(String(repeating: "ab", count: 32)))
    try folder.write(Array(try #require(Data(base64Encoded: Self.file))), "session")
  }

  @Test func itIsRead() async throws {
    let stored = try #require(try await store.load())
    #expect(stored.origin == "mock:" && stored.session.user.email == "bruce@nova.social")
    #expect(stored.serverClock == nil)
  }

  @Test(arguments: EarlierFiles.versions) func keptSessionsAreRead(_ version: String) async throws {
    let files = try EarlierFiles(version)
    let store = FileSessionStore(path: files.path("config/nova/sessions/contexts/local/http-127.0.0.1-18081"))
    let stored = try #require(try await store.load())
    #expect(stored.origin.hasPrefix(EarlierFiles.gateway) && stored.session.user.id == "mock-user-id")
    try await store.save(stored)
    #expect(try await store.load() == stored)
  }

  /// Without a clock, the content is the same as before: not a byte longer.
  @Test func itIsWrittenTheSame() async throws {
    let before = try folder.bytes("session")
    var stored = try #require(try await store.load())
    try await store.save(stored)
    #expect(try folder.bytes("session").count == before.count)
    stored.serverClock = ServerClock(secondsAhead: -7200, readAt: 1_764_583_200)
    try await store.save(stored)
    #expect(try await store.load() == stored)
  }
}
