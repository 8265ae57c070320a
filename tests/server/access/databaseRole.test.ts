import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toBudgetId, toOrganisationId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { openQueues } from '../../../server/core/queue/queues.ts'
import { serve } from '../../../server/serve.ts'
import { runWorker } from '../../../worker/runWorker.ts'
import { connectAsOwner, createDatabase, ownerUrl } from '../../support/product/database.ts'
import { testDataKey } from '../../support/product/dataKey.ts'
import { configOf } from '../../support/product/product.ts'

let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await createDatabase()
})

/** The database connections of a server: that of its store and that of its queue. */
const connections: Record<
  string,
  (url: string) => Promise<{ run(statement: string): Promise<Record<string, unknown>[]>; close(): Promise<void> }>
> = {
  store: async (url) => {
    const store = openStore({ databaseUrl: url, dataKey: testDataKey }, 1)
    return { run: async (statement) => [...(await store.client.unsafe(statement))], close: store.close }
  },
  queue: async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return { run: async (statement) => (await client.query(statement)).rows, close: () => client.end() }
  },
}

for (const [name, open] of Object.entries(connections))
  describe(`the database connection of a server’s ${name}`, () => {
    let own: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      own = await open(databaseUrl)
    })
    afterAll(() => own.close())

    it('cannot become another role: not with SET ROLE NONE, not as postgres, not as a role that reads files', async () => {
      await own.run('set role none')
      expect(await own.run('select session_user, current_user')).toEqual([{ session_user: 'bursar_app', current_user: 'bursar_app' }])
      for (const role of ['postgres', 'pg_read_server_files', 'pg_database_owner', 'pg_execute_server_program'])
        await expect(own.run(`set role ${role}`), role).rejects.toThrow(/permission denied/)
      await expect(own.run('set session authorization postgres')).rejects.toThrow(/permission denied/)
      await expect(own.run('alter role bursar_app superuser')).rejects.toThrow(/permission denied|must be/i)
      await expect(own.run('grant postgres to bursar_app')).rejects.toThrow(/permission denied|must/i)
    })
    it('cannot disable what keeps the log append-only, nor change or take over a table', async () => {
      for (const statement of [
        'alter table budget_events disable trigger all',
        'alter table budget_events disable row level security',
        'alter table public.staff_members no force row level security',
        'drop table public.budget_events',
        'drop trigger append_only on public.budget_events',
        'create or replace function public.refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
        'truncate public.budget_events',
        'update public.budget_events set type = type',
        "set session_replication_role = 'replica'",
        'alter table bullmq.job add column x int',
        'create table public.x (a int)',
      ])
        await expect(own.run(statement), statement).rejects.toThrow(/must be owner|permission denied/)
    })
    it('can neither read files of the machine nor run programs there', async () => {
      await expect(own.run("select pg_read_file('/etc/passwd')")).rejects.toThrow(/permission denied/)
      await expect(own.run("copy (select 1) to program 'true'")).rejects.toThrow(/permission denied/)
      await expect(own.run("select lo_import('/etc/passwd')")).rejects.toThrow(/permission denied/)
    })
  })

it('sends nothing more of a read after its transaction has failed, so that it cannot affect another call', async () => {
  const store = openStore({ databaseUrl, dataKey: testDataKey }, 2)
  try {
    for (const purpose of ['page', 'change'] as const) {
      const going: Promise<unknown>[] = []
      const failing = store.inOrganisation(
        toOrganisationId(1),
        async (tx) => {
          const slow = tx.execute(sql`select pg_sleep(0.1)`).then(() => tx.execute(sql`select 1`))
          going.push(slow.catch(({ cause }) => cause))
          throw new Error('This part failed.')
        },
        purpose,
      )
      await expect(failing).rejects.toThrow('This part failed.')
      expect(await Promise.all(going)).toMatchObject([{ message: 'A statement came after the end of its transaction.' }])
      expect(await store.inOrganisation(toOrganisationId(1), async (tx) => [...(await tx.execute(sql`select 2 as two`))], purpose)).toEqual(
        [{ two: 2 }],
      )
    }
  } finally {
    await store.close()
  }
})
describe('the database role of servers and workers', () => {
  it('is a member of no other, owns nothing, and takes over nobody’s rights', async () => {
    const [role] = await connectAsOwner(databaseUrl)`
      select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolinherit, rolcanlogin,
        (select count(*)::int from pg_auth_members where member = pg_roles.oid) as belongs_to,
        (select count(*)::int from pg_class where relowner = pg_roles.oid) as owns
      from pg_roles where rolname = 'bursar_app'`
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      rolinherit: false,
      rolcanlogin: true,
      belongs_to: 0,
      owns: 0,
    })
  })
  it('is sufficient for the queue', async () => {
    const queues = await openQueues(await configOf(databaseUrl))
    expect(await queues.findProblem()).toBeNull()
    await queues.wakeFill(toOrganisationId(1), [{ budgetId: toBudgetId('0123456789abcdef01234567'), attempts: 0 }])
    await queues.close()
  })
  it('is the only one accepted: a server or worker that would sign in as the owner ends with one sentence', async () => {
    const config = await configOf(ownerUrl(databaseUrl))
    const said = /^DATABASE_URL signs in as postgres, which has more rights than a server needs\. .*bursar_app.*DATABASE_APP_PASSWORD\.$/
    await expect(serve(config)).rejects.toThrow(said)
    await expect(runWorker(config)).rejects.toThrow(said)
  })
})

describe('an installation in production', () => {
  it('does not start while the demo users have their published password, unless it is declared to be a demonstration', async () => {
    const config = { ...(await configOf(databaseUrl)), production: true, demo: false }
    await expect(serve(config)).rejects.toThrow(
      /^The demo people and API clients of this database still have their published passwords\..*DEMO=1/,
    )
    const server = await serve({ ...config, demo: true })
    await server.close()
  })
})
