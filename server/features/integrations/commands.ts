import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  findParameterProblems,
  findSecretsToEnterAgain,
  listIntegrationActions,
  maximumParameterLength,
  secretPlaceholder,
} from '../../../domain/integrations/credentials.ts'
import { integrationState } from '../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, invalid, notFound, staleRecord } from '../../../domain/words/errors.ts'
import { connections, integrationCredentials, integrationParameters } from '../../../drizzle/integrationTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import { encryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { logRecordChange } from '../../resources/referenceLog.ts'
import {
  type CredentialParameter,
  type CredentialRow,
  type LinkFeatures,
  listOfferedSettings,
  listParameters,
  type ParameterRow,
  readCredential,
  readParameterRows,
  readSettingRows,
} from './queries.ts'

export interface IntegrationEditor {
  organisationId: OrganisationId
  holder: CallerRights
  actor: Actor
}

const declared = { name: 'integrationCredential' }

const description = z.string().trim().min(1, 'Description is required.').max(100, 'Description can have at most 100 characters.')

export const credentialInput = z.object({
  description,
  integrationType: z.int().refine((id) => lookups.financialIntegrationTypes.some((type) => type.id === id), 'Choose an integration type.'),
})

/** A link's description and settings, saved together: all or nothing, at one version. */
export const credentialUpdateInput = z.object({
  id: z.int().positive(),
  version: z.int(),
  description,
  settings: z
    .array(
      z.object({
        name: z.string().max(50, 'Name can have at most 50 characters.'),
        value: z.string().max(maximumParameterLength, `A value can have at most ${maximumParameterLength} characters.`),
      }),
    )
    .max(50, 'Send at most 50 parameters.'),
})

export const parametersInput = z.object({
  rows: z
    .array(
      z.object({
        id: z.int().nullish(),
        credentialId: z.int().positive(),
        name: z.string().min(1, 'Name is required.').max(50, 'Name can have at most 50 characters.'),
        label: z.string().max(100).nullish().describe('Ignored: the name determines it.'),
        value: z
          .string()
          .max(maximumParameterLength, `A value can have at most ${maximumParameterLength} characters.`)
          .nullish()
          .describe('Leave this out, or send the dots back, to keep a secret; send it empty to clear it.'),
        secret: z.boolean().nullish().describe('Ignored: the name determines it.'),
        actionUrl: z.string().max(300).nullish().describe('Ignored: the server sets it.'),
        created: z.string().nullish(),
        version: z.int().nullish(),
      }),
    )
    .min(1, 'Send at least one parameter.')
    .max(50, 'Send at most 50 parameters.'),
})

/** @throws DomainError 403 for a caller limited to some locations, because a link serves all of them */
export function refuseLimitedEditor({ holder }: IntegrationEditor): void {
  if (holder.locationIds)
    throw new DomainError('forbidden', 'beyond', 'A link to another system applies to all locations. Ask someone who can see all of them.')
}

/** What the log stores of a link: its settings by name. Of a secret it stores only a sequence number, which shows that it changed. */
function toLogRecord(credential: CredentialRow, parameters: readonly ParameterRow[]): AnyRecord {
  const { organisationId, id, version, description: words, integrationType: type } = credential
  return {
    organisationId,
    id,
    version,
    description: words,
    integrationType: type,
    created: credential.created,
    parameters: Object.fromEntries(
      parameters.map(({ name, value, isSecret, version: turn }) => [name, isSecret && value ? `${secretPlaceholder} (${turn})` : value]),
    ),
  }
}

/** Settings by name. A secret that is set appears as dots. */
function readHiddenValues(rows: readonly ParameterRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, value, isSecret }) => [name, isSecret && value ? secretPlaceholder : value]))
}

/**
 * Creates a credential (a “link” on the screen), with empty settings for its type.
 * @throws DomainError 409 for a description that is taken
 */
export async function createCredential(
  call: Call & IntegrationEditor,
  input: z.infer<typeof credentialInput>,
  offered: LinkFeatures,
): Promise<CredentialRow> {
  const { tx } = call
  refuseLimitedEditor(call)
  const { organisationId, actor } = call
  const row = requireSingleRow(
    await tx
      .insert(integrationCredentials)
      .values({ ...input, organisationId, state: integrationState.notSetUp, created: actor.now.toISOString() })
      .returning(),
  )
  const credential = row
  const kinds = listOfferedSettings(input.integrationType, offered)
  const parameters = kinds.length
    ? await tx
        .insert(integrationParameters)
        .values(
          kinds.map(({ name, isSecret, standard }) => ({
            organisationId,
            credentialId: credential.id,
            name,
            isSecret: Boolean(isSecret),
            value: standard ?? '',
            created: actor.now.toISOString(),
          })),
        )
        .returning()
    : []
  await logRecordChange({ tx, actor }, declared, { action: 'created', before: null, after: toLogRecord(credential, parameters) })
  return credential
}

/**
 * Reads and locks a link.
 * @throws DomainError 404; 409 if the caller read another version
 */
async function lockCredential(call: Call & IntegrationEditor, id: number, version?: number | null): Promise<CredentialRow> {
  const { tx } = call
  refuseLimitedEditor(call)
  await tx
    .select({ id: integrationCredentials.id })
    .from(integrationCredentials)
    .where(and(eq(integrationCredentials.organisationId, call.organisationId), eq(integrationCredentials.id, id)))
    .for('update')
  const row = await readCredential(tx, call, id)
  if (version != null && version !== row.version) throw staleRecord(null)
  return row
}

const isCredential = (row: CredentialRow) =>
  and(eq(integrationCredentials.organisationId, row.organisationId), eq(integrationCredentials.id, row.id))

/**
 * Deletes a link with its settings and secrets. Its history remains.
 * @throws DomainError 404; 409 if a connection uses it
 */
export async function deleteCredential(call: Call & IntegrationEditor, id: number): Promise<void> {
  const { tx } = call
  const before = await lockCredential(call, id)
  const [used] = await tx
    .select({ name: connections.name })
    .from(connections)
    .where(and(eq(connections.organisationId, call.organisationId), eq(connections.credentialId, id)))
    .limit(1)
  if (used) throw conflict('used', `The connection ${used.name} uses this credential. Delete the connection first.`)
  const parameters = await readParameterRows(tx, call.organisationId, id)
  await tx.delete(integrationCredentials).where(isCredential(before))
  await logRecordChange(call, declared, { action: 'deleted', before: toLogRecord(before, parameters), after: null })
}

/**
 * Saves settings of one link and requests a test. Omitted settings do not change, nor does a secret for which dots are sent.
 * @throws DomainError 400 at the field of each invalid setting; 404; 409 if someone else has saved since the caller read the link
 */
export async function saveParameters(
  call: Call & IntegrationEditor,
  { rows: sent }: z.infer<typeof parametersInput>,
  offered: LinkFeatures,
): Promise<CredentialParameter[]> {
  const { tx } = call
  const { credentialId } = assertDefined(sent[0])
  if (sent.some((one) => one.credentialId !== credentialId))
    throw invalid([{ field: 'credentialId', message: 'Save the parameters of one credential at a time.' }])
  const before = await lockCredential(call, credentialId)
  const actions = new Set(listIntegrationActions(before.integrationType).map(({ name }) => name))
  const settings = sent.filter(({ name }) => !actions.has(name))
  const versions = new Map((await readSettingRows(tx, before, offered)).map(({ name, version }) => [name, version]))
  if (settings.some(({ name, version }) => version != null && versions.has(name) && version !== versions.get(name))) throw staleRecord(null)
  const values = settings.flatMap(({ name, value }) => (value == null ? [] : [{ name, value }]))
  return listParameters(tx, await storeChanges(call, before, { words: before.description, sent: values, offered }), offered)
}

/**
 * Saves a link's description and settings together, and requests a test if settings were sent.
 * @throws DomainError as `saveParameters`, and 409 for a description that is taken
 */
export async function updateCredential(
  call: Call & IntegrationEditor,
  input: z.infer<typeof credentialUpdateInput>,
  offered: LinkFeatures,
): Promise<CredentialRow> {
  const before = await lockCredential(call, input.id, input.version)
  return storeChanges(call, before, { words: input.description, sent: input.settings, offered })
}

/** Writes changes to a link and one entry in its history. @returns the link as stored now */
async function storeChanges(
  call: Call & IntegrationEditor,
  before: CredentialRow,
  { words, sent, offered }: { words: string; sent: readonly { name: string; value: string }[]; offered: LinkFeatures },
): Promise<CredentialRow> {
  const { tx, organisationId, actor } = call
  const rows = await readSettingRows(tx, before, offered)
  const known = new Set(rows.map(({ name }) => name))
  const unknown = sent.filter(({ name }) => !known.has(name))
  if (unknown.length) throw invalid(unknown.map(({ name }) => ({ field: name, message: `${name} is not a parameter of this credential.` })))
  if (new Set(sent.map(({ name }) => name)).size < sent.length) throw invalid([{ field: 'name', message: 'A parameter was sent twice.' }])

  const hidden = readHiddenValues(rows)
  const values = { ...hidden, ...Object.fromEntries(sent.map(({ name, value }) => [name, value])) }
  // If no secret is stored, dots cannot mean "unchanged": store an empty value.
  for (const { name, value, isSecret } of rows) if (isSecret && !value && values[name] === secretPlaceholder) values[name] = ''
  const { integrationType: type } = before
  const problems = sent.length ? [...findParameterProblems(type, values), ...findSecretsToEnterAgain(type, hidden, values)] : []
  if (problems.length) throw invalid(problems)

  const key = await ensureOrganisationKey(tx, organisationId)
  const after = rows.map((row): ParameterRow => {
    const value = assertDefined(values[row.name])
    if (row.isSecret ? value === secretPlaceholder || (!value && !row.value) : value === row.value) return row
    return { ...row, value: row.isSecret && value ? encryptText(key, value) : value, version: row.version + 1 }
  })
  const changed = after.filter((row, index) => row !== rows[index])
  // A setting that was introduced after the link was created has no row yet. The link is locked, so nobody else can add it.
  for (const { id, value, version, name, isSecret, credentialId } of changed)
    if (!id)
      await tx
        .insert(integrationParameters)
        .values({ organisationId, credentialId, name, isSecret, value, version, created: actor.now.toISOString() })
    else
      await tx
        .update(integrationParameters)
        .set({ value, version })
        .where(and(eq(integrationParameters.organisationId, organisationId), eq(integrationParameters.id, id)))
  const isOther = changed.length > 0 || words !== before.description
  const tried = { state: integrationState.notSetUp, message: null, checkedAt: null, testAsked: actor.now.toISOString(), attempts: 0 }
  const saved = requireSingleRow(
    await tx
      .update(integrationCredentials)
      .set({ ...(sent.length ? tried : {}), description: words, version: before.version + (isOther ? 1 : 0) })
      .where(isCredential(before))
      .returning(),
  )
  if (isOther)
    await logRecordChange(call, declared, { action: 'updated', before: toLogRecord(before, rows), after: toLogRecord(saved, after) })
  return saved
}

/**
 * Starts an action of a link. A worker performs it, and `readLinkStatus` shows the outcome.
 * @throws DomainError 404 for an action that the link does not have; 409 while required settings are missing
 */
export async function beginLinkAction(
  call: Call & IntegrationEditor,
  { id, action }: { id: number; action: string },
): Promise<{ ok: boolean; message: string | null }> {
  const { tx } = call
  const credential = await lockCredential(call, id)
  if (!listIntegrationActions(credential.integrationType).some(({ name }) => name === action)) throw notFound('Action')
  const rows = await readParameterRows(tx, call.organisationId, id)
  const [problem] = findParameterProblems(credential.integrationType, readHiddenValues(rows))
  if (problem) throw conflict('notSetUp', problem.message)
  await tx
    .update(integrationCredentials)
    .set({ attempts: 0, testAsked: sql`coalesce(${integrationCredentials.testAsked}, ${call.actor.now.toISOString()}::timestamptz)` })
    .where(isCredential(credential))
  return { ok: true, message: 'The connection is being tested.' }
}
