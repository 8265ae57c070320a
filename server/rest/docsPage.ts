import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Express } from 'express'

/** Scalar as one bundled file. Its package for Fastify contains the file without installing a hundred dependencies. */
const scriptFile = join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
const scriptPath = '/api/docs/scalar.js'

/** Settings of Scalar: it loads nothing from other sites, and stores nothing that the reader enters. */
const configuration = {
  url: '/api/openapi.json',
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
}
const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`

const html = `<!doctype html>
<html lang="en">
  <head>
    <title>Bursar API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="${scriptPath}"></script>
    <script>${startScript}</script>
  </body>
</html>
`

let compressed: Promise<Buffer> | undefined

/** Mounts the OpenAPI document and a page that displays it. */
export function mountApiDocs(app: Express, documentOf: () => object): void {
  let document: string | undefined
  app.get('/api/openapi.json', (_req, res) => {
    document ??= JSON.stringify(documentOf())
    res.type('application/json').send(document)
  })
  app.get(scriptPath, async (req, res) => {
    res.type('text/javascript').set({ 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' })
    if (!req.acceptsEncodings('gzip')) return void res.sendFile(scriptFile)
    compressed ??= readFile(scriptFile).then(promisify(gzip))
    res.set('Content-Encoding', 'gzip').send(await compressed)
  })
  // The page needs one inline script; the policy allows exactly that one, by its hash.
  const scriptHash = `'sha256-${createHash('sha256').update(startScript).digest('base64')}'`
  app.get(['/api', '/api/docs'], (_req, res) => {
    const usual = String(res.getHeader('Content-Security-Policy'))
    res
      .set('Content-Security-Policy', usual.replace('script-src', `script-src ${scriptHash}`))
      .type('html')
      .send(html)
  })
}
