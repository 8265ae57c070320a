import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as trpcExpress from '@trpc/server/adapters/express'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import helmet from 'helmet'
import { DomainError, statusOf } from '../domain/errors.ts'
import { principalOf } from './auth/accounts.ts'
import type { SigningKeys } from './auth/keys.ts'
import { passwordRoutes } from './auth/passwordPage.ts'
import { audienceOf, browserClientId, createProvider, issuerOf } from './auth/provider.ts'
import { signInRoutes } from './auth/signInPage.ts'
import { bearerOf, type VerifyToken } from './auth/tokens.ts'
import { health } from './health.ts'
import { limiter } from './limiter.ts'
import { log } from './log.ts'
import { answer } from './rest/adapter.ts'
import { imageUpload } from './rest/imageUpload.ts'
import { openApi, openApiPage } from './rest/openapi.ts'
import { appRouter } from './routers/app.ts'
import { type CallContext, type Services, selectionOf } from './trpc/context.ts'

/** Mounts everything the server answers. */
export function createApp(app: Express, services: Services, keys: SigningKeys, verify: VerifyToken, clientFolder: string): Express {
  const { config, store } = services
  const calls = limiter(1200, 60_000)
  app.disable('x-powered-by')
  app.set('trust proxy', 1)
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: true,
        directives: {
          'script-src': ["'self'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          // Rich text may hold pictures of other sites, help articles videos of the one service (notices K-28).
          'img-src': ["'self'", 'data:', 'blob:', 'https:'],
          'frame-src': [
            "'self'",
            'https://www.youtube.com',
            'https://www.youtube-nocookie.com',
            ...(config.oidc ? [new URL(config.oidc.issuer).origin] : []),
          ],
          'connect-src': ["'self'", ...(config.oidc ? [new URL(config.oidc.issuer).origin] : [])],
          'frame-ancestors': ["'self'"],
          'form-action': ["'self'", config.origin],
          'upgrade-insecure-requests': null,
        },
      },
      strictTransportSecurity: config.origin.startsWith('https'),
      xFrameOptions: { action: 'sameorigin' },
    }),
  )
  health(app, services)

  /** One call: who it is, what it selects. @throws DomainError for headers that cannot be read */
  async function makeContext(req: Request, requestId: string): Promise<CallContext> {
    const token = bearerOf(req.headers.authorization)
    const claims = token ? await verify(token) : null
    const principal = claims ? await principalOf(store, claims, config.oidc !== null) : null
    const wait = principal ? calls(`${principal.kind} ${principal.userId ?? principal.clientId}`) : 0
    if (wait) throw new DomainError('tooMany', 'tooMany', `Too many requests. Try again in ${wait} seconds.`, [], { seconds: wait })
    return {
      services,
      principal,
      selection: principal ? selectionOf((name) => req.headers[name] as string | undefined) : selectionOf(() => undefined),
      requestId,
      now: new Date(),
    }
  }

  app.use((req, res, next) => {
    const given = req.headers['x-request-id']
    res.locals.requestId = typeof given === 'string' && /^[\w-]{8,100}$/.test(given) ? given : randomUUID()
    res.set('X-Request-Id', res.locals.requestId)
    next()
  })
  app.get(
    '/config.json',
    (_req, res) =>
      void res.set('Cache-Control', 'no-store').json({
        issuer: issuerOf(config),
        clientId: config.oidc?.clientId ?? browserClientId,
        resource: audienceOf(config),
        embedded: config.oidc === null,
      }),
  )
  app.use(
    '/trpc',
    express.json({ limit: '10mb' }),
    trpcExpress.createExpressMiddleware({
      router: appRouter,
      maxBatchSize: 50,
      createContext: ({ req, res }) =>
        makeContext(req, res.locals.requestId as string).catch((error) => failed(error, services, res.locals.requestId as string)),
    }),
  )
  const tokenUrl = `${issuerOf(config)}/token`
  app.get('/api/openapi.json', (_req, res) => void res.json(openApi(config.origin, tokenUrl)))
  app.get(['/api', '/api/docs'], (_req, res) => void res.send(openApiPage(openApi(config.origin, tokenUrl))))
  const imports = /\/(import|bulk)$/i
  app.post('/api/Images', imageUpload)
  app.use('/api', (req, res, next) => express.json({ limit: imports.test(req.path) ? '10mb' : '2mb' })(req, res, next))
  app.use((req, res, next) => {
    if (!/^\/api\//i.test(req.path)) return next()
    answer(req, res, () => makeContext(req, res.locals.requestId), res.locals.requestId).catch(next)
  })
  if (!config.oidc) {
    const provider = createProvider(config, store, keys)
    app.use(signInRoutes(provider, store))
    app.use(passwordRoutes(store))
    const handler = provider.callback()
    app.use('/oidc', (req, res) => void handler(req, res))
  }
  page(app, clientFolder)
  app.use((error: Error & { type?: string; status?: number }, _req: Request, res: Response, _next: NextFunction) => {
    if (error.type === 'entity.too.large') return void res.status(413).type('text/plain').send('The call is larger than it may be.')
    if (error.type === 'entity.parse.failed') return void res.status(400).type('text/plain').send('The body of the call is not valid JSON.')
    if (error instanceof DomainError) return void res.status(statusOf[error.kind]).type('text/plain').send(error.message)
    log.error({ err: error, requestId: res.locals.requestId }, 'unexpected')
    res.status(500).type('text/plain').send(`Something went wrong. Reference ${res.locals.requestId}.`)
  })
  return app
}

/** A context whose call will be refused with the error that came first. @throws anything that is not for people to read */
function failed(error: unknown, services: Services, requestId: string): CallContext {
  if (!(error instanceof DomainError)) throw error
  return { services, principal: null, selection: selectionOf(() => undefined), requestId, now: new Date(), refusal: error }
}

/** The built client; any path that is no file is the client's own to answer. */
function page(app: Express, folder: string): void {
  app.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }))
  app.use(express.static(folder, { index: false }))
  app.get('/{*path}', (req, res, next) => {
    if (req.path.startsWith('/oidc/') || !existsSync(join(folder, 'index.html'))) return next()
    res.set('Cache-Control', 'no-cache').sendFile(join(folder, 'index.html'))
  })
}
