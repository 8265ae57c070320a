import { sql } from 'drizzle-orm'
import type { Express } from 'express'
import type { Services } from '../core/calls/context.ts'
import type { Store } from '../core/database/database.ts'
import { remedies, troubleOf } from '../core/database/trouble.ts'
import { isMigrated } from '../launch/databaseChecks.ts'

const late = 'The database or the queue did not answer within three seconds.'
const old = 'The database has not been migrated to this version.'

/** @returns why a check does not hold, in words; `''` where nobody knows, null when it holds */
async function problemOf(check: () => Promise<string | null>): Promise<string | null> {
  const tooLate = new Promise<string>((done) => setTimeout(() => done(late), 3000).unref())
  return Promise.race([
    check().catch((error) => {
      const trouble = troubleOf(error)
      return trouble ? remedies[trouble.code] : ''
    }),
    tooLate,
  ])
}

/**
 * Kilobytes that PostgreSQL writes to its disk and forgets at once, since more is sorted than may stand in memory: a disk that is full refuses
 * them, while it still reads.
 */
async function writeToDisk({ db }: Store): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64kB'`)
    await tx.execute(sql`select count(*) from (select from generate_series(1, 4000) number order by number desc offset 0) sorted`)
  })
}

/** `/healthz`: the process answers. `/readyz`: so do the database, the queue and all migrations, or it says in words why not. Neither asks for a sign-in. */
export function health(app: Express, { store, queues }: Services): void {
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', async (_req, res) => {
    const [database, queue, migrations] = await Promise.all([
      problemOf(() => writeToDisk(store).then(() => null)),
      problemOf(() => queues.ping().then(() => null)),
      problemOf(async () => ((await isMigrated(store)) ? null : old)),
    ])
    const problems = [database, queue, migrations]
    const ready = problems.every((problem) => problem === null)
    const problem = problems.find((one) => one)
    res.status(ready ? 200 : 503).json({
      status: ready ? 'ok' : 'not ready',
      database: database === null,
      queue: queue === null,
      migrations: migrations === null,
      ...(problem ? { problem } : {}),
    })
  })
}
