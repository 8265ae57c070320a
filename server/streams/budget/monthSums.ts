import { type SQL, sql } from 'drizzle-orm'
import { staffSources } from '../../../domain/budget/sharedSources.ts'

/** As JSON, because the driver reads the nulls of a number array as NaN. */
const twelve = (of: (amount: SQL) => SQL): SQL =>
  sql`to_json(array[${sql.join(
    Array.from({ length: 12 }, (_unused, month) => of(sql.raw(`month_${month + 1}`))),
    sql`, `,
  )}])`

/** Twelve months of a group of `budget_lines` added up, in whole pennies; null where one of them is not calculated. */
export const wholeMonths = twelve((amount) => sql`case when count(*) = count(${amount}) then sum(${amount})::float8 end`)

/** Twelve months of a group of `budget_lines` over what could be calculated, in whole pennies; null where nothing could. */
export const calculatedMonths = twelve((amount) => sql`sum(${amount})::float8`)

/** The sources of lines that are what staff cost, for `source_kind in`. */
export const ofStaff = sql.raw(`(${staffSources.map((source) => `'${source}'`).join(', ')})`)
