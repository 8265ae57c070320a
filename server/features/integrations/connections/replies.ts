import { z } from 'zod'
import { connectionKindNames } from '../../../../domain/integrations/connections/all.ts'
import { connectionStates, exchangeFormats, runOutcomes } from '../../../../domain/integrations/connections/connection.ts'
import type { FieldMapping } from '../../../../domain/integrations/connections/mapping.ts'
import { scheduleIntervals } from '../../../../domain/integrations/connections/schedule.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { Connection, ConnectionSample, FileRunResult } from '../../../shared/integrations/connections/queries.ts'

const mappedColumns = z.array(z.strictObject({ column: z.string(), field: z.string(), text: z.string() }))
const mapping: z.ZodType<FieldMapping> = z.strictObject({ records: z.string(), columns: mappedColumns })

const connection: z.ZodType<Connection> = z
  .strictObject({
    id: z.int(),
    version: z.int(),
    created: z.string(),
    name: z.string(),
    kind: z.enum(connectionKindNames),
    credentialId: z.int(),
    path: z.string(),
    format: z.enum(exchangeFormats),
    schedule: z.strictObject({ every: z.enum(scheduleIntervals), at: z.string(), day: z.int() }),
    file: z
      .strictObject({
        preset: z.string().nullable(),
        layoutId: z.int().nullable(),
        yearName: z.string(),
        locationIds: z.array(z.int().brand<'LocationId'>()).nullable(),
        from: z.int(),
        to: z.int(),
      })
      .nullable(),
    mapping: mapping.nullable().describe('How the other system’s fields map to columns; null if they match the example.'),
    destination: z.string().describe('The host in its credential when the connection was saved.'),
    state: z.enum(connectionStates),
    nextRun: z.string().nullable().describe('Null if it does not run automatically.'),
    isUnderWay: z.boolean().describe('Whether a worker is running it, or is about to.'),
    problem: z.string().nullable().describe('The problem in its last run, in one sentence; null if there was none.'),
  })
  .meta({ id: 'Connection' })

const run: z.ZodType<FileRunResult> = z
  .strictObject({
    id: z.int(),
    at: z.string(),
    askedById: z.int().brand<'UserId'>().nullable().describe('Who started it; null if it ran on its schedule.'),
    outcome: z.enum(runOutcomes),
    file: z.string().nullable(),
    rows: z.int().nullable(),
    message: z.string(),
  })
  .meta({ id: 'ConnectionRun' })

const found: z.ZodType<ConnectionSample> = z.strictObject({
  at: z.string(),
  lists: z.array(
    z.strictObject({
      records: z.string(),
      fields: z.array(z.string()),
      rows: z.array(z.record(z.string(), z.string())),
      suggested: mappedColumns,
    }),
  ),
})

export const connectionReply = reply(connection)
export const connections = reply(z.array(connection))
export const runs = reply(z.array(run))
export const sample = reply(found.nullable())
