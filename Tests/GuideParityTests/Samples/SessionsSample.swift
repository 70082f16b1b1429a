import Foundation
import NovaSDK

// The sessions story: the app's state, and signing in. See GuideProfileSample.swift for the comments.

@MainActor enum SessionsSample {
  static let appState = AppState()

  static func signUp(email: String, username: String, password: String) async {
    do {
      let session = try await NovaClient.shared.sessions.signUp(  // guide: let session = try await AuthService.shared.signUp(
        email: email,
        username: username,  // guide: -
        password: password
      )
      appState.setSession(session)
    } catch AuthError.confirmationPending {  // guide: } catch AuthError.noSession {
      appState.setError("Please check your email for confirmation.")
    } catch {
      appState.setError(error.localizedDescription)
    }
  }

  static func signIn(email: String, password: String) async {
    do {
      let session = try await NovaClient.shared.sessions.signIn(  // guide: let session = try await AuthService.shared.signIn(
        email: email,
        password: password
      )
      appState.setSession(session)
    } catch {
      appState.setError(error.localizedDescription)
    }
  }

  static func signOut() async throws {
    try await NovaClient.shared.sessions.signOut()  // guide: try await AuthService.shared.signOut()
  }

  static func headers() -> [String: String]? {
    guard let session = appState.session else { return nil }
    return [
      "Authorization": "Bearer \(session.accessToken.secretValue)"  // guide: "Authorization": "Bearer \(session.accessToken)"
    ]
  }

  static func welcome() -> String {
    if appState.isAuthenticated {
      return "Welcome, \(appState.currentUser?.email ?? "")"
    }
    return appState.error ?? (appState.isLoading ? "…" : "Please log in")
  }
}
