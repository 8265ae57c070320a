import { eq } from 'drizzle-orm'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { organisations } from '../../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

/** The minimum reserve in an organisation's policy, as a percentage of a year's income; null if there is none. */
export async function readReserveFloor(tx: OrganisationTx, organisationId: OrganisationId): Promise<number | null> {
  const [row] = await tx.select({ floor: organisations.reserveFloor }).from(organisations).where(eq(organisations.id, organisationId))
  return assertDefined(row).floor
}
