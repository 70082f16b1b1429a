import NovaSDK

// The integration guide's errors and settings; see GuideProfileSample.swift for the comments.

enum GuideErrorSample {
  static func text(of error: APIError) -> String {
    // guide: switch error {
    switch error.kind {
    case .invalidURL: return "invalid URL"
    case .invalidResponse: return "invalid response"
    case .networkError(let error): return "network: \(error)"
    case .decodingError(let error): return "decoding: \(error)"
    case .serverError(let statusCode, let message): return "server: \(statusCode) \(message)"
    case .unauthorized: return "unauthorized"
    case .notFound: return "not found"
    }
  }

  static func baseURL(of environment: APIEnvironment) throws -> String {
    switch environment {
    case .development: break  // localhost:8080
    case .staging: break  // staging-api.nova.social
    case .production: break  // api.nova.social
    // guide: -
    default: break
    }
    return try APIConfiguration(ConfigurationOverrides(environment: environment)).baseURL.text
  }

  static func setUp(token: String) {
    APIFeatureFlags.enableMockData = true
    APIFeatureFlags.enableRequestLogging = true
    APIClient.shared.setAuthToken(token)
  }

  @MainActor static func preview() -> UserProfileViewModel {
    let viewModel = UserProfileViewModel.preview()
    // AccountView(currentPage: .constant(.account)).environment(viewModel)
    // guide: AccountView(currentPage: .constant(.account)).environmentObject(viewModel)
    return viewModel
  }
}
