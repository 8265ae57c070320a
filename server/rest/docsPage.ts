import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { apiReference } from '@scalar/express-api-reference'
import type { Express } from 'express'
import { must } from '../../domain/must.ts'

/** The page's script as one file, which the package of the same page for another server carries. */
const scriptFile = join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
const scriptPath = '/api/docs/scalar.js'

let compressed: Promise<Buffer> | undefined

/** Serves the document of the API and the page that shows it, with nothing from any other address. */
export function docsPage(app: Express, documentOf: () => object): void {
  let document: string | undefined
  app.get('/api/openapi.json', (_req, res) => {
    document ??= JSON.stringify(documentOf())
    res.type('application/json').send(document)
  })
  const html = pageOf({
    url: '/api/openapi.json',
    cdn: scriptPath,
    pageTitle: 'Bursar API',
    theme: 'default',
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    agent: { disabled: true, hideAddApi: true },
    persistAuth: false,
    documentDownloadType: 'json',
    defaultOpenAllTags: false,
    metaData: { title: 'Bursar API' },
    favicon: '/icon.svg',
    authentication: { preferredSecurityScheme: 'oauth' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    customCss: ":root { --scalar-font: 'Inter Variable', system-ui, sans-serif; }",
  })
  app.get(scriptPath, async (req, res) => {
    res.type('text/javascript').set({ 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' })
    if (!req.acceptsEncodings('gzip')) return void res.sendFile(scriptFile)
    compressed ??= readFile(scriptFile).then(promisify(gzip))
    res.set('Content-Encoding', 'gzip').send(await compressed)
  })
  const policy = scriptsOf(html)
  app.get(['/api', '/api/docs'], (_req, res) => {
    const usual = String(res.getHeader('Content-Security-Policy'))
    res
      .set('Content-Security-Policy', usual.replace('script-src', `script-src ${policy}`))
      .type('html')
      .send(html)
  })
}

/** The page, which is the same for everybody. */
function pageOf(configuration: Parameters<typeof apiReference>[0]): string {
  let html = ''
  const kept = { type: () => ({ send: (made: string) => (html = made) }) }
  // The package only sends what it has made: the reply it is given keeps it.
  apiReference(configuration)({} as never, kept as never, () => undefined)
  return html
}

/** The page begins itself by a script within it: that one, and no other, may run beside the product's files. */
function scriptsOf(html: string): string {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, script]) => `'sha256-${createHash('sha256').update(must(script)).digest('base64')}'`)
    .join(' ')
}
