import { z } from 'zod'
import { chapterNames, type PackContentInput } from './pack.ts'

const sentence = (what: string, most: number) => z.string().trim().max(most, `${what} can have at most ${most} characters.`)

/** The month of a pack; `month` is 1 to 12. */
export const packMonthInput = {
  year: z.int().min(2000, 'Year must be 2000 or later.').max(2199, 'Year must be before 2200.'),
  month: z.int().min(1, 'Month must be 1 to 12.').max(12, 'Month must be 1 to 12.'),
}

export const packContentInput: z.ZodType<PackContentInput, PackContentInput> = z.object({
  chapters: z.array(z.enum(chapterNames)).max(chapterNames.length, 'Choose each chapter once.'),
  title: sentence('Title', 100),
  texts: z.partialRecord(z.enum(chapterNames), sentence('Text', 4000)),
  decisions: z
    .array(sentence('A decision', 1000).min(1, 'Enter what is to be decided, or remove the line.'))
    .max(30, 'Add at most 30 decisions.'),
  signatories: z
    .array(
      z.object({
        role: sentence('A role', 100).min(1, 'Enter who signs, or remove the line.'),
        name: sentence('A name', 100),
      }),
    )
    .max(10, 'At most ten people can sign.'),
  read: z.array(z.enum(chapterNames)).max(chapterNames.length, 'Choose each chapter once.').optional(),
})
