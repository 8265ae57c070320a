import { displayDate, money } from '../format.ts'
import { lookupName } from '../lookups.ts'
import type { ContractRow, StoredContract } from './budget.ts'
import type { FieldChange, NameOf } from './fieldChange.ts'

const point = (kept: ContractRow['scalePoint']): string => (kept ? `${kept.scale} ${kept.increment}` : 'none')
const yesNo = (flag: boolean): string => (flag ? 'Yes' : 'No')
const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? 'none' : String(value)

/** The fields in which two versions of a contract differ, in words. */
export function contractChanges(before: StoredContract, after: StoredContract, nameOf: NameOf): FieldChange[] {
  const fields = (contract: StoredContract): [string, string][] => [
    ['Staff member', contract.staffId === null ? 'vacancy' : nameOf('staff', contract.staffId)],
    ['Contract name', contract.contractName],
    ['Pay scale type', lookupName('staffContractTypes', contract.type) ?? 'none'],
    ['Contract type', nameOf('contractType', contract.contractTypeId)],
    ['Start date', displayDate(contract.startDate)],
    ['End date', displayDate(contract.endDate) || 'none'],
    ['Position', text(contract.position)],
    ['Department', text(contract.department)],
    ['Maximum scale point', point(contract.maximumScalePoint)],
    ['Apprentice', yesNo(contract.apprentice)],
    ['Attrition contract', yesNo(contract.attritionContract)],
    ['Payroll code', names(contract.serviceTerms, 'serviceTerm', nameOf)],
    ['Analysis tags', names(contract.analysisTags, 'analysisTag', nameOf)],
    ['Fund codes', contract.fundCodes.map((share) => `${nameOf('fundCode', share.fundCodeId)} ${share.percentage} %`).join(', ') || 'none'],
  ]
  const [a, b] = [fields(before), fields(after)]
  const changes = different(a.map(([field, value], index) => [field, value, b[index]![1]]))
  if (before.sealedNotes !== after.sealedNotes) {
    const note = before.sealedNotes ? 'another note' : 'a note'
    changes.push({ field: 'Notes', before: before.sealedNotes ? 'a note' : 'none', after: after.sealedNotes ? note : 'none' })
  }
  return [...changes, ...rowChanges(before.salary, after.salary, nameOf)]
}

function rowChanges(before: readonly ContractRow[], after: readonly ContractRow[], nameOf: NameOf): FieldChange[] {
  const cells = (row: ContractRow): [string, string][] => [
    ['scale point', point(row.scalePoint)],
    ['spot or adjustment', row.spotAdjustment === null ? 'none' : money(Math.round(row.spotAdjustment * 100))],
    ['FTE', text(row.fte)],
    ['hours', text(row.hoursPerWeek)],
    ['weeks', text(row.weeksPerYear)],
    ['employer pension', yesNo(row.erPension)],
    ['allowances', names(row.allowances, 'allowance', nameOf)],
    ['cease date', displayDate(row.calculationCeaseDate) || 'none'],
  ]
  const whole = (row: ContractRow): string =>
    cells(row)
      .filter(([, value]) => value !== 'none')
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  const changes: FieldChange[] = []
  for (const row of before) {
    const kept = after.find((other) => other.effectiveDate === row.effectiveDate)
    const when = `Salary from ${displayDate(row.effectiveDate)}`
    if (!kept) changes.push({ field: when, before: whole(row), after: 'removed' })
    else {
      const now = cells(kept)
      changes.push(...different(cells(row).map(([name, value], index) => [`${when}: ${name}`, value, now[index]![1]])))
    }
  }
  for (const row of after)
    if (!before.some((other) => other.effectiveDate === row.effectiveDate))
      changes.push({ field: `Salary from ${displayDate(row.effectiveDate)}`, before: 'none', after: whole(row) })
  return changes
}

/** Names of records in words. */
export function names(ids: readonly number[], kind: Parameters<NameOf>[0], nameOf: NameOf): string {
  return ids.length ? ids.map((id) => nameOf(kind, id)).join(', ') : 'none'
}

/** The fields of which the words differ. */
export function different(rows: [string, string, string][]): FieldChange[] {
  return rows.filter(([, before, after]) => before !== after).map(([field, before, after]) => ({ field, before, after }))
}
