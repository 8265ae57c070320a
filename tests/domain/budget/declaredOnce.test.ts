import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type BudgetSettings,
  pickBudgetSettings,
  type StoredContract,
  type StoredScalePoint,
  settingsInput,
  staffContractInput,
} from '../../../domain/budget/budget.ts'
import {
  buildByReferencedResource,
  indexScalePointsByPath,
  mapScalePoints,
  toInputForm,
  toStoredForm,
} from '../../../domain/budget/contractForms.ts'
import { type ContractFacts, saveElements, saveStaffContract } from '../../../domain/budget/decide.ts'
import { describeContractChanges } from '../../../domain/budget/describeContract.ts'
import { replaceInContract, replaceInHead, replacePoint } from '../../../domain/budget/replace.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { budgetSettingFields, budgetTableKindNames } from '../../../domain/resources/entities/budget/budget.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { type Field, getSingularName, listReferringFields } from '../../../domain/resources/fields.ts'
import { buildReplyShape } from '../../../domain/resources/shape.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { toContractId } from '../../../domain/values/ids.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { contractOf, created, describeStory, given, idOf } from '../../support/stories/budgetStory.ts'

const { fields } = staffContract
const { salary, ...single } = fields
const point: StoredScalePoint = { id: 41, kind: 'teacher', scale: 'Upper', increment: 2 }
const parts = Object.entries<Field>(salary.of)
const withRow = (contract: object, name: string, value: unknown): object => ({
  ...contract,
  salary: [{ ...assertDefined(contractOf().salary[0]), [name]: value }],
})

/** A value of this kind of field that differs from the sample contract’s. References name the record with id 41. */
function another(field: Field): unknown {
  switch (field.kind) {
    case 'flag':
      return !field.default
    case 'choice':
      return 2
    case 'date':
      return '2027-08-31'
    case 'point':
      return point
    case 'reference':
      return 41
    case 'references':
      return [41]
    case 'shares':
      return [{ fundCodeId: 41, percentage: 100 }]
    case 'money':
    case 'decimal':
      return 0.5
    default:
      return 'Another'
  }
}

/** Fields that the log stores under another name or in another form than the caller sends. */
const keptAs: Partial<Record<string, [string, unknown]>> = {
  employeeNumber: ['staffId', 41],
  contractTypeName: ['contractTypeId', 41],
  notes: ['sealedNotes', 'sealed'],
}
const changed = (name: string, field: Field): StoredContract => {
  const [key, value] = keptAs[name] ?? [name, another(field)]
  return { ...contractOf(), [key]: value } as StoredContract
}

describe('a declared field of a staff contract', () => {
  it('is sent and shown under its name', () => {
    expect(Object.keys(staffContractInput.shape)).toEqual([...Object.keys(fields), 'id', 'version', 'reminderDate', 'reminderText'])
    expect(Object.keys(buildReplyShape(fields))).toEqual(Object.keys(fields))
  })
  it('has a column in files', () => {
    const named = listColumns(staffContract).map(({ field, part }) => part ?? field)
    expect(named).toEqual([...Object.keys(single), ...Object.keys(salary.of)])
  })
  it.each(Object.entries<Field>(single))('appears in the history when it changes: %s', (name, field) => {
    const changes = describeContractChanges(contractOf(), changed(name, field), (_kind, id) => String(id))
    expect(changes.map((change) => change.field)).toEqual([name === 'employeeNumber' ? fields.employeeNumber.short : field.label])
  })
  it.each(parts.filter(([name]) => name !== 'effectiveDate'))(
    'appears in the history when it changes in a salary row: %s',
    (name, field) => {
      const after = withRow(contractOf(), name, another(field)) as StoredContract
      const changes = describeContractChanges(contractOf(), after, (_kind, id) => String(id))
      expect(changes.map((change) => change.field)).toEqual([`Salary from ${displayDate('2026-09-01')}: ${toMidSentence(field.label)}`])
    },
  )
  it('is restored unchanged from the form in which the log stores it', () => {
    const sent = {
      ...mapScalePoints(toInputForm(contractOf({ maximumScalePoint: point })), ({ id }) => id),
      employeeNumber: 'E7',
      notes: null,
    }
    expect(Object.keys(sent).sort()).toEqual([...Object.keys(fields), 'id'].sort())
    const points = new Map([...indexScalePointsByPath(contractOf({ maximumScalePoint: point })).values()].map((one) => [one.id, one]))
    const kept = { ...toStoredForm(sent, (id) => points.get(id) ?? null), staffId: 7, sealedNotes: null }
    expect(kept).toEqual(contractOf({ maximumScalePoint: point }))
  })

  const naming = listReferringFields(fields)
  it.each(naming)('is refused if it refers to a missing record: $name $part', ({ name, part, field }) => {
    const value = field.kind === 'point' ? 41 : another(field)
    const sent = { ...mapScalePoints(toInputForm(contractOf()), ({ id }) => id), employeeNumber: null, notes: null, id: null }
    const input = staffContractInput.parse(
      part ? { ...sent, salary: sent.salary.map((row) => ({ ...row, [part]: value })) } : { ...sent, [name]: value },
    )
    const facts: ContractFacts = {
      contractType: input.contractTypeName === 1 ? { id: 1, payScaleTypes: 1, calculationType: 1 } : undefined,
      points: new Map([[6, { id: 6, kind: 'teacher', scale: 'Main', increment: 6 }]]),
      allowedIds: buildByReferencedResource(() => new Set([3])),
      staffId: null,
      otherNames: [],
      sealedNotes: null,
    }
    const { head } = given(created()).budget
    const refused = () => saveStaffContract(head, { before: undefined, id: toContractId(idOf('c')), input, facts })
    expect(refused).toThrow(DomainError)
    try {
      refused()
    } catch (error) {
      const expected = { field: part ? `${name}.0.${part}` : name, message: `${getSingularName(field)} was not found.` }
      expect(error instanceof DomainError && error.fields).toContainEqual(expected)
    }
  })
  it.each(naming)('refers to the new record when a record is replaced: $name $part', ({ name, part, field }) => {
    const before = (part ? withRow(contractOf(), part, another(field)) : changed(name, field)) as StoredContract
    const now =
      field.kind === 'point'
        ? replacePoint(before, 41, { ...point, id: 42 })
        : replaceInContract(before, { resource: field.to, from: 41, to: 42 })
    expect(JSON.stringify(now)).toBe(JSON.stringify(before).replace('41', '42'))
  })
  it('has a place in the form', () => {
    const form = ['ContractFields', 'ContractCoding', 'SalaryRows']
      .map((name) => readFileSync(`client/staffing/contract/${name}.tsx`, 'utf8'))
      .join('\n')
    for (const name of [...Object.keys(fields), ...Object.keys(salary.of)]) expect(form).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

describe('a declared setting of a budget', () => {
  const { head } = given(created()).budget
  const other = (field: Field): unknown => (field.kind === 'integer' ? 2 : another(field))
  const settings = Object.entries<Field>(budgetSettingFields)
  const withSetting = (name: string, value: unknown): BudgetSettings => ({ ...pickBudgetSettings(head), [name]: value })

  it('is in its head, beside the tables', () => {
    expect(Object.keys(pickBudgetSettings(head))).toEqual([...Object.keys(budgetSettingFields), 'elements'])
    expect(Object.keys(settingsInput.shape).sort()).toEqual([...Object.keys(budgetSettingFields), ...budgetTableKindNames].sort())
  })
  it.each(settings)('is saved, and appears in the history when it changes: %s', (name, field) => {
    const events = saveElements(head, withSetting(name, other(field)), 5)
    expect(events).toHaveLength(1)
    const line = describeStory(created(), ...events).at(-1)
    expect(line?.changes.map((change) => change.field)).toEqual([field.label])
  })
  it.each(listReferringFields(budgetSettingFields))('refers to the new record when a record is replaced: $name', ({ name, field }) => {
    const before = { ...head, ...withSetting(name, another(field)) }
    const now = replaceInHead(before, { resource: field.to, from: 41, to: 42 })
    expect(now).toEqual(JSON.parse(JSON.stringify(pickBudgetSettings(before)).replace('41', '42')))
  })
})
