import { and, eq } from 'drizzle-orm'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { importColumnChoices } from '../../../drizzle/fileTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** A heading of an earlier file, and the import column chosen for it; null if the column was left out. */
export interface ChosenColumn {
  heading: string
  column: string | null
}

/** The choices for the headings of an entity's earlier files, latest last. */
export async function readChosenColumns(tx: OrganisationTx, organisationId: OrganisationId, entity: string): Promise<ChosenColumn[]> {
  const [row] = await tx
    .select({ columns: importColumnChoices.columns })
    .from(importColumnChoices)
    .where(and(eq(importColumnChoices.organisationId, organisationId), eq(importColumnChoices.entity, entity)))
  return row?.columns ?? []
}
