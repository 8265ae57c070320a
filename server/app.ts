import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Express, NextFunction, Request, Response } from 'express'
import staticFiles from 'express-static-gzip'
import helmet from 'helmet'
import { DomainError, statusOf } from '../domain/errors.ts'
import { must } from '../domain/must.ts'
import type { Caller, Callers } from './auth/caller.ts'
import { firstAdministratorRoutes } from './auth/firstAdministratorPage.ts'
import type { SigningKeys } from './auth/keys.ts'
import { passwordRoutes } from './auth/passwordPage.ts'
import { audienceOf, browserClientId, createProvider, issuerOf } from './auth/provider.ts'
import { signInRoutes } from './auth/signInPage.ts'
import type { Services } from './core/calls/context.ts'
import type { Config } from './core/config.ts'
import { troubleOf } from './core/database/trouble.ts'
import { log } from './core/log.ts'
import { answerCall } from './http/answerCall.ts'
import { largestBody, largestImport, readBytes, readJson } from './http/body.ts'
import type { Call } from './http/call.ts'
import { health } from './http/health.ts'
import { type HeavyCalls, isHeavy } from './http/heavyCalls.ts'
import { jsonScan, nulSign } from './http/jsonScan.ts'
import { callsIn, isHeavyBatch, mostBytes } from './http/trpcCalls.ts'
import { docsPage } from './rest/docsPage.ts'
import { imageUpload } from './rest/imageUpload.ts'
import { openApi } from './rest/openapi.ts'
import { procedureAt } from './rest/routes.ts'

/** Mounts everything the server answers. */
export function createApp(
  app: Express,
  services: Services,
  heavy: HeavyCalls,
  { keys, callers }: { keys: SigningKeys; callers: Callers },
  clientFolder: string,
): Express {
  const { config, store, limits } = services
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  app.use(headersOf(config))
  health(app, services)
  app.use((req, res, next) => {
    const given = req.headers['x-request-id']
    res.locals.requestId = typeof given === 'string' && /^[\w-]{8,100}$/.test(given) ? given : randomUUID()
    res.set('X-Request-Id', res.locals.requestId)
    // Fetch, by which the browser's calls are answered, knows no such method.
    if (req.method === 'TRACE') throw new DomainError('invalid', 'method', 'The method TRACE is not offered. Use GET or POST.')
    checkAddress(req.originalUrl)
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
  const tokenUrl = `${issuerOf(config)}/token`
  docsPage(app, () => openApi(config.origin, tokenUrl))

  /** Who calls; what cannot be found out for want of a database refuses the call in words. */
  const identify = (req: Request, calls: number): Promise<Caller> =>
    callers.of(req, calls).catch((error) => {
      const trouble = troubleOf(error)
      if (!trouble) throw error
      log.warn({ err: error }, 'nobody could be asked who calls')
      return { principal: null, refusal: new DomainError('unavailable', trouble.code, trouble.message) }
    })
  // What an answer says of people and their pay is for who asked, and kept by no browser and no proxy.
  app.use(['/api', '/trpc'], (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  /** Answers a call here, or in the thread of the long ones. Its body is read only when it is known who calls. */
  const take = async (
    way: Call['way'],
    req: Request,
    res: Response,
    { isLong, most }: { isLong: boolean; most: number },
  ): Promise<void> => {
    const path = req.path.slice(1)
    const caller = await identify(req, way === 'trpc' ? callsIn(path) : 1)
    const isTaken = Boolean(caller.principal && !caller.refusal)
    let body: unknown
    if (isTaken)
      try {
        if (typeof req.query.input === 'string') jsonScan()(Buffer.from(req.query.input))
        if (way === 'rest' && /^\/api\/images$/i.test(req.path) && req.method === 'POST') body = await imageUpload(req, res)
        else body = await (isLong ? readBytes(req, most) : readJson(req, most))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        caller.refusal = error
      }
    const call: Call = {
      way,
      method: req.method,
      url: req.originalUrl,
      headers: Object.fromEntries(Object.entries(req.headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
      caller,
      requestId: res.locals.requestId,
      body,
    }
    const inThread = isTaken && isLong && !caller.refusal
    const reply = await (inThread ? heavy.answer(call) : answerCall(services, call)).catch((error) => {
      if (!(error instanceof DomainError)) throw error
      return answerCall(services, { ...call, body: undefined, caller: { principal: null, refusal: error } })
    })
    // The thread tells of changed rights too, but nobody is to wait for that to come round.
    if (inThread) callers.forget()
    res.status(reply.status).set(reply.headers)
    res.end(reply.body)
  }
  app.use('/trpc', (req, res) => {
    const path = req.path.slice(1)
    return take('trpc', req, res, { isLong: isHeavyBatch(path), most: mostBytes(path) })
  })
  app.use((req, res, next) => {
    // A few calls stand at a second address outside of /api.
    const procedure = procedureAt(req.method, req.path)
    if (!procedure && !/^\/api\//i.test(req.path)) return next()
    res.set('Cache-Control', 'no-store')
    const most = /\/(import(\/\d+\/\d+)?|bulk)$/i.test(req.path) ? largestImport : largestBody
    return take('rest', req, res, { isLong: isHeavy(procedure ?? ''), most })
  })
  app.use(firstAdministratorRoutes(store, config.oidc === null, limits))
  if (!config.oidc) {
    const provider = createProvider(config, store, keys, limits)
    app.use(['/oidc', '/interaction'], (req, _res, next) => {
      asReached(req, config)
      next()
    })
    app.use(signInRoutes(provider, store, limits))
    app.use(passwordRoutes(config, store, limits))
    const handler = provider.callback()
    app.use('/oidc', (req, res) => void handler(req, res))
  }
  page(app, clientFolder)
  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
    const say = (status: number, text: string): void => void res.status(status).type('text/plain').send(text)
    if (res.headersSent) return void res.destroy()
    if (error instanceof DomainError) return say(statusOf[error.kind], error.message)
    if (error instanceof URIError) return say(400, 'The address cannot be read.')
    if (error.status === 404) return say(404, 'There is nothing at this address.')
    if (error.status && error.status >= 400 && error.status < 500) return say(error.status, 'The call cannot be read.')
    const trouble = troubleOf(error)
    log.error({ err: error, requestId: res.locals.requestId }, 'unexpected')
    if (trouble) return say(503, trouble.message)
    say(500, `Something went wrong. Reference ${res.locals.requestId}.`)
  })
  return app
}

function headersOf(config: Config) {
  return helmet({
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
  })
}

/** @throws DomainError 400 for an address with U+0000 in it, plain or within JSON; URIError for one that cannot be decoded */
function checkAddress(address: string): void {
  if (/%00|\\u0000|%5cu0000/i.test(address)) throw nulSign()
  decodeURIComponent(must(address.split('?')[0]))
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
