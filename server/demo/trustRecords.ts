import { bfrCodeType } from '../../domain/lookups/lookupIds.ts'
import { type ResourceName, resources } from '../../domain/resources/all.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { listAllRecords } from '../resources/queries.ts'
import * as chart from './chart.ts'

export type RecordAdder = (resource: ResourceName, values: RecordValues, organisationId: OrganisationId | null) => Promise<AnyRecord>
export type IdsByName = Map<string, number>

/** Creates the trust's codes, contract types, allowances and assumptions. @returns their ids by kind and name */
export async function addTrustRecords(tx: OrganisationTx, add: RecordAdder, organisationId: OrganisationId): Promise<IdsByName> {
  const names: IdsByName = new Map()
  const reporting = new Map(
    (
      await listAllRecords(
        { tx, scope: { organisationId: null, locationIds: null, isAdministrator: true } },
        resources.financialReportingCode,
        {},
      )
    ).map((row) => [`${row.type} ${row.code}`, row.id]),
  )
  const returned = new Map(
    (await listAllRecords({ tx, scope: { organisationId: null, locationIds: null, isAdministrator: true } }, resources.bFRCode, {})).map(
      (row) => [`${row.type} ${row.code}`, row.id],
    ),
  )
  const addAndRemember = async (kind: ResourceName, name: string, values: RecordValues): Promise<number> => {
    const { id } = await add(kind, values, organisationId)
    names.set(`${kind} ${name}`, id)
    return id
  }
  for (const [code, type, description, category, cfr, acoa, bfr] of chart.budgetCodes)
    await addAndRemember('budgetCode', code, {
      code,
      type: type === 'Income' ? 1 : 2,
      description,
      category: { Staffing: 1, 'Non-staffing': 2, Capital: 3, Balance: 4 }[category],
      cfrCodeId: reporting.get(`1 ${cfr}`) ?? null,
      acoaCodeId: reporting.get(`3 ${acoa}`) ?? null,
      mainBFRCodeId: returned.get(`${bfrCodeType.main} ${bfr}`) ?? null,
    })
  for (const [code, description] of chart.costCentres) await addAndRemember('costCentre', code, { code, description })
  for (const [code, description] of chart.fundCodes) await addAndRemember('fundCode', code, { code, description })
  for (const [name, description, textColor, backgroundColor] of chart.analysisTags)
    await addAndRemember('analysisTag', name, { name, description, textColor, backgroundColor })
  for (const [code, description, basic, ni, pension, centre] of chart.serviceTerms) {
    const centreId = names.get(`costCentre ${centre}`)
    await addAndRemember('serviceTerm', code, {
      code,
      description,
      basicBudgetCodeId: names.get(`budgetCode ${basic}`),
      niBudgetCodeId: names.get(`budgetCode ${ni}`),
      pensionBudgetCodeId: names.get(`budgetCode ${pension}`),
      basicCostCentreId: centreId,
      niCostCentreId: centreId,
      pensionCostCentreId: centreId,
      slt: code === 'SLT',
    })
  }
  await addAndRemember('contractType', 'Teacher', {
    name: 'Teacher',
    description: 'Teachers, by FTE',
    calculationType: 1,
    payScaleTypes: 3,
    fullTimeHours: 32.5,
  })
  await addAndRemember('contractType', 'Support', {
    name: 'Support',
    description: 'Support staff, by hours and weeks',
    calculationType: 2,
    payScaleTypes: 12,
  })
  await addAndRemember('contractType', 'Apprentice', {
    name: 'Apprentice',
    description: 'Apprentices, by hours and weeks',
    calculationType: 2,
    payScaleTypes: 12,
  })
  await addAndRemember('contractType', 'Casual', {
    name: 'Casual',
    description: 'Casual staff, by the hour',
    calculationType: 3,
    payScaleTypes: 12,
  })
  for (const [name, proRate, erPension, inflated, rates] of chart.allowances)
    await addAndRemember('allowance', name, {
      name,
      proRate,
      erPension,
      inflationSetting: inflated ? 1 : 0,
      rates: rates.map(([effectiveDate, value]) => ({ effectiveDate, value })),
    })
  const staffAssumptionsId = await addAndRemember('staffAssumptions', 'Central case', {
    name: 'Central case',
    description: '3% next year, then 2%',
  })
  for (const type of ['Teacher', 'Support', 'Apprentice', 'Casual']) {
    const contractTypeId = assertDefined(names.get(`contractType ${type}`))
    const teacher = type === 'Teacher'
    for (const [effectiveDate, rate] of teacher
      ? ([['2024-04-01', 28.68]] as const)
      : ([
          ['2023-04-01', 23],
          ['2026-04-01', 20],
        ] as const))
      await add('staffErPensionRate', { staffAssumptionsId, contractTypeId, effectiveDate, rate }, organisationId)
    for (const [year, rate] of [
      [2027, 3],
      [2028, 2],
      [2029, 2],
      [2030, 2],
    ] as const)
      await add(
        'staffInflationRate',
        { staffAssumptionsId, contractTypeId, effectiveDate: `${year}-0${teacher ? 9 : 4}-01`, rate },
        organisationId,
      )
  }
  for (const table of await listAllRecords(
    { tx, scope: { organisationId: null, locationIds: null, isAdministrator: true } },
    resources.adminTable,
    {},
  ))
    names.set(`adminTable ${table.name}`, table.id)
  return names
}
