import { z } from 'zod'
import { filterItem } from '../../../domain/lists/lists.ts'
import { listNames, maxViewNameLength, maxViewsPerList } from '../../../domain/lists/listViews.ts'
import { sortDirections } from '../../../domain/lookups/filterOptions.ts'

/** The most characters of a view: a filter may contain thousands of values. */
const mostCharacters = 40_000

const list = z.enum(listNames)
const name = z.string().trim().min(1, 'Name is required.').max(maxViewNameLength, `Name can have at most ${maxViewNameLength} characters.`)

/** A list request within the limits of `domain/lists/lists.ts`. */
export const listViewSettings = z
  .strictObject({
    search: z.string().max(200),
    filters: z.array(filterItem).max(100),
    sort: z.string().max(100).nullable(),
    sortDirection: z.enum(sortDirections.map((direction) => direction.id)),
    hiddenColumns: z.array(z.string().max(100)).max(100),
  })
  .refine((look) => JSON.stringify(look).length <= mostCharacters, 'This view is too large. Choose fewer values in its filters.')

export const listNameInput = z.object({ list })
export const viewInput = listNameInput.extend({ name, look: listViewSettings })
export const viewRenameInput = z.object({ id: z.int().positive(), name })
export const viewIdInput = z.object({ id: z.int().positive() })
export const browserViewsInput = listNameInput.extend({
  views: z
    .array(z.object({ name, look: listViewSettings }))
    .min(1)
    .max(maxViewsPerList),
})

export type ViewInput = z.infer<typeof viewInput>
export type BrowserViewsInput = z.infer<typeof browserViewsInput>
