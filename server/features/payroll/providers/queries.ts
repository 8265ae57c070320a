import { eq } from 'drizzle-orm'
import { describeLearnedChanges, type LearnedText } from '../../../../domain/files/learned.ts'
import type { PayLayout, PayMeaning } from '../../../../domain/payroll/provider/columns.ts'
import type { PayTextKind } from '../../../../domain/payroll/provider/rows.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { payrollProviders, payrollTextMappings } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { refuseLimitedCaller } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { type FileMappingHistoryLine, readFileMappingHistory } from '../../../resources/referenceLog.ts'
import type { LimitedCaller } from '../../../shared/monitoring/requests/queries.ts'
import type { MappedText } from './file.ts'

/** A payroll provider whose files were imported before. */
export interface PayrollProvider {
  id: number
  name: string
  layout: PayLayout
  columns: { heading: string; meaning: PayMeaning }[]
  version: number
  texts: Record<PayTextKind, MappedText[]>
}

/** A record that texts may be mapped to. */
export interface PayrollMappingTarget {
  id: number
  codes: string[]
  name: string
}

export interface ProviderOptions {
  providers: PayrollProvider[]
  codes: (PayrollMappingTarget & { type: number; element: number | null })[]
  locations: (PayrollMappingTarget & { isArchived: boolean })[]
}

/** The providers of an organisation with their mappings, in order of name. */
export async function readPayrollProviders(tx: OrganisationTx, organisationId: OrganisationId): Promise<PayrollProvider[]> {
  const rows = await tx
    .select()
    .from(payrollProviders)
    .where(eq(payrollProviders.organisationId, organisationId))
    .orderBy(payrollProviders.name)
  const texts = await tx
    .select()
    .from(payrollTextMappings)
    .where(eq(payrollTextMappings.organisationId, organisationId))
    .orderBy(payrollTextMappings.text)
  return rows.map(({ organisationId: _own, saved: _saved, ...provider }) => {
    const providerTexts = texts.filter((one) => one.providerId === provider.id)
    const of = (kind: PayTextKind): MappedText[] =>
      providerTexts
        .filter((one) => one.kind === kind)
        .map((one) => ({ text: one.text, id: kind === 'code' ? one.payrollCodeId : one.locationId }))
    return { ...provider, texts: { code: of('code'), location: of('location') } }
  })
}

/** The records that the caller may see and that the texts of a file may be mapped to. */
export async function listPayTargets({
  tx,
  organisationId,
  holder,
}: Call & LimitedCaller): Promise<Pick<ProviderOptions, 'codes' | 'locations'>> {
  const isSeen = (id: LocationId): boolean => !holder.locationIds || holder.locationIds.includes(id)
  const codes = await readResourceRecords(tx, resources.payrollCode, { column: 'organisationId', ids: [organisationId] })
  const schools = await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
  return {
    codes: codes
      .filter(({ locations }) => !locations.length || locations.some(isSeen))
      .map(({ id, code, description, type, element }) => ({ id, codes: [code], name: description ?? '', type, element })),
    locations: schools
      .filter(({ id }) => isSeen(id))
      .map(({ id, name, payrollRecId, alias, dfeNumber, referenceNumber, archive }) => ({
        id,
        codes: [payrollRecId, alias, dfeNumber, referenceNumber].filter((code): code is string => Boolean(code)),
        name,
        isArchived: Boolean(archive),
      })),
  }
}

/** Everything that a screen needs to parse and map a provider's file. */
export async function readProviderOptions(call: Call & LimitedCaller): Promise<ProviderOptions> {
  const { tx } = call
  const targets = await listPayTargets(call)
  const seen = new Set(targets.locations.map((location) => location.id))
  const codes = new Set(targets.codes.map((code) => code.id))
  const providers = await readPayrollProviders(tx, call.organisationId)
  return {
    // Leave out mappings to records of schools that the caller may not see, because their names are confidential.
    providers: providers.map((provider) => ({
      ...provider,
      texts: {
        code: provider.texts.code.filter(({ id }) => id === null || codes.has(id)),
        location: provider.texts.location.filter(({ id }) => id === null || seen.has(id)),
      },
    })),
    ...targets,
  }
}

/**
 * How a provider's settings and mappings have changed, newest first. They mention locations, so it requires access to all of them.
 * @throws DomainError 403
 */
export async function readProviderHistory(call: Call<'store'> & LimitedCaller, id: number): Promise<FileMappingHistoryLine[]> {
  refuseLimitedCaller(call.holder)
  const { codes, locations } = await listPayTargets(call)
  const names = new Map<string, string>([
    ...codes.map((one) => [`code ${one.id}`, [...one.codes, one.name].join(' ').trim()] as const),
    ...locations.map((one) => [`location ${one.id}`, one.name] as const),
  ])
  const nameOf = (kind: string, target: number | null): string =>
    target === null ? 'nothing: left out on purpose' : (names.get(`${kind} ${target}`) ?? 'a deleted record')
  return readFileMappingHistory<Pick<PayrollProvider, 'columns'> & { texts: LearnedText<PayTextKind>[] }>(
    call,
    { name: 'payrollProvider', id },
    (change) => describeLearnedChanges(change, nameOf, { before: [], after: [] }),
  )
}
