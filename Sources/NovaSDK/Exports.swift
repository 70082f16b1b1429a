// `import NovaSDK` is enough for everything a program needs.
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
