import { and, eq } from 'drizzle-orm'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { importColumns } from '../../../drizzle/fileTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** A heading as it is remembered, and the column of the import that was chosen for it; null: it was left out. */
export interface ChosenColumn {
  heading: string
  column: string | null
}

/** What was chosen for the headings of earlier files of an entity, the latest last. */
export async function chosenColumns(tx: OrganisationTx, organisationId: OrganisationId, entity: string): Promise<ChosenColumn[]> {
  const [row] = await tx
    .select({ columns: importColumns.columns })
    .from(importColumns)
    .where(and(eq(importColumns.organisationId, organisationId), eq(importColumns.entity, entity)))
  return row?.columns ?? []
}
