import NovaSDK

/// The client that every snippet gets. The name needs no import, so a page that forgets `import NovaSDK` does not compile.
typealias SnippetClient = NovaClient
