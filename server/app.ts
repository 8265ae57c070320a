import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import staticFiles from 'express-static-gzip'
import helmet from 'helmet'
import { browserClientId } from './auth/browserClient.ts'
import type { CallerCache } from './auth/caller.ts'
import { createFirstAdministratorRoutes } from './auth/firstAdministratorPage.ts'
import type { SigningKeys } from './auth/keys.ts'
import { createOutsideIssuer } from './auth/outside/issuer.ts'
import { createForgottenPasswordRoutes } from './auth/passwords/forgottenPasswordPage.ts'
import { createPasswordLinkRoutes } from './auth/passwords/passwordPage.ts'
import { createProvider, getIssuerUrl } from './auth/provider.ts'
import { createSignInRoutes } from './auth/signInPage.ts'
import type { Services } from './core/calls/context.ts'
import type { Config } from './core/config.ts'
import type { Heartbeat } from './core/watch/heartbeat.ts'
import { answerError } from './http/answerError.ts'
import { createApiCallHandler } from './http/apiCalls.ts'
import { computeFixedHeaders } from './http/fixedHeaders.ts'
import { mountHealthChecks } from './http/health.ts'
import type { LongCallThreads } from './http/longCallThreads.ts'
import { mountApiDocs } from './rest/docsPage.ts'
import { buildOpenApi } from './rest/openapi.ts'

/** Mounts all routes of the server. @returns the request handler */
export function createApp(
  app: Express,
  {
    services,
    heartbeat,
    longCalls,
    keys,
    callers,
    clientFolder,
  }: {
    services: Services
    heartbeat: Heartbeat
    longCalls: LongCallThreads
    keys: SigningKeys
    callers: CallerCache
    clientFolder: string
  },
): (req: IncomingMessage, res: ServerResponse) => void {
  const { config, store, limits } = services
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  const headers = securityHeaders(config)
  app.use(headers)
  app.use((req, res, next) => {
    res.locals.requestId = req.headers[requestIdHeader]
    res.set('X-Request-Id', res.locals.requestId)
    next()
  })
  mountHealthChecks(app, { ...services, heartbeat })
  app.get(
    '/config.json',
    (_req, res) =>
      void res.set('Cache-Control', 'no-store').json({
        issuer: getIssuerUrl(config),
        clientId: browserClientId,
        outside: config.oidc?.name ?? null,
      }),
  )
  const tokenUrl = `${getIssuerUrl(config)}/token`
  mountApiDocs(app, () => buildOpenApi(config.origin, tokenUrl))

  app.use(createFirstAdministratorRoutes(store, config.oidc === null, limits))
  const outside = config.oidc && createOutsideIssuer(config, config.oidc)
  const provider = createProvider(services, keys, outside)
  app.use(['/oidc', '/interaction'], (req, _res, next) => {
    usePublicAddress(req, config)
    next()
  })
  app.use(createSignInRoutes(provider, services, outside))
  if (!outside) app.use(createPasswordLinkRoutes(services), createForgottenPasswordRoutes(services))
  const handler = provider.callback()
  app.use('/oidc', (req, res) => void handler(req, res))
  serveClient(app, clientFolder)
  app.use((_req, _res, next) => next({ status: 404 }))
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => answerError(res, error, res.locals.requestId))
  const answerCalls = createApiCallHandler(services, { longCalls, callers, fixedHeaders: computeFixedHeaders(headers) })
  return (req, res) =>
    void answerCalls(req, res, (_req, _res, requestId) => {
      req.headers[requestIdHeader] = requestId
      app(req, res)
    })
}

/** The header in which a caller may choose the id under which its request is logged; otherwise the server generates one. */
const requestIdHeader = 'x-request-id'

/** The Permissions-Policy: pages may use passkeys on this site, and no hardware. */
const permissions = [
  ...['publickey-credentials-get', 'publickey-credentials-create'].map((feature) => `${feature}=(self)`),
  ...['camera', 'geolocation', 'microphone', 'payment', 'usb'].map((feature) => `${feature}=()`),
].join(', ')

function securityHeaders(config: Config): RequestHandler {
  const common = helmet({
    contentSecurityPolicy: {
      useDefaults: true,
      directives: {
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        // Rich text may embed images from other sites, and help articles embed videos from YouTube only (notices K-28).
        'img-src': ["'self'", 'data:', 'blob:', 'https:'],
        'frame-src': ["'self'", 'https://www.youtube.com', 'https://www.youtube-nocookie.com'],
        'connect-src': ["'self'"],
        'frame-ancestors': ["'self'"],
        'form-action': ["'self'", config.origin],
        'upgrade-insecure-requests': null,
      },
    },
    strictTransportSecurity: config.origin.startsWith('https'),
    xFrameOptions: { action: 'sameorigin' },
  })
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', permissions)
    common(req, res, next)
  }
}

/**
 * Replaces the Host and X-Forwarded headers by the configured public address before the issuer reads them. Links, redirects and cookies are
 * then right behind any proxy, and nobody can inject another host.
 */
function usePublicAddress(req: Request, { origin }: Config): void {
  const { protocol, host } = new URL(origin)
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  req.headers['x-forwarded-host'] = host
  req.headers['x-forwarded-for'] = req.ip ?? ''
}

/** Serves the built client. A path that is not a file gets index.html, because the client does the routing. */
function serveClient(app: Express, folder: string): void {
  const precompressed = { enableBrotli: true, orderPreference: ['br'], index: false as const }
  // File names contain a content hash, so they can be cached for ever.
  app.use(
    '/assets',
    staticFiles(join(folder, 'assets'), { ...precompressed, serveStatic: { immutable: true, maxAge: '1y', fallthrough: false } }),
  )
  app.use(staticFiles(folder, { ...precompressed, serveStatic: { setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache') } }))
  app.get('/{*path}', (req, res, next) => {
    if (req.path.startsWith('/oidc/') || !existsSync(join(folder, 'index.html'))) return next()
    res.set('Cache-Control', 'no-cache').sendFile(join(folder, 'index.html'))
  })
}
