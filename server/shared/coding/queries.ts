import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { periodNames } from '../../../domain/budget/items/budgetEntry.ts'
import type { CodingFacts } from '../../../domain/budget/items/decideEntry.ts'
import { budgetCodeType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readDataVersion } from '../../core/database/dataVersion.ts'
import { readThroughCache } from '../../core/database/readOnce.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { readAltDescriptions } from '../altDescriptions/queries.ts'

/** The codes, tags and templates that items of a budget may refer to, and the inflation rates of the budget's assumptions. */
export async function readCodingFacts(tx: OrganisationTx, organisationId: OrganisationId, head: BudgetHead): Promise<CodingFacts> {
  const { locationId, inflationId } = head
  const version = await readDataVersion(tx, organisationId, 'reference')
  const all = await readThroughCache(version, 'what items name', () => readCodingRecords(tx, organisationId))
  const rises = () => readResourceRecords(tx, resources.inflationRate, { column: 'inflationId', ids: [assertDefined(inflationId)] })
  const rates = inflationId === null ? [] : await readThroughCache(version, `price rises ${inflationId}`, rises)
  const atLocation = (row: { locations: LocationId[] }): boolean => !row.locations.length || row.locations.includes(locationId)
  const ids = (rows: { id: number; locations: LocationId[] }[]): Set<number> => new Set(rows.filter(atLocation).map((row) => row.id))
  const byCode = new Map(rates.map((row) => [row.budgetCodeId, row.rates]))
  return {
    budgetCodes: new Map(
      all.codes
        .filter(atLocation)
        .map(({ id, code, type }) => [id, { code, isIncome: type === budgetCodeType.income, rates: byCode.get(id) ?? null }]),
    ),
    costCentres: ids(all.centres),
    fundCodes: ids(all.funds),
    analysisTags: ids(all.tags),
    profiles: new Map(all.profiles.filter(atLocation).map((row) => [row.id, periodNames.map((name) => row[name])])),
    costCentresMandatory: all.costCentresMandatory,
  }
}

/** The records to which items of any budget of an organisation may refer. */
async function readCodingRecords(tx: OrganisationTx, organisationId: OrganisationId) {
  const [codes, centres, funds, tags, profiles, [organisation]] = await Promise.all([
    readResourceRecords(tx, resources.budgetCode),
    readResourceRecords(tx, resources.costCentre),
    readResourceRecords(tx, resources.fundCode),
    readResourceRecords(tx, resources.analysisTag),
    readResourceRecords(tx, resources.profileTemplate),
    readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] }),
  ])
  return { codes, centres, funds, tags, profiles, costCentresMandatory: Boolean(organisation?.costCentresMandatory) }
}

/** A code, tag or template that an item may refer to, as a picker shows it. */
export interface CodingChoice {
  id: number
  code: string
  description: string
}

/**
 * Everything that items of a budget may refer to, with the descriptions of its location; `type` is the lookup budgetCodeTypes.
 * @param locationIds the locations that the caller is limited to; null for all
 */
export async function readCodingChoices(tx: OrganisationTx, head: BudgetHead, locationIds: readonly LocationId[] | null) {
  const isSeen = (row: { locations: LocationId[] }): boolean =>
    !locationIds || !row.locations.length || row.locations.some((id) => locationIds.includes(id))
  const atLocation = (row: { locations: LocationId[] }): boolean => !row.locations.length || row.locations.includes(head.locationId)
  const codeWords = await readAltDescriptions(tx, resources.budgetCode, head.locationId)
  const centreWords = await readAltDescriptions(tx, resources.costCentre, head.locationId)
  const [codes, centres, funds, tags, profiles] = await Promise.all([
    readResourceRecords(tx, resources.budgetCode),
    readResourceRecords(tx, resources.costCentre),
    readResourceRecords(tx, resources.fundCode),
    readResourceRecords(tx, resources.analysisTag),
    readResourceRecords(tx, resources.profileTemplate),
  ])
  const byCode = (a: CodingChoice, b: CodingChoice): number => a.code.localeCompare(b.code, 'en-GB', { numeric: true })
  return {
    budgetCodes: codes
      .filter(isSeen)
      .map((row) => ({
        id: row.id,
        code: row.code,
        description: codeWords.get(row.id) ?? row.description,
        isIncome: row.type === budgetCodeType.income,
        /** A code of other locations remains readable on entries that use it, but is not offered for selection. */
        isOffered: atLocation(row),
      }))
      .sort(byCode),
    costCentres: centres
      .filter(isSeen)
      .map((row) => ({ id: row.id, code: row.code, description: centreWords.get(row.id) ?? row.description, isOffered: atLocation(row) }))
      .sort(byCode),
    fundCodes: funds
      .filter(isSeen)
      .map((row) => ({ id: row.id, code: row.code, description: row.description, isOffered: atLocation(row) }))
      .sort(byCode),
    analysisTags: tags
      .filter(isSeen)
      .map(({ id, name, textColor, backgroundColor, icon, ...row }) => ({
        id,
        code: name,
        description: row.description,
        textColor,
        backgroundColor,
        icon,
        isOffered: atLocation(row),
      }))
      .sort(byCode),
    profiles: profiles
      .filter(isSeen)
      .map((row) => ({
        id: row.id,
        code: row.name,
        description: row.description ?? '',
        weights: periodNames.map((name) => row[name]),
        isOffered: atLocation(row),
      }))
      .sort(byCode),
  }
}
