import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { findFreePort, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { serve } from '../../server/serve.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { allRows, behaviourRows, presentCalls, refusedCalls } from './rows.ts'

/**
 * `npm run contract`: reports how much of the contract tables the product implements. A missing or different row fails, and so does a call
 * that is not served.
 */
const folder = mkdtempSync(join(tmpdir(), 'bursar-contract-'))
const postgres = await startPostgres(folder)
let problems = 0
try {
  const databaseUrl = await migrateDatabase(postgres.url)
  const store = openStore({ databaseUrl: postgres.url, dataKey: testDataKey }, 2)
  await loadDemo(store)
  await store.close()
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const server = await serve({
    port,
    workerPort: null,
    origin,
    databaseUrl,
    databaseDirectUrl: null,
    databaseReadUrl: null,
    dataKey: testDataKey,
    redisUrl: null,
    redisSentinels: null,
    queuePrefix: 'contract',
    oidc: null,
    mail: null,
    outboundNetworks: [],
    exchangeDir: null,
    trustProxy: false,
    anchors: null,
    metrics: null,
    logLevel: 'silent',
    production: false,
    demo: true,
  })

  const rows = allRows()
  for (const table of new Set(rows.map((row) => row.table))) {
    const own = rows.filter((row) => row.table === table)
    const exists = own.filter((row) => row.state === 'exists').length
    const differs = own.filter((row) => row.state === 'differs')
    console.log(
      `${table.padEnd(12)} ${String(exists).padStart(4)} of ${own.length} exist, ${own.length - exists - differs.length} do not yet${differs.length ? `, ${differs.length} differ` : ''}`,
    )
    for (const row of differs) console.log(`  differs: ${row.row}: ${row.how}`)
    for (const row of own) if (row.state === 'missing') console.log(`  not yet: ${row.row}`)
    problems += own.length - exists
  }
  // The tables are compared with the procedures’ declarations; whether each call is served is asked of the running product.
  let served = 0
  for (const { method, path } of presentCalls()) {
    const reply = await fetch(origin + path, { method, headers: { ApiVersion: '2' } })
    if (reply.status === 401) served++
    else console.log(`  not served: ${method} ${path} answered ${reply.status}`)
  }
  problems += presentCalls().length - served
  console.log(`served       ${String(served).padStart(4)} of ${presentCalls().length} calls that exist answer, and ask who calls`)
  const token = (
    (await (
      await fetch(`${origin}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: 'harbour-payroll',
          client_secret: 'harbour-payroll-demo-secret',
          scope: 'api',
        }),
      })
    ).json()) as { access_token: string }
  ).access_token
  let refused = 0
  for (const { method, path } of refusedCalls())
    if (
      (await fetch(origin + path.replace(/\{[^}]*\}/g, '1'), { method, headers: { ApiVersion: '2', Authorization: `Bearer ${token}` } }))
        .status === 501
    )
      refused++
  problems += refusedCalls().length - refused
  console.log(`refused      ${String(refused).padStart(4)} of ${refusedCalls().length} operations without a path answer “Not Implemented”`)
  const behaviours = behaviourRows()
  const untested = behaviours.filter((row) => row.state === 'missing')
  console.log(
    `behaviours   ${String(behaviours.length - untested.length).padStart(4)} of ${behaviours.length} have a test that names them; without a test:`,
  )
  for (const row of untested) console.log(`  ${row.row}`)
  problems += untested.length
  await server.close()
} finally {
  await postgres.stop()
  removeDataFolders(folder)
}
process.exit(problems ? 1 : 0)
