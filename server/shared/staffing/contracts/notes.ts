import type { StoredContract } from '../../../../domain/budget/budget.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { decryptText, encryptText, ensureOrganisationKey, readPersonKeys } from '../../../core/database/vault.ts'
import { findStaffVaultSubject } from '../../costing/inputs/queries.ts'

/**
 * Encrypts notes for the log with the key of the employee, because they are free text about that person. Unchanged text keeps its
 * ciphertext.
 */
export async function sealNotes(
  { tx, organisationId }: Call<'organisationId'>,
  subject: string | undefined,
  { notes, before }: { notes: string | null; before: StoredContract | undefined },
): Promise<string | null> {
  if (!notes) return null
  const key = subject ? (await readPersonKeys(tx, [subject])).get(subject) : await ensureOrganisationKey(tx, organisationId)
  if (!key) return null
  // Notes written for a vacancy or another employee are encrypted again with the new employee's key.
  const isSame = before?.sealedNotes && (before.staffId === null ? undefined : await findStaffVaultSubject(tx, before.staffId)) === subject
  if (isSame && (await decryptNotes(tx, organisationId, before)) === notes) return before.sealedNotes
  return encryptText(key, notes)
}

/** The decrypted notes of a contract; null if there are none, or the person was erased. */
export async function decryptNotes(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  contract: Pick<StoredContract, 'sealedNotes' | 'staffId'>,
): Promise<string | null> {
  if (!contract.sealedNotes) return null
  const subject = contract.staffId === null ? undefined : await findStaffVaultSubject(tx, contract.staffId)
  const ofHolder = async () => (subject ? (await readPersonKeys(tx, [subject])).get(subject) : undefined)
  const key = contract.staffId === null ? await ensureOrganisationKey(tx, organisationId) : await ofHolder()
  return unsealText(key, contract.sealedNotes)
}

/** Decrypts a text; null without its key. */
export function unsealText(key: Buffer | undefined, sealed: string): string | null {
  try {
    return key ? decryptText(key, sealed) : null
  } catch {
    return null
  }
}
