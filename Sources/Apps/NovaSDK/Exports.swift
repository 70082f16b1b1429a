// `import NovaSDK` imports the services, the view models, and the mock backend. Modules that only some programs use are
// not included, because every importer would build and link them: the caches (NovaCache), offline work (NovaOffline),
// analytics (NovaTracking), WebSocket (NovaWebSocket), servers (NovaLifecycle), and modules for tests (NovaTesting,
// NovaRecording, NovaContract, NovaFixtures).
@_exported public import NovaAnalytics
@_exported public import NovaAnnouncements
@_exported public import NovaAuth
@_exported public import NovaCapture
@_exported public import NovaContent
@_exported public import NovaCore
@_exported public import NovaEvents
@_exported public import NovaFeed
@_exported public import NovaGraph
@_exported public import NovaMedia
#if Mock
  @_exported public import NovaMock
#endif
@_exported public import NovaRegistry
@_exported public import NovaSocial
@_exported public import NovaUsers
@_exported public import NovaViewModels
