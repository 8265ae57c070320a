import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { proposalKinds } from '../../../shared/staffFiles/comparing.ts'

const count = z.int().min(0)
const change = z.strictObject({ field: z.string(), before: z.string(), after: z.string() })
const cellProblem = z.strictObject({ row: z.int(), column: z.string().nullable(), value: z.string().nullable(), message: z.string() })

const staffChange = z
  .strictObject({
    kind: z.enum(proposalKinds),
    token: z.string().describe('Identifies the person and everything that would change; used to accept or dismiss the change.'),
    rows: z.array(z.int()).describe('The rows of the file it comes from; 1 is the first under the headings.'),
    employeeNumber: z.string(),
    personName: z.string(),
    contractId: z.string().brand<'ContractId'>().nullable(),
    contractName: z.string().nullable(),
    changes: z.array(change),
    notes: z.array(z.string()),
    problems: z.array(cellProblem).describe('Why it cannot be accepted as it is.'),
    isLeft: z.boolean().describe('Whether it was dismissed.'),
  })
  .meta({ id: 'StaffChange' })

/** The latest staff file of a location, and how the budget differs from it. */
export const changes = reply(
  z
    .strictObject({
      file: z.strictObject({ name: z.string(), day: z.iso.date(), takenAt: z.string(), takenBy: z.string().nullable(), rows: count }),
      changes: z.array(staffChange),
      same: count.describe('The number of contracts that agree with the file.'),
      withoutNumber: count.describe('Rows without an employee number, which are ignored.'),
    })
    .nullable()
    .meta({ id: 'StaffChanges', description: 'Null if there is no staff file for the location.' }),
)

/** The latest staff file of a location; null if there is none. */
export const latestFile = reply(z.strictObject({ name: z.string(), day: z.iso.date(), takenAt: z.string() }).nullable())

export const importedFile = reply(z.strictObject({ rows: count }).meta({ id: 'StaffFileTaken' }))

export const acceptedChanges = reply(
  z.strictObject({ people: count, created: count, updated: count, ended: count }).meta({
    id: 'StaffChangesAccepted',
    description: 'How many people and contracts were added, and how many contracts were changed and ended.',
  }),
)
