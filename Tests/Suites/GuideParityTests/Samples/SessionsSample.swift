import Foundation
import NovaSDK

// The sessions story: the app's state, and signing in. See GuideProfileSample.swift for the comments.

@MainActor enum SessionsSample {
  static let appState = AppState()

  static func signUp(email: String, username: String, password: String) async {
    do {
      // guide: let session = try await AuthService.shared.signUp(
      let session = try await NovaClient.shared.sessions.signUp(
        email: email,
        // guide: -
        username: username,
        password: password
      )
      appState.setSession(session)
      // guide: } catch AuthError.noSession {
    } catch AuthError.confirmationPending {
      appState.setError("Please check your email for confirmation.")
    } catch {
      appState.setError(error.localizedDescription)
    }
  }

  static func signIn(email: String, password: String) async {
    do {
      // guide: let session = try await AuthService.shared.signIn(
      let session = try await NovaClient.shared.sessions.signIn(
        email: email,
        password: password
      )
      appState.setSession(session)
    } catch {
      appState.setError(error.localizedDescription)
    }
  }

  static func signOut() async throws {
    // guide: try await AuthService.shared.signOut()
    try await NovaClient.shared.sessions.signOut()
  }

  static func headers() -> [String: String]? {
    guard let session = appState.session else { return nil }
    return [
      // guide: "Authorization": "Bearer \(session.accessToken)"
      "Authorization": "Bearer \(session.accessToken.secretValue)"
    ]
  }

  static func welcome() -> String {
    if appState.isAuthenticated {
      return "Welcome, \(appState.currentUser?.email ?? "")"
    }
    return appState.error ?? (appState.isLoading ? "…" : "Please log in")
  }
}
