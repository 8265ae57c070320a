import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../server/launch/postgres.ts'
import { removeDataFolders } from '../../../server/launch/removeData.ts'
import { killAndWait } from './worker.ts'

/** Fewer connections than one server opens, so that its transactions share them. */
export const poolerConnections = 6

/**
 * Starts PgBouncer in transaction mode in front of all databases of a PostgreSQL, set up as docs/operators/database.md says.
 * @param serverUrl an address of the PostgreSQL for the role of servers and workers
 */
export async function startPgBouncer(serverUrl: string): Promise<{ host: string; stop(): Promise<void> }> {
  const { hostname, port, username, password } = new URL(serverUrl)
  const folder = mkdtempSync(join(tmpdir(), 'bursar-pgbouncer-'))
  const [users, file, ownPort] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini'), await findFreePort()]
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolerConnections}
max_client_conn = 1000
`,
  )
  // As root, it refuses to run and continues as another user, who reads these files.
  for (const path of [folder, users, file]) chmodSync(path, 0o755)
  const words = process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file]
  const child = spawn('pgbouncer', words, { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } })
  let written = ''
  await new Promise<void>((done, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        written += data
        if (written.includes('process up')) done()
      })
    child.on('error', failed)
    child.on('exit', () => failed(new Error(`PgBouncer ended before it was ready.\n${written}`)))
  })
  return {
    host: `127.0.0.1:${ownPort}`,
    async stop() {
      await killAndWait(child)
      removeDataFolders(folder)
    },
  }
}
