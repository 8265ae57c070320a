import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import staticFiles from 'express-static-gzip'
import helmet from 'helmet'
import { browserClientId } from './auth/browserClient.ts'
import type { Callers } from './auth/caller.ts'
import { firstAdministratorRoutes } from './auth/firstAdministratorPage.ts'
import type { SigningKeys } from './auth/keys.ts'
import { outsideIssuer } from './auth/outside/issuer.ts'
import { passwordRoutes } from './auth/passwordPage.ts'
import { createProvider, issuerOf } from './auth/provider.ts'
import { signInRoutes } from './auth/signInPage.ts'
import type { Services } from './core/calls/context.ts'
import type { Config } from './core/config.ts'
import { answerError } from './http/answerError.ts'
import { apiCalls } from './http/apiCalls.ts'
import { fixedHeaders } from './http/fixedHeaders.ts'
import { health } from './http/health.ts'
import type { HeavyCalls } from './http/heavyCalls.ts'
import { docsPage } from './rest/docsPage.ts'
import { openApi } from './rest/openapi.ts'

/** Mounts everything the server answers. @returns what answers a request */
export function createApp(
  app: Express,
  {
    services,
    heavy,
    keys,
    callers,
    clientFolder,
  }: { services: Services; heavy: HeavyCalls; keys: SigningKeys; callers: Callers; clientFolder: string },
): (req: IncomingMessage, res: ServerResponse) => void {
  const { config, store, limits } = services
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  const headers = headersOf(config)
  app.use(headers)
  app.use((req, res, next) => {
    res.locals.requestId = req.headers[idHeader]
    res.set('X-Request-Id', res.locals.requestId)
    next()
  })
  health(app, services)
  app.get(
    '/config.json',
    (_req, res) =>
      void res.set('Cache-Control', 'no-store').json({
        issuer: issuerOf(config),
        clientId: browserClientId,
        outside: config.oidc?.name ?? null,
      }),
  )
  const tokenUrl = `${issuerOf(config)}/token`
  docsPage(app, () => openApi(config.origin, tokenUrl))

  app.use(firstAdministratorRoutes(store, config.oidc === null, limits))
  const outside = config.oidc && outsideIssuer(config, config.oidc)
  const provider = createProvider(services, keys, outside)
  app.use(['/oidc', '/interaction'], (req, _res, next) => {
    asReached(req, config)
    next()
  })
  app.use(signInRoutes(provider, services, outside))
  if (!outside) app.use(passwordRoutes(services))
  const handler = provider.callback()
  app.use('/oidc', (req, res) => void handler(req, res))
  page(app, clientFolder)
  app.use((_req, _res, next) => next({ status: 404 }))
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => answerError(res, error, res.locals.requestId))
  const answerCalls = apiCalls(services, { heavy, callers, fixed: fixedHeaders(headers) })
  return (req, res) =>
    void answerCalls(req, res, (_req, _res, requestId) => {
      req.headers[idHeader] = requestId
      app(req, res)
    })
}

/** By it a call says what it is to be known as in logs and answers; who says nothing is given an id. */
const idHeader = 'x-request-id'

/** What pages may ask the browser for: passkeys, by this site alone, and nothing of the machine. */
const permissions = [
  ...['publickey-credentials-get', 'publickey-credentials-create'].map((feature) => `${feature}=(self)`),
  ...['camera', 'geolocation', 'microphone', 'payment', 'usb'].map((feature) => `${feature}=()`),
].join(', ')

function headersOf(config: Config): RequestHandler {
  const common = helmet({
    contentSecurityPolicy: {
      useDefaults: true,
      directives: {
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        // Rich text may hold pictures of other sites, help articles videos of the one service (notices K-28).
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
 * The issuer answers as it is reached by its one public address, whatever the call or a proxy says of host and protocol: so links, redirects
 * and cookies are right behind any proxy, and nobody can have another host written into them.
 */
function asReached(req: Request, { origin }: Config): void {
  const { protocol, host } = new URL(origin)
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  req.headers['x-forwarded-host'] = host
  req.headers['x-forwarded-for'] = req.ip ?? ''
}

/** The built client; any path that is no file is the client's own to answer. */
function page(app: Express, folder: string): void {
  const precompressed = { enableBrotli: true, orderPreference: ['br'], index: false as const }
  // Their names change with what is in them.
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
