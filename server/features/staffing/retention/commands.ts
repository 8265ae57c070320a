import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { StaffId } from '../../../../domain/values/ids.ts'
import { conflict, invalid } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { eraseStaff } from '../../../shared/staff/commands.ts'
import { decideRetentions } from './queries.ts'

/**
 * Erases people whose retention period is over, all or none.
 * @param confirmed the number of people, which the user typed to confirm
 * @throws DomainError 400 if `confirmed` differs from the number selected; 409 if someone is not due for erasure or has already been erased
 */
export async function eraseLeavers(
  call: Call<'scope' | 'actor'>,
  { ids, confirmed }: { ids: readonly StaffId[]; confirmed: number },
): Promise<{ erased: number }> {
  const { tx, scope, actor } = call
  const chosen = [...new Set(ids)]
  if (confirmed !== chosen.length)
    throw invalid([{ field: 'confirmed', message: `You chose ${chosen.length}. Type this number to confirm.` }])
  const due = new Map(
    (await decideRetentions(tx, scope, actor.now)).all.flatMap(({ member, retention }) =>
      retention.state === 'due' ? [[member.id, member]] : [],
    ),
  )
  if (chosen.some((id) => !due.has(id)))
    throw conflict('notDue', 'One of the people you chose can no longer be erased. Reload the list and check who it is.')
  for (const id of chosen) await eraseStaff(call, id, assertDefined(due.get(id)).employeeNumber)
  return { erased: chosen.length }
}
