import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeData } from '../../server/launch/removeData.ts'
import { asOwner, createDatabase, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { findProgram } from '../support/running/programs.ts'

let databaseUrl: string
const folder = mkdtempSync(join(tmpdir(), 'bursar-doctor-'))

/** Runs `npm run doctor` on the installation. @returns its output and exit code */
function doctor(env: Record<string, string> = {}, ...words: string[]): { said: string; code: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [findProgram('doctor'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: ownerUrl(databaseUrl), DATA_KEY: testDataKey, DATA_DIR: folder, DEMO: '1', ...env },
  })
  return { said: stdout, code: status }
}

beforeAll(async () => {
  databaseUrl = await createDatabase()
  atEnd(() => removeData(folder))
})

describe('the doctor of an installation', () => {
  it('reports a healthy installation, including every log', () => {
    const { said, code } = doctor({}, '--verify')
    expect(said).not.toContain('LOOK')
    expect(said).toMatch(/Logs\s+\d+ events of \d+ budgets checked, 0 findings/)
    expect(said).toContain('All is well.')
    expect(code).toBe(0)
  })
  it('says what to do about published passwords, keys sealed with another secret, and a sign-in rule without effect', () => {
    const { said, code } = doctor({
      DEMO: '',
      DATA_KEY: 'another secret of more than 32 characters',
      OIDC_ISSUER: 'http://localhost:1',
      OIDC_CLIENT_ID: 'bursar',
      OIDC_GROUPS: '[{"value":"7","organisation":"Harbour Learning Trust","userGroup":"Pilots"}]',
    })
    expect(said).toContain('OIDC_GROUPS names the user group Pilots of Harbour Learning Trust, but one of the two does not exist.')
    expect(said).toContain('npm run admin -- end-demo')
    expect(said).toContain('were sealed with another DATA_KEY')
    expect(said).toContain('3 things need attention.')
    expect(code).toBe(1)
  })
  it('finds a changed log, a missing administrator, work that nobody does and a sign-in that does not respond', async () => {
    const sql = asOwner(databaseUrl)
    await sql.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`set local session_replication_role = replica`
      await tx`update users set is_administrator = false`
      await tx`update budget_events set actor_id = 1 where (budget_id, version) = (select budget_id, version from budget_events order by 1, 2 limit 1)`
      await tx`
        insert into recalculations (organisation_id, id, budget_id, inputs, started_at)
        select organisation_id, gen_random_uuid(), id, repeat('0', 64), now() - interval '1 hour' from budgets limit 1`
    })
    const { said, code } = doctor({ OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'bursar' }, '--verify')
    expect(said).toContain('npm run admin -- link')
    expect(said).toContain('No issuer with this name responds there')
    expect(said).toContain('1 piece of work waited longer than 10 minutes')
    expect(said).toMatch(/checked, [1-9]\d* findings?/)
    expect(code).toBe(1)
  })
  it('gives a single message if the database is away', () => {
    const { said, code } = doctor({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' })
    expect(said).toContain('The database cannot be reached.')
    expect(said).toContain('1 thing needs attention.')
    expect(said).not.toContain('secret')
    expect(code).toBe(1)
  })
})
