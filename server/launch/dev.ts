import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProxyOptions } from 'vite'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { firstAdministratorPath } from '../auth/firstAdministrator.ts'
import { outsideCallbackPath } from '../auth/outside/issuer.ts'
import { forgottenPasswordPath } from '../auth/passwords/forgottenPasswordPage.ts'
import { passwordLinkPath } from '../auth/passwords/passwordLinkMail.ts'
import { root } from '../core/root.ts'
import { env as environment } from '../core/settings.ts'
import { startDevelopmentBuild } from './bundle.ts'
import type { ChildProgram } from './children.ts'
import { launch } from './launcher.ts'
import { findFreePort } from './postgres.ts'

/** The paths that the server answers; Vite serves all others. */
const serverPaths = [
  '/api',
  '/trpc',
  '/OrganisationHub',
  '/oidc',
  '/interaction',
  outsideCallbackPath,
  passwordLinkPath,
  forgottenPasswordPath,
  firstAdministratorPath,
  '/config.json',
  '/healthz',
  '/readyz',
]

const watchedFolders = ['domain', 'drizzle', 'server', 'worker'].map((folder) => join(root, folder))

/** How long to collect changed files, so that files saved together cause one restart. */
const changeCollectionMs = 100

/** Makes stack traces refer to lines of the sources. */
const nodeOptions = ['--enable-source-maps']

/** Whether a request is for the server: by its path, method or bearer token. Some REST paths are also paths of pages. */
function isServerRequest({ url = '/', method, headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?')
  const isRead = method === 'GET' || method === 'HEAD'
  return (
    !isRead ||
    headers.authorization !== undefined ||
    serverPaths.some((serverPath) => path === serverPath || path.startsWith(`${serverPath}/`))
  )
}

/**
 * `npm run dev`: runs the product at one address and applies changes to the sources at once. Vite serves the client. After a change to the
 * server or worker, new processes replace the old ones once they are ready.
 */
await launch(async ({ port, children, step, prepare, atStop }) => {
  const programs = await startDevelopmentBuild(root, port)
  atStop(() => programs.close())
  const bundled = step('Programs', async () => {
    if (!(await programs.rebuild())) throw new Error('The server could not be bundled; the reason is above.')
    return programs.folder
  })
  // Vite copies these options, so keep a reference to its copy: the target changes with each new server.
  let proxy: ProxyOptions = {
    ws: true,
    bypass: (req) => (isServerRequest(req) ? undefined : req.url),
    configure: (_proxy, options) => void (proxy = options),
  }
  const client = step('Vite', async () => {
    const { createServer } = await import('vite')
    const server = { port, strictPort: true, proxy: { '^/': proxy } }
    return createServer({ root: join(root, 'client'), configFile: join(root, 'vite.config.ts'), server })
  })
  // The first failure is reported below; without this, a second one would be an unhandled rejection.
  for (const other of [bundled, client]) other.catch(() => undefined)
  const { env, prepareAgain } = await prepare(bundled)
  const vite = await client
  atStop(() => vite.close())

  let running: readonly ChildProgram[] = []
  async function startPrograms(): Promise<void> {
    const serverPort = await findFreePort()
    // Leave out the fixed ports, which the old processes hold until the new ones are ready.
    const { METRICS_PORT: _metrics, WORKER_PORT: _health, ...others } = env
    const programEnv = { ...others, PORT: String(serverPort), PUBLIC_URL: environment.PUBLIC_URL || `http://localhost:${port}` }
    const starting = ['server', 'worker'].map((name) =>
      children.start(name, { script: join(programs.folder, `${name}.mjs`), env: programEnv, nodeOptions }),
    )
    const started = (await Promise.allSettled(starting)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (started.length < starting.length) {
      await Promise.all(started.map((child) => child.end()))
      await Promise.all(starting)
    }
    proxy.target = `http://localhost:${serverPort}`
    const before = running
    running = started
    await Promise.all(before.map((child) => child.end()))
  }

  let isDatabaseOld = false
  /** @param files the changed files */
  async function restart(files: readonly string[]): Promise<void> {
    const began = performance.now()
    isDatabaseOld ||= files.some((file) => file.startsWith(join(root, 'drizzle')))
    if (!(await programs.rebuild())) return console.error('Not restarted: the server does not compile. Correct it and save again.')
    if (isDatabaseOld) await prepareAgain()
    isDatabaseOld = false
    await startPrograms()
    console.log(`Server and worker restarted in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  }

  await step('Server and worker', startPrograms)
  await vite.listen()

  let changed: string[] = []
  let restarting = Promise.resolve()
  vite.watcher.add(watchedFolders)
  vite.watcher.on('all', (_event, file) => {
    if (!watchedFolders.some((folder) => file.startsWith(folder)) || changed.push(file) > 1) return
    restarting = restarting
      .then(() => wait(changeCollectionMs))
      .then(() => {
        const files = changed
        changed = []
        return restart(files)
      })
      .catch((error) => console.error(`Not restarted: ${getErrorMessage(error)}`))
  })
})
