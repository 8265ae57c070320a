import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(resolve(import.meta.dirname, '../..'), 'drizzle/migrations')

/** The last migration written before the rule. Later ones must keep the previous version of the product working while they run. */
const lastBefore = '0022_organisation_keys'

/** Statements that break the previous version of the product, and what to do instead. */
const breaking: [RegExp, string][] = [
  [/\bDROP\s+TABLE\b/i, 'drop the table in the version after the one that no longer asks for it'],
  [/\bDROP\s+COLUMN\b/i, 'drop the column in the version after the one that no longer asks for it'],
  [/\bRENAME\b/i, 'add the new one beside it, write both, and drop the old one a version later'],
  [/\bSET\s+NOT\s+NULL\b/i, 'give it a default, by which the version before fills it'],
  [/\bADD\s+COLUMN\b(?![^;]*\bDEFAULT\b)[^;,]*\bNOT\s+NULL\b/i, 'give it a default, by which the version before fills it'],
  [/\bALTER\s+TYPE\b|\bSET\s+DATA\s+TYPE\b|\bALTER\s+COLUMN\s+\S+\s+TYPE\b/i, 'add a column of the new type beside it'],
]

/** Migrations that may break the previous version, each with the reason why that loses nothing. */
const exceptions: Record<string, string> = {
  '0025_posted_lines':
    'The table that goes comes back as a view of the same columns, which the version before reads and writes; upgrade.test.ts has it do so',
}

/** @returns the statements of a migration that break the previous version */
function breaksIn(sql: string): string[] {
  const statements = sql.replace(/--.*$/gm, '').split(';')
  return statements.flatMap((statement) =>
    breaking
      .filter(([what]) => what.test(statement) && !(/SET\s+NOT\s+NULL/i.test(statement) && /SET\s+DEFAULT/i.test(sql)))
      .map(([, instead]) => `${statement.trim().replace(/\s+/g, ' ').slice(0, 80)}: ${instead}`),
  )
}

const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace('.sql', ''))

describe('a migration', () => {
  it('only adds, so that the previous version of the product keeps working while it runs', () => {
    const wrong = migrations
      .filter((name) => name > lastBefore && !exceptions[name])
      .flatMap((name) => breaksIn(readFileSync(join(folder, `${name}.sql`), 'utf8')).map((one) => `${name}: ${one}`))
    expect(wrong).toEqual([])
    expect(Object.keys(exceptions).filter((name) => !migrations.includes(name))).toEqual([])
    expect(migrations).toContain(lastBefore)
  })
  it.each([
    'DROP TABLE "a"',
    'ALTER TABLE "a" DROP COLUMN "b"',
    'ALTER TABLE "a" RENAME COLUMN "b" TO "c"',
    'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL',
    'ALTER TABLE "a" ADD COLUMN "b" text NOT NULL',
    'ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint',
    "ALTER TYPE \"kind\" RENAME VALUE 'a' TO 'b'",
  ])('that would break the previous version is recognised: %s', (statement) => {
    expect(breaksIn(statement)).not.toEqual([])
  })
  it.each([
    'CREATE TABLE "a" ("b" text NOT NULL)',
    'ALTER TABLE "a" ADD COLUMN "b" text DEFAULT \'\' NOT NULL',
    'ALTER TABLE "a" ADD COLUMN "b" text',
    '-- DROP TABLE "a" comes a version later\nCREATE INDEX "a_b" ON "a" ("b")',
  ])('that only adds is accepted: %s', (statement) => {
    expect(breaksIn(statement)).toEqual([])
  })
  it('is compared only with the newest snapshot, so that older ones need not be kept', () => {
    const snapshots = readdirSync(join(folder, 'meta')).filter((name) => name.endsWith('_snapshot.json'))
    const newest = `${migrations.toSorted().at(-1)?.slice(0, 4)}_snapshot.json`
    expect(snapshots.filter((name) => name !== newest).map((name) => `delete drizzle/migrations/meta/${name}`)).toEqual([])
  })
})
