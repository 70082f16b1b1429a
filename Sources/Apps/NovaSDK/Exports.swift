// `import NovaSDK` brings the services, the view models, and the mock backend. Not what only some programs use, because
// importers would build and link it: the caches (NovaCache), offline work (NovaOffline), analytics (NovaTracking), WebSocket
// (NovaWebSocket), servers (NovaLifecycle), and what tests use (NovaTesting, NovaRecording, NovaContract, NovaFixtures).
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
