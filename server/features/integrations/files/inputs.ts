import { z } from 'zod'
import { outgoingFileKinds } from '../../../../domain/integrations/files/connections.ts'
import { cellMeaningNames, findLayoutProblems } from '../../../../domain/integrations/files/layout.ts'
import { presets } from '../../../../domain/integrations/files/presets.ts'

const account = z.string().trim().max(50, 'An account can have at most 50 characters.')

const layout = z
  .object({
    columns: z
      .array(
        z.object({
          heading: z.string().trim().max(100, 'A heading can have at most 100 characters.'),
          meaning: z.enum(cellMeaningNames),
          text: z.string().trim().max(200, 'The text of a column can have at most 200 characters.'),
        }),
      )
      .min(1, 'Add a column.')
      .max(60, 'A file can have at most 60 columns.'),
    hasHeadings: z.boolean(),
    rowsBy: z.enum(['month', 'year']),
    dates: z.enum(['dd/mm/yyyy', 'yyyy-mm-dd']),
    balanceAccount: account.describe('The account that balances a journal to zero; empty to leave it unbalanced.'),
    levyAccount: account.describe('The account for the apprenticeship levy, which has no budget code; empty for none.'),
    mostRows: z.int().min(1, 'Rows must be 1 or more.').max(1_000_000, 'Rows must be 1,000,000 or less.').nullable(),
  })
  .superRefine((value, context) => {
    for (const { field, message } of findLayoutProblems(value)) context.addIssue({ code: 'custom', path: [field], message })
  })

export const layoutInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Name is required.')
    .max(100, 'Name can have at most 100 characters.')
    .refine((name) => !presets.some((preset) => preset.name.toLowerCase() === name.toLowerCase()), 'A built-in layout has this name.'),
  layout,
})
export type LayoutInput = z.infer<typeof layoutInput>

const presetNames = presets.map(({ name }) => name)
const period = z
  .int()
  .min(1, 'Months must be 1 to 12, counted from the start of the budget year.')
  .max(12, 'Months must be 1 to 12, counted from the start of the budget year.')

const fileFields = {
  preset: z.enum(presetNames).nullish().describe('A built-in layout, by its name.'),
  layoutId: z.int().positive().nullish().describe('A layout of the organisation, instead of a built-in one.'),
  yearName: z
    .string()
    .regex(/^(19|20|21)\d\d\/\d\d$/, 'Enter the year as 2026/27.')
    .describe('The budget year, such as 2026/27.'),
  locationIds: z
    .array(z.int().positive().brand<'LocationId'>())
    .max(5000)
    .nullish()
    .describe('Ids of locations; leave it out for all that the caller can see.'),
  from: period.default(1).describe('The first month, 1 to 12 of the budget year.'),
  to: period.default(12).describe('The last month, 1 to 12 of the budget year.'),
}
type FileFields = z.infer<z.ZodObject<typeof fileFields>>
const hasOneLayout = ({ preset, layoutId }: FileFields): boolean => Boolean(preset) !== Boolean(layoutId)
const oneLayout = { path: ['preset'], message: 'Choose one layout.' }
const isForward = ({ from, to }: FileFields): boolean => from <= to
const forward = { path: ['to'], message: 'The last month is before the first.' }

export const fileInput = z
  .object({ connection: z.enum(outgoingFileKinds), ...fileFields })
  .refine(hasOneLayout, oneLayout)
  .refine(isForward, forward)
export type FileInput = z.infer<typeof fileInput>

/** The file settings of a connection, which include the budgets that it covers. */
export const connectionFile = z.object(fileFields).refine(hasOneLayout, oneLayout).refine(isForward, forward)
