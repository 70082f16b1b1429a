import NovaCore

extension CheckRun {
  /// Calls every RPC that may be called, in an order in which each finds what it needs.
  mutating func checkAll() async throws {
    try await checkAnnouncements()
    try await openAccounts()
    try await findOutWhoIsSignedIn()
    try await findUsers()
    guard let me = facts.me else {
      recorder.skipRest("no user was found; name one with --user")
      return
    }
    try await checkUsers(me)
    try await checkContent(me)
    try await checkFeed(me)
    try await checkSocial(me)
    try await checkGraph(me)
    try await checkMedia(me)
    try await checkCapture()
    try await deletePost(me)
    // With the session's end its token is worth nothing.
    await cleanUp()
    try await endSession()
  }
}
