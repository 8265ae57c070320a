import { and, asc, eq } from 'drizzle-orm'
import {
  fileLocationParameter,
  getActionPath,
  listIntegrationActions,
  listIntegrationParameters,
  type ParameterDeclaration,
  type ParameterValues,
  secretPlaceholder,
} from '../../../domain/integrations/credentials.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { integrationCredentials, integrationParameters } from '../../../drizzle/integrationTables.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'

export type CredentialRow = typeof integrationCredentials.$inferSelect
export type ParameterRow = typeof integrationParameters.$inferSelect

/** A link to another system, as screens and the API show it. */
export interface Credential {
  id: number
  description: string
  /** A value of `financialIntegrationTypes`. */
  integrationType: number
  /** A value of `integrationStates`. */
  state: number
  created: string
  version: number
}

export interface CredentialStatus {
  credentialId: number
  state: number
  checkedAt: string | null
  message: string | null
}

/** A setting of a link. A setting with an action address is shown as a button. */
export interface CredentialParameter {
  id: number
  credentialId: number
  name: string
  label: string
  /** Dots for a secret that is set. */
  value: string
  secret: boolean
  actionUrl: string | null
  created: string
  version: number
}

export const presentCredential = ({ id, description, integrationType, state, created, version }: CredentialRow): Credential => ({
  id,
  description,
  integrationType,
  state,
  created,
  version,
})

/** The caller, who sees no links without any permission in the organisation. */
export interface CredentialReader {
  organisationId: OrganisationId
  holder: CallerRights
}

const seesNothing = ({ holder }: CredentialReader): boolean => !holder.isAdministrator && !holder.permissions.length

/** The credentials of the organisation (“links” on the screen), in order of description. */
export async function listCredentials(tx: OrganisationTx, reader: CredentialReader): Promise<CredentialRow[]> {
  if (seesNothing(reader)) return []
  const { organisationId } = reader
  return tx
    .select()
    .from(integrationCredentials)
    .where(eq(integrationCredentials.organisationId, organisationId))
    .orderBy(asc(integrationCredentials.description), asc(integrationCredentials.id))
}

/** Reads a credential. @throws DomainError 404 for a credential of another organisation */
export async function readCredential(tx: OrganisationTx, reader: CredentialReader, id: number): Promise<CredentialRow> {
  if (seesNothing(reader)) throw notFound('Integration credential')
  const { organisationId } = reader
  const [row] = await tx
    .select()
    .from(integrationCredentials)
    .where(and(eq(integrationCredentials.organisationId, organisationId), eq(integrationCredentials.id, id)))
  if (!row) throw notFound('Integration credential')
  return row
}

/** The result of each link's last test. */
export async function readLinkStatus(tx: OrganisationTx, reader: CredentialReader): Promise<CredentialStatus[]> {
  return (await listCredentials(tx, reader)).map(({ id, state, checkedAt, message, testAsked }) => ({
    credentialId: id,
    state,
    checkedAt,
    message: testAsked ? 'Being tested.' : message,
  }))
}

export async function readParameterRows(tx: OrganisationTx, organisationId: OrganisationId, credentialId: number): Promise<ParameterRow[]> {
  return tx
    .select()
    .from(integrationParameters)
    .where(and(eq(integrationParameters.organisationId, organisationId), eq(integrationParameters.credentialId, credentialId)))
}

/** The features of the installation that links may use. */
export interface LinkFeatures {
  /** Whether there is a folder for files on the server, which links may then use. */
  hasFolder: boolean
}

/** The settings available to a type of link in this installation. */
export function listOfferedSettings(type: number, { hasFolder }: LinkFeatures): readonly ParameterDeclaration[] {
  return listIntegrationParameters(type).filter(({ name }) => hasFolder || name !== fileLocationParameter)
}

/**
 * The settings of a link, including those introduced after it was created: these have their default, no id and version
 * 0 until somebody saves them.
 */
export async function readSettingRows(tx: OrganisationTx, credential: CredentialRow, offered: LinkFeatures): Promise<ParameterRow[]> {
  const { id: credentialId, integrationType, organisationId, created } = credential
  const rows = await readParameterRows(tx, organisationId, credentialId)
  const missing = listOfferedSettings(integrationType, offered).filter(({ name }) => !rows.some((row) => row.name === name))
  const blank = { organisationId, credentialId, version: 0, created }
  return [
    ...rows,
    ...missing.map(({ name, isSecret, standard }) => ({ ...blank, id: 0, name, isSecret: Boolean(isSecret), value: standard ?? '' })),
  ]
}

/** The settings and actions of a link in declared order. A secret that is set appears as dots. */
export async function listParameters(tx: OrganisationTx, credential: CredentialRow, offered: LinkFeatures): Promise<CredentialParameter[]> {
  const { id: credentialId, integrationType, created, version } = credential
  const rows = new Map((await readSettingRows(tx, credential, offered)).map((row) => [row.name, row]))
  const settings = listIntegrationParameters(integrationType).flatMap(({ name, label, isSecret }): CredentialParameter[] => {
    const row = rows.get(name)
    if (!row) return []
    const value = isSecret && row.value ? secretPlaceholder : row.value
    return [
      {
        id: row.id,
        credentialId,
        name,
        label,
        value,
        secret: Boolean(isSecret),
        actionUrl: null,
        created: row.created,
        version: row.version,
      },
    ]
  })
  const actions = listIntegrationActions(integrationType).map(
    ({ name, label }, index): CredentialParameter => ({
      // Actions are not stored; their negative ids cannot clash with those of settings.
      id: -1 - index,
      credentialId,
      name,
      label,
      value: '',
      secret: false,
      actionUrl: getActionPath(credentialId, name),
      created,
      version,
    }),
  )
  return [...settings, ...actions]
}

/** The settings of a link with decrypted secrets. Use them only to connect, and do not keep them. */
export async function decryptSettings(tx: OrganisationTx, credential: CredentialRow): Promise<ParameterValues> {
  const rows = await readParameterRows(tx, credential.organisationId, credential.id)
  const key = await ensureOrganisationKey(tx, credential.organisationId)
  return Object.fromEntries(rows.map(({ name, value, isSecret }) => [name, isSecret && value ? decryptText(key, value) : value]))
}
