import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Express } from 'express'

/** The page's script as one file. The package is made for another server, but carries the file without the hundred packages it is built from. */
const scriptFile = join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
const scriptPath = '/api/docs/scalar.js'

/** How the page shows the API: with nothing from any other address, and nothing kept of what somebody tries. */
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
const beginning = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`

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
    <script>${beginning}</script>
  </body>
</html>
`

let compressed: Promise<Buffer> | undefined

/** Serves the document of the API and the page that shows it, with nothing from any other address. */
export function docsPage(app: Express, documentOf: () => object): void {
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
  // The page begins itself by a script within it: that one, and no other, may run beside the product's files.
  const policy = `'sha256-${createHash('sha256').update(beginning).digest('base64')}'`
  app.get(['/api', '/api/docs'], (_req, res) => {
    const usual = String(res.getHeader('Content-Security-Policy'))
    res
      .set('Content-Security-Policy', usual.replace('script-src', `script-src ${policy}`))
      .type('html')
      .send(html)
  })
}
