import { type SQL, sql } from 'drizzle-orm'
import { staffSources } from '../../../domain/budget/sharedSources.ts'

/** SQL for a list with an aggregate of each of the twelve months. It is JSON, because the driver reads nulls in a number array as NaN. */
const aggregateMonths = (of: (amount: SQL) => SQL): SQL =>
  sql`to_json(array[${sql.join(
    Array.from({ length: 12 }, (_unused, month) => of(sql.raw(`month_${month + 1}`))),
    sql`, `,
  )}])`

/**
 * SQL aggregate of `budget_lines`: twelve monthly sums in whole pennies; null for a month in which any line is not
 * calculated.
 */
export const completeMonthSums = aggregateMonths((amount) => sql`case when count(*) = count(${amount}) then sum(${amount})::float8 end`)

/**
 * SQL aggregate of `budget_lines`: twelve monthly sums in whole pennies of the calculated lines only; null if none is
 * calculated.
 */
export const partialMonthSums = aggregateMonths((amount) => sql`sum(${amount})::float8`)

/** SQL list of the source kinds that make up staff costs, for `source_kind in`. */
export const staffSourceKinds = sql.raw(`(${staffSources.map((source) => `'${source}'`).join(', ')})`)
