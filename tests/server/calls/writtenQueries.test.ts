import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias, PgDialect, QueryBuilder } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { toBudgetId, toOrganisationId } from '../../../domain/values/ids.ts'
import { budgets, locations } from '../../../drizzle/schema.ts'
import { writeQuery } from '../../../server/core/database/writeQuery.ts'

const drizzle = new PgDialect()
const organisationId = toOrganisationId(3)
const [first, second] = ['a', 'b'].map((digit) => toBudgetId(digit.repeat(24)))

/** One query for each part that a query can have. */
function listQueries(): Record<string, SQL> {
  const select = new QueryBuilder()
  const other = alias(budgets, 'other')
  const counted = select
    .select({ locationId: budgets.locationId, count: sql<number>`count(*)`.as('counted') })
    .from(budgets)
    .groupBy(budgets.locationId)
    .as('by_location')
  return {
    'all columns and a join': select
      .select({ budget: budgets, location: locations.name })
      .from(budgets)
      .innerJoin(locations, eq(locations.id, budgets.locationId))
      .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [first!, second!])))
      .orderBy(asc(budgets.name))
      .limit(5)
      .getSQL(),
    'a table under another name': select.select().from(other).where(isNull(other.savedById)).for('update', { noWait: true }).getSQL(),
    'a subquery with an alias': select.select().from(counted).where(sql`${counted.count} > ${1}`).getSQL(),
    'a query within a condition': select
      .select({ id: locations.id })
      .from(locations)
      .where(and(sql`${'before'} = ${'before'}`, inArray(locations.id, select.select({ id: budgets.locationId }).from(budgets))))
      .getSQL(),
    'values of every kind': sql`select ${null}, ${undefined}, ${true}, ${1.5}, ${'text'}, ${new Date(0)}, ${Buffer.from('bytes')}, ${[1, 'two']}`,
    'encoded values': sql`select ${sql.param(null, budgets.head)}, ${sql.param('2026-01-01', budgets.savedAt)}, ${sql.param([1], locations.id)}`,
    'names and placeholders': sql`select ${sql.identifier('a "name"')}, ${sql.placeholder('later')}, ${sql.param(sql.placeholder('then'), budgets.name)}`,
    'values written into the text': sql`select ${1}, ${sql`${"it's"}`.inlineParams()}, ${2}`,
  }
}

it('every query is written as Drizzle itself writes it, with the same values', () => {
  for (const [name, query] of Object.entries(listQueries())) {
    const { sql: text, params } = drizzle.sqlToQuery(query)
    expect(writeQuery(query), name).toEqual({ sql: text, params })
    expect(text, name).toMatch(/^select /)
  }
})
