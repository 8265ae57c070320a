import {
  bfrCodeType,
  budgetCodeCategory,
  budgetCodeType,
  calculationType,
  financialCodeType,
  payScaleType,
} from '../../../domain/lookups/lookupIds.ts'
import { type ResourceName, resources } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { buildNewRecord, type RecordValues } from '../../../domain/resources/schema.ts'
import { kitAssumptions, teachersPension } from '../../../domain/startKits/staffing.ts'
import type { StartKit } from '../../../domain/startKits/startKits.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { IsoDate } from '../../../domain/values/calendar.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import type { ChangedRecords } from '../../resources/change.ts'
import { createRecord } from '../../resources/commands.ts'
import { listHiddenFields } from '../../resources/files.ts'
import { listAllRecords } from '../../resources/queries.ts'

/** What a kit added to one list, and which records it left as they are because the organisation had them. */
export interface KitListResult {
  resource: string
  added: number
  left: string[]
}

/** An employer pension rate, in per cent, and its first day. */
export interface EmployerPensionRate {
  rate: number
  from: IsoDate
}

const lists = [
  'budgetCode',
  'serviceTerm',
  'contractType',
  'staffAssumptions',
  'staffErPensionRate',
  'profileTemplate',
] as const satisfies readonly ResourceName[]
type ListName = (typeof lists)[number]

/** A record of a kit and the name by which the organisation’s own records are compared with it. */
interface KitRecord {
  name: string
  values: RecordValues
}

/**
 * Adds the records of a kit that the organisation does not have, each through the same checks as a record that a user enters. Existing
 * records are never changed.
 * @param lgps the organisation’s own rate in the Local Government Pension Scheme; null if it is not known
 */
export async function addStartKit(
  call: Call<'organisationId' | 'scope' | 'actor'>,
  kit: StartKit,
  lgps: EmployerPensionRate | null,
): Promise<{ result: KitListResult[]; changed: ChangedRecords[] }> {
  const { tx, scope, actor } = call
  const result: KitListResult[] = []
  const changed: ChangedRecords[] = []
  /**
   * Adds the kit's records that one list lacks.
   * @param nameOf the name of an existing record
   * @returns finds the id of a record by its name
   */
  const addMissing = async (
    list: ListName,
    wanted: readonly KitRecord[],
    nameOf: (record: AnyRecord) => string,
  ): Promise<(name: string) => number> => {
    const resource: AnyResource = resources[list]
    const ids = new Map((await listAllRecords({ tx, scope }, resource, {})).map((record) => [nameOf(record).toLowerCase(), record.id]))
    const made: AnyRecord[] = []
    const left: string[] = []
    for (const { name, values } of wanted) {
      if (ids.has(name.toLowerCase())) left.push(name)
      else {
        const record = await createRecord({ tx, resource, scope, actor }, { ...buildNewRecord(resource), ...values })
        ids.set(name.toLowerCase(), record.id)
        made.push(record)
      }
    }
    result.push({ resource: list, added: made.length, left })
    changed.push({ resource, records: made })
    return (name) => assertDefined(ids.get(name.toLowerCase()))
  }
  const byCode = (record: AnyRecord): string => String(record.code)
  const byName = (record: AnyRecord): string => String(record.name)

  const budgetCodeId = await addMissing('budgetCode', await buildBudgetCodes(call, kit), byCode)
  const payrollCodes = kit.payrollCodes.map(({ code, description, isLeadership = false, basic, ni, pension }) => ({
    name: code,
    values: {
      code,
      description,
      slt: isLeadership,
      basicBudgetCodeId: budgetCodeId(basic),
      niBudgetCodeId: budgetCodeId(ni),
      pensionBudgetCodeId: budgetCodeId(pension),
    },
  }))
  await addMissing('serviceTerm', payrollCodes, byCode)
  const contractTypeId = await addMissing('contractType', kit.contractTypes.map(toContractType), byName)
  const assumptionsId = await addMissing('staffAssumptions', [{ name: kitAssumptions.name, values: kitAssumptions }], byName)
  const staffAssumptionsId = assumptionsId(kitAssumptions.name)
  // A contract type that already has a rate keeps that rate, even if the rate starts on another day.
  const typeNames = new Map(kit.contractTypes.map(({ name }) => [contractTypeId(name), name]))
  const rates = kit.contractTypes.flatMap(({ name, scheme }): KitRecord[] => {
    const pension = scheme === 'TPS' ? teachersPension : lgps
    if (!pension) return []
    const { rate, from: effectiveDate } = pension
    return [{ name, values: { staffAssumptionsId, contractTypeId: contractTypeId(name), effectiveDate, rate } }]
  })
  await addMissing('staffErPensionRate', rates, (record) =>
    record.staffAssumptionsId === staffAssumptionsId ? (typeNames.get(Number(record.contractTypeId)) ?? '') : '',
  )
  const profiles = kit.profiles.map(({ name, description, weights }) => ({
    name,
    values: { name, description, ...Object.fromEntries(weights.map((weight, index) => [`period${index + 1}`, weight])) },
  }))
  await addMissing('profileTemplate', profiles, byName)
  return { result, changed }
}

/** The budget codes with the national codes that they report to. A national code that this installation lacks is left empty. */
async function buildBudgetCodes({ tx, organisationId }: Call<'organisationId'>, { budgetCodes, scheme }: StartKit): Promise<KitRecord[]> {
  const field = `${scheme}CodeId` as const
  const isHidden = (await listHiddenFields(tx, resources.budgetCode, organisationId)).includes(field)
  const returns = isHidden ? new Map<string, number>() : await readReturnCodes(tx, financialCodeType[scheme])
  const lines = new Map(
    (await readResourceRecords(tx, resources.bFRCode)).filter(({ type }) => type === bfrCodeType.main).map(({ code, id }) => [code, id]),
  )
  return budgetCodes.map(({ code, description, type, category, reportsTo, bfr }) => ({
    name: code,
    values: {
      code,
      description,
      type: budgetCodeType[type],
      category: budgetCodeCategory[category],
      [field]: returns.get(reportsTo) ?? null,
      mainBFRCodeId: bfr === null ? null : (lines.get(bfr) ?? null),
    },
  }))
}

/** The ids of the national codes of a return. */
async function readReturnCodes(tx: OrganisationTx, wanted: number): Promise<Map<string, number>> {
  const codes = await readResourceRecords(tx, resources.financialReportingCode)
  return new Map(
    codes
      .filter(({ type, organisationId, archive }) => type === wanted && organisationId === null && !archive)
      .map(({ code, id }) => [code, id]),
  )
}

function toContractType({ name, description, calculation, payScales, fullTimeHours }: StartKit['contractTypes'][number]): KitRecord {
  const { teacher, customTeacher, support, customSupport } = payScaleType
  return {
    name,
    values: {
      name,
      description,
      calculationType: calculationType[calculation],
      payScaleTypes: payScales === 'teacher' ? teacher | customTeacher : support | customSupport,
      fullTimeHours,
    },
  }
}
