import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { findFreePort, type RunningPostgres, startPostgres } from '../../../server/launch/postgres.ts'
import { removeDataFolders } from '../../../server/launch/removeData.ts'
import { type Compose, readCompose } from './compose.ts'
import { buildImage, type Image } from './dockerfile.ts'
import { isInstalled } from './installed.ts'
import { killAndWait, until } from './worker.ts'

const root = join(import.meta.dirname, '../../..')

/** The user of the containers: a separate one if this process is root and may change to it. */
export const containerUser = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : { uid: process.getuid!(), gid: process.getgid!() }

/** Whether Caddy, the deployment’s proxy, is installed. @throws Error in continuous integration if it is missing */
export const hasCaddy = (): boolean => isInstalled('caddy')

/** Checks the project’s Caddyfile with Caddy. @param site the host name, or none @returns Caddy’s error; empty if it is valid */
export function checkCaddyfile(site: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-caddy-'))
  const words = ['validate', '--config', join(root, 'server/launch/Caddyfile'), '--adapter', 'caddyfile']
  const env = { PATH: process.env.PATH, SITE: site, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const { status, stderr, stdout } = spawnSync('caddy', words, { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  return status === 0 ? '' : `${stdout}${stderr}`
}

/**
 * The project’s Caddyfile adapted to this machine: other ports, no change to the system’s trusted authorities, and no wait of two minutes.
 */
function adaptCaddyfile(servers: readonly number[], httpPort: number, metricsPort: number): string {
  return readFileSync(join(root, 'server/launch/Caddyfile'), 'utf8')
    .replace(/dynamic a \{[^}]*\}/, `to ${servers.map((port) => `127.0.0.1:${port}`).join(' ')}`)
    .replace('response_header_timeout 2m', 'response_header_timeout 5s')
    .replace(':9180 {', `http://127.0.0.1:${metricsPort} {`)
    .replace('admin off', `admin off\n\tskip_install_trust\n\thttp_port ${httpPort}`)
}

/**
 * Runs Caddy with the project’s Caddyfile in front of servers of this machine.
 * @param ports of the servers
 * @param outer the trusted outer proxies
 */
export async function startCaddy(ports: readonly number[], outer = '127.0.0.1/32'): Promise<{ origin: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-caddy-'))
  const [port, httpPort, metricsPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  writeFileSync(join(folder, 'Caddyfile'), adaptCaddyfile(ports, httpPort, metricsPort))
  const env = { PATH: process.env.PATH, SITE: `http://:${port}`, OUTER_PROXIES: outer, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], { env, stdio: 'ignore' })
  const stop = (): void => {
    caddy.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const accepts = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
  await until('Caddy listens', accepts).catch((error) => {
    stop()
    throw error
  })
  return { origin: `http://127.0.0.1:${port}`, stop }
}

/**
 * The caller’s address that Caddy passes to a server. @param word the X-Forwarded-For header of the request @param outer the trusted outer
 * proxies
 */
export async function readForwardedAddress(word: string, outer: string): Promise<string> {
  const server = createHttpServer((request, reply) => reply.end(request.headers['x-forwarded-for']))
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  const address = server.address()
  const caddy = await startCaddy([typeof address === 'object' && address ? address.port : 0], outer)
  try {
    return await (await fetch(caddy.origin, { headers: { 'X-Forwarded-For': word } })).text()
  } finally {
    caddy.stop()
    server.close()
  }
}

export interface Running {
  child: ChildProcess
  said: () => string
  ended: Promise<number | null>
  /** The port on which it listens. */
  port: number
}

/**
 * The services of the compose file as plain processes on one machine, from the image that the Dockerfile builds. Each has its command and
 * environment from the compose file; only hosts, ports and folders are replaced by those of this machine.
 */
export class Deployment {
  readonly folder = mkdtempSync(join(tmpdir(), 'bursar-deployment-'))
  readonly compose: Compose
  image!: Image
  /** The URL that users open: that of the proxy. */
  origin = ''
  /** With HTTPS, the port on which Caddy accepts plain HTTP. */
  httpPort = 0
  private database!: RunningPostgres
  private databaseName = 'bursar'
  /** The folder that stands for the containers’ volumes. */
  private volumes = ''
  private redis: Running | null = null
  private redisPort = 0
  private proxyPort = 0
  private readonly others: Deployment[] = []
  private readonly running: Running[] = []
  private readonly upstreams: number[] = []

  constructor(settings: Record<string, string>) {
    this.compose = readCompose(settings)
  }

  /** Builds the image, makes the secrets as the compose file says, and starts PostgreSQL, and Redis if it is installed. */
  async prepare(): Promise<void> {
    chmodSync(this.folder, 0o755)
    const database = startPostgres(join(this.folder, 'database'), ['-c', 'fsync=off'])
    const image = buildImage(this.folder, containerUser)
    this.database = await database
    this.image = await image
    this.volumes = this.image.folder
    await this.prepareSecretsAndPorts()
  }

  /**
   * Another installation of the same image, as on a new machine: with its own secrets, volumes and Redis, and an empty database. The role
   * of servers is shared by the whole PostgreSQL server and has the password of the installation prepared last, so no other may run
   * meanwhile.
   * @param databaseName of its database on the same PostgreSQL server
   */
  async createAnother(settings: Record<string, string>, databaseName: string): Promise<Deployment> {
    const other = new Deployment(settings)
    this.others.push(other)
    chmodSync(other.folder, 0o755)
    other.database = this.database
    other.databaseName = databaseName
    other.image = this.image
    other.volumes = other.folder
    for (const name of ['data', 'exchange']) {
      mkdirSync(join(other.folder, name))
      chownSync(join(other.folder, name), containerUser.uid, containerUser.gid)
    }
    const admin = postgres(this.database.url, { max: 1, onnotice: () => undefined })
    await admin.unsafe(`create database ${databaseName}`)
    await admin.end()
    await other.prepareSecretsAndPorts()
    return other
  }

  /** Makes the secrets, chooses the ports, and starts Redis. */
  private async prepareSecretsAndPorts(): Promise<void> {
    const secretsCommand = /for secret in [^\n]*; done/.exec(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))![0]
    mkdirSync(join(this.folder, 'secrets'))
    spawnSync('sh', ['-c', secretsCommand], { cwd: this.folder, env: { PATH: process.env.PATH } })
    // PostgreSQL’s image reads its password from this file; the embedded database has already chosen one.
    writeFileSync(join(this.folder, 'secrets/postgres_password'), decodeURIComponent(new URL(this.database.url).password))
    this.proxyPort = await findFreePort()
    const origin = new URL(String(this.compose.services.server!.environment!.PUBLIC_URL))
    origin.port = String(this.proxyPort)
    this.origin = origin.origin
    if (isInstalled('redis-server')) {
      this.redisPort = await findFreePort()
      await this.startRedis()
    }
  }

  /** Replaces a container’s paths and hosts by those of this machine. */
  private translate(words: string): string {
    const { port } = new URL(this.database.url)
    return words
      .replace('@postgres:5432/bursar', `@127.0.0.1:${port}/${this.databaseName}`)
      .replace('redis:6379', `127.0.0.1:${this.redisPort}`)
      .replace(/^\/(data|exchange)$/, `${this.volumes}/$1`)
      .replaceAll('/run/secrets/', `${this.folder}/secrets/`)
  }

  /** Starts Redis empty, as after an outage. */
  async startRedis(): Promise<void> {
    const { command } = this.compose.services.redis!
    // Adds a line to Redis’s settings: its port on this machine.
    const words = command!.map((word) => this.translate(word).replace('save ""', `save ""\nport ${this.redisPort}`))
    const redis = this.spawn('redis', words, {}, this.redisPort)
    await until('Redis takes connections', () => redis.said().includes('Ready to accept connections'))
    this.redis = redis
  }

  /** Kills Redis. @returns whether there was one */
  async loseRedis(): Promise<boolean> {
    if (!this.redis) return false
    await killAndWait(this.redis.child)
    this.redis = null
    return true
  }

  /** The environment of a service on this machine. */
  envOf(service: string, port = 0): Record<string, string> {
    const { environment } = this.compose.services[service]!
    const env = Object.fromEntries(Object.entries(environment!).map(([name, value]) => [name, this.translate(String(value))]))
    if (!this.redisPort) {
      delete env.REDIS_URL
      delete env.REDIS_PASSWORD_FILE
    }
    return {
      ...this.image.env,
      ...env,
      PUBLIC_URL: this.origin,
      ...(service === 'worker' ? { WORKER_PORT: String(port) } : { PORT: String(port) }),
    }
  }

  private spawn(name: string, words: readonly string[], env: Record<string, string>, port: number): Running {
    const { IMAGE_NODE, PATH: path } = process.env
    // Uses the image’s version of Node if it was downloaded.
    const PATH = IMAGE_NODE ? `${IMAGE_NODE}:${path}` : path
    const cwd = join(this.image.folder, this.image.workdir)
    const child = spawn(words[0]!, words.slice(1), { cwd, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'], ...containerUser })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream!.on('data', (data) => (output += data))
    const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
    child.once('error', (error) => (output += `${name}: ${error.message}`))
    const one = { child, said: () => output, ended, port }
    this.running.push(one)
    return one
  }

  /** Replaces one of its secrets by that of another installation. */
  takeSecret(name: string, from: Deployment): void {
    cpSync(join(from.folder, 'secrets', name), join(this.folder, 'secrets', name))
  }

  /** Runs a service to its end, or a tool in its container. */
  async runOnce(service: string, command = this.compose.services[service]!.command!, env: Record<string, string> = {}) {
    const one = this.spawn(service, command, { ...this.envOf(service), ...env }, 0)
    return { code: await one.ended, said: one.said() }
  }

  /** Starts a container of a service. @param port that of a killed server, to which the proxy still connects */
  async start(service: 'server' | 'worker', port?: number): Promise<Running> {
    const at = port ?? (await findFreePort())
    const one = this.spawn(service, this.compose.services[service]!.command!, this.envOf(service, at), at)
    if (service === 'server' && !port) this.upstreams.push(at)
    return one
  }

  /** Runs the health check of a service, as Docker does. */
  isHealthy(service: 'server' | 'worker', { port }: Running): boolean {
    const { test } = this.compose.services[service]!.healthcheck!
    const words = test.slice(1).map((word) => word.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`))
    return spawnSync(words[0]!, words.slice(1), { env: { PATH: process.env.PATH } }).status === 0
  }

  /** Starts Caddy with the project’s Caddyfile if it is installed; otherwise a simple TCP forwarder. */
  async startProxy(): Promise<'caddy' | 'forwarder'> {
    if (!isInstalled('caddy')) {
      await this.forward()
      return 'forwarder'
    }
    this.httpPort = await findFreePort()
    const file = adaptCaddyfile(this.upstreams, this.httpPort, await findFreePort())
    writeFileSync(join(this.folder, 'Caddyfile'), file)
    const words = this.compose.services.proxy!.command!.map((word) => word.replace('/etc/caddy/Caddyfile', join(this.folder, 'Caddyfile')))
    const site = String(this.compose.services.proxy!.environment!.SITE)
    const data = join(this.volumes, 'data')
    const proxy = this.spawn(
      'proxy',
      words,
      { SITE: `${site}:${this.proxyPort}`, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data },
      this.proxyPort,
    )
    await until('the proxy takes connections', () => proxy.said().includes('serving initial configuration'))
    return 'caddy'
  }

  /** The certificate of Caddy’s own authority, which signs for names known only on this machine. */
  async authority(): Promise<string> {
    const file = join(this.volumes, 'data/caddy/pki/authorities/local/root.crt')
    await until('Caddy has an authority of its own', () => existsSync(file) && readFileSync(file, 'utf8').includes('END CERTIFICATE'))
    return readFileSync(file, 'utf8')
  }

  private async forward(): Promise<void> {
    const open = new Set<Socket>()
    let turn = 0
    const server = createServer((from) => {
      open.add(from)
      from.on('close', () => open.delete(from))
      const attempt = (remaining: number): void => {
        const to = connect(this.upstreams[turn++ % this.upstreams.length]!, '127.0.0.1')
        to.once('connect', () => {
          from.pipe(to).pipe(from)
          from.once('close', () => to.destroy())
          to.once('close', () => from.destroy())
        })
        to.once('error', () => (remaining ? attempt(remaining - 1) : from.destroy()))
      }
      from.on('error', () => from.destroy())
      attempt(this.upstreams.length)
    })
    await new Promise<void>((done) => server.listen(this.proxyPort, '127.0.0.1', done))
    this.endForwarder = () => {
      server.close()
      for (const one of open) one.destroy()
    }
  }
  private endForwarder = (): void => undefined

  async restartDatabase(): Promise<void> {
    const data = realpathSync(join(this.folder, 'database/postgres'))
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    await until('the database is gone', async () => !(await this.database.isUp()))
    await this.database.restart()
  }

  async end(): Promise<void> {
    await Promise.all(this.others.map((other) => other.stop()))
    await this.stop()
    await this.database?.stop()
    removeDataFolders(join(this.folder, 'database'))
    for (const { folder } of [...this.others, this]) rmSync(folder, { recursive: true, force: true })
  }

  /** Ends its processes, but no database. */
  private async stop(): Promise<void> {
    for (const { child } of this.running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await Promise.all(this.running.map(({ ended }) => ended))
    this.endForwarder()
  }
}
