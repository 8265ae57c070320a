import type { UserId } from '../../../../domain/values/ids.ts'
import { listIssuerLinkHistory } from '../../../auth/outside/people.ts'
import { listPasskeyHistory } from '../../../auth/passkeys/passkeys.ts'
import { listPasswordLinks, type PasswordLink } from '../../../auth/passwords/invitations.ts'
import { listSecondStepHistory } from '../../../auth/secondStep.ts'
import { listSignOutHistory } from '../../../auth/signIns.ts'
import type { Services } from '../../../core/calls/context.ts'
import { addActorNames, type HistoryEntry, readRecordHistory } from '../../../resources/referenceLog.ts'

/** The history of a user: changes, password links and sign-in events, with names. */
export async function readUserHistory({ store }: Services, id: UserId) {
  const { changes, links, steps, passkeys, signedOut, outside } = await store.asPlatform(async (tx) => ({
    changes: await readRecordHistory(tx, { name: 'user' }, id),
    links: await listPasswordLinks(tx, id),
    steps: await listSecondStepHistory(tx, id),
    passkeys: await listPasskeyHistory(tx, id),
    signedOut: await listSignOutHistory(tx, id),
    outside: await listIssuerLinkHistory(tx, id),
  }))
  const entry = { action: 'updated', version: 0, before: null, after: null }
  const linkEntries = links.flatMap((link): HistoryEntry[] => [
    { ...entry, actorId: link.byId, occurredAt: link.at, sentence: linkMade(link) },
    ...(link.usedAt ? [{ ...entry, actorId: id, occurredAt: link.usedAt, sentence: 'set a password with that link' }] : []),
  ])
  return addActorNames(
    store,
    [...changes.map(erasing), ...linkEntries, ...steps, ...passkeys, ...signedOut, ...outside].sort((a, b) =>
      b.occurredAt.localeCompare(a.occurredAt),
    ),
  )
}

const erasing = (change: HistoryEntry): HistoryEntry =>
  change.action === 'erased' ? { ...change, sentence: 'erased the personal data', before: null, after: null } : change

const linkMade = ({ kind, mailed }: PasswordLink): string =>
  `made a link to set ${kind === 'invite' ? 'a first' : 'a new'} password for this user, ${mailed ? 'sent by email' : 'shown to them to pass on'}`
