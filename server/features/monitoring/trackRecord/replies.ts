import { z } from 'zod'
import type { ForecastTrack } from '../../../../domain/monitoring/trackRecord.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { InPounds } from '../../../../domain/values/units.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { TrackRecord } from './queries.ts'

const track: z.ZodType<InPounds<ForecastTrack>> = z.strictObject({
  forecast: z.number(),
  outturn: z.number(),
  months: z.int(),
  missing: z.int(),
})
const tracked = { closings: z.array(track.nullable()) }
const row = z.strictObject(tracked)
const shape: z.ZodType<InPounds<TrackRecord>> = z.strictObject({
  closings: z.array(z.strictObject({ year: z.int(), month: z.int() })),
  income: row,
  expenditure: row,
  schools: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), income: row, expenditure: row })),
  codes: z.array(
    z.strictObject({
      ...tracked,
      budgetCodeId: z.int().nullable(),
      code: z.string().nullable(),
      description: z.string(),
      isIncome: z.boolean(),
    }),
  ),
  unkept: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string(), year: z.int(), month: z.int() })),
})
export const trackRecordReply = reply(shape)

/** The track record in pounds. */
export function presentTrackRecord(record: TrackRecord): InPounds<TrackRecord> {
  const shown = <T extends { closings: (ForecastTrack | null)[] }>(one: T) => ({
    ...one,
    closings: one.closings.map((each) => each && { ...each, forecast: toPounds(each.forecast), outturn: toPounds(each.outturn) }),
  })
  return {
    ...record,
    income: shown(record.income),
    expenditure: shown(record.expenditure),
    schools: record.schools.map((one) => ({ ...one, income: shown(one.income), expenditure: shown(one.expenditure) })),
    codes: record.codes.map(shown),
  }
}
