import NovaCore

extension CheckRun {
  /// Calls every RPC that may be called, in an order in which each finds what it needs.
  mutating func checkAll() async throws {
    try await checkAnnouncements()
    try await openAccounts()
    try await findOutWhoIsSignedIn()
    try await findUsers()
    // It requires only the ID of the token's user, and returns it.
    let isCaptureFirst = facts.me == nil && check.tokens != nil
    if isCaptureFirst { try await checkCapture() }
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
    if !isCaptureFirst { try await checkCapture() }
    try await deletePost(me)
    // With the session's end its token is worth nothing.
    await cleanUp()
    try await endSession()
  }
}
