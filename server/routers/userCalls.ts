import { eq } from 'drizzle-orm'
import { conflict } from '../../domain/errors.ts'
import { exportFileName } from '../../domain/format.ts'
import { type ExportRequest, pageOf } from '../../domain/lists.ts'
import { columnsOf, writeRows } from '../../domain/resources/columns.ts'
import { user as declaration } from '../../domain/resources/entities/user.ts'
import { users } from '../../drizzle/accessTables.ts'
import { invite } from '../auth/invitations.ts'
import { invitationPath } from '../auth/passwordPage.ts'
import { sendMail } from '../mail.ts'
import type { OrganisationTx } from '../store/database.ts'
import { historyOf, withActors } from '../store/referenceLog.ts'
import type { RowScope } from '../store/rowRules.ts'
import { termsOf } from '../store/termStore.ts'
import type { User } from '../store/userStore.ts'
import type { Services } from '../trpc/context.ts'
import type { FileReply } from '../trpc/procedures.ts'
import { csvFile, namer } from './resourceFiles.ts'

/** What the search of a list of users looks at. */
export const searchedOfUser = ['email', 'forename', 'surname', 'position'] as const

/** Users as a CSV file. */
export async function userFile(
  tx: OrganisationTx,
  rows: RowScope,
  all: readonly User[],
  request: ExportRequest,
  now: Date,
): Promise<FileReply> {
  const columns = columnsOf(declaration)
  const name = await namer(tx, declaration, rows)
  const page = pageOf(all, { ...request, pageNumber: 1 }, searchedOfUser, 'surname')
  return csvFile(
    exportFileName((await termsOf(tx, rows.organisationId)).User.plural, now),
    columns.map((column) => column.heading),
    page.rows.flatMap((user) => writeRows(declaration, columns, { ...user }, name)),
  )
}

/** Who changed a user when, with names. */
export async function userHistory({ store }: Services, id: number) {
  return withActors(store, await store.asPlatform((tx) => historyOf(tx, { name: 'user' }, id)))
}

/** A one-time link by which a person sets a password, mailed where mail is configured and shown to who asked for it. */
export async function sendInvitation({ config, store }: Services, id: number, now: Date) {
  if (config.oidc) throw conflict('outside', 'Passwords are kept by your own sign-in, not here. Invite the person there.')
  const { secret, kind, expiresAt } = await store.asPlatform((tx) => invite(tx, id, now))
  const [person] = await store.asPlatform((tx) => tx.select().from(users).where(eq(users.id, id)))
  const link = `${config.origin}${invitationPath}/${secret}`
  const what = kind === 'invite' ? 'You have been invited to Bursar. Choose a password here' : 'Choose a new password for Bursar here'
  const sent = await sendMail(config, {
    to: person!.email,
    subject: kind === 'invite' ? 'Your invitation to Bursar' : 'A new password for Bursar',
    text: `Hello ${person!.forename},\n\n${what}:\n${link}\n\nThe link can be used once. If you did not expect it, you need not do anything.\n`,
  })
  return { link, kind, expiresAt, sent }
}
