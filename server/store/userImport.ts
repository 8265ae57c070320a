import { user as declaration } from '../../domain/resources/entities/user.ts'
import { newRecord, type Values } from '../../domain/resources/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { importNames } from './importNames.ts'
import { readImport, saveEach } from './importRead.ts'
import type { Progress } from './importStore.ts'
import type { RowScope } from './rowRules.ts'
import { problemsOf } from './staffImport.ts'
import { allUsers, saveUser, type User } from './userStore.ts'

const flat = ({ memberships: _own, hasPassword: _has, created: _created, version: _version, ...user }: User): Values => ({ ...user })

/** Imports users; a row with a known address changes that user (behaviour B-141). Nobody gets a password by it: people are invited after. */
export async function importUsers(
  tx: OrganisationTx,
  scope: RowScope,
  rows: readonly Record<string, string>[],
  actor: Actor,
  progress?: Progress,
) {
  const read = readImport(declaration, rows, (await importNames(tx, declaration, scope)).find)
  const known = new Map((await allUsers(tx)).map((user) => [user.email.toLowerCase(), user]))
  return saveEach(
    declaration,
    read,
    async (values) => {
      const before = known.get(
        String(values.email ?? '')
          .trim()
          .toLowerCase(),
      )
      const saved = await saveUser(tx, { ...(before ? flat(before) : newRecord(declaration)), ...values }, actor)
      return before ? (saved.version === before.version ? 'same' : 'updated') : 'created'
    },
    problemsOf,
    progress,
  )
}
