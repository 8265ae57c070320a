import type { z } from 'zod'
import type { StaffContract, StoredScalePoint } from '../../../domain/budget/budget.ts'
import { staffContractInput } from '../../../domain/budget/budget.ts'
import { toStoredForm } from '../../../domain/budget/contractForms.ts'
import { payScaleType } from '../../../domain/lookups/lookupIds.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { type EditedValuesOf, type Fields, pickDeclaredFields } from '../../../domain/resources/fields.ts'
import { createEmptyValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { isDate } from '../../../domain/values/calendar.ts'
import { type ContractId, type StaffId, toContractId } from '../../../domain/values/ids.ts'
import { type ValidationResult, validateWith } from '../../resources/editor/validateWith.ts'
import type { api } from '../../shell/api.ts'

export type LoadedContract = Awaited<ReturnType<typeof api.contracts.get.query>>

const { fields } = staffContract

type Typed = EditedValuesOf<typeof fields>

/** A salary row as the user edits it, possibly incomplete. */
export type SalaryDraftRow = Typed['salary'][number]

/** The form values of a staff contract. */
export interface ContractDraft extends Typed {
  id: ContractId | null
  version: number | null
  type: number
  contractName: string
}

function emptyTyped<F extends Fields>(of: F): EditedValuesOf<F> {
  const values: object = createEmptyValues(of)
  // The type is built from the same fields, which TypeScript cannot infer.
  return values as EditedValuesOf<F>
}

export function createEmptySalaryRow(): SalaryDraftRow {
  return emptyTyped(fields.salary.of)
}

/** @param startDate the first day of the budget */
export function createEmptyContract(startDate: string, employeeNumber: string | null): ContractDraft {
  return {
    ...emptyTyped(fields),
    id: null,
    version: null,
    employeeNumber,
    type: payScaleType.teacher,
    contractName: '',
    startDate,
    salary: [{ ...createEmptySalaryRow(), effectiveDate: startDate, fte: 1 }],
  }
}

type QuickCalculation = Awaited<ReturnType<typeof api.quickCalculator.get.query>>

/** A new contract prefilled from a quick calculation. The employee and the codes remain to be entered. */
export function buildDraftFromQuickCalculation(quick: QuickCalculation, startDate: string): ContractDraft {
  const { name, type, contractTypeId, scalePointId, spotOrAdjustment, allowanceIds, eRpension, fte, hoursPerWeek, paidWeeksPerYear } = quick
  return {
    ...createEmptyContract(startDate, null),
    type,
    contractName: name,
    contractTypeName: contractTypeId,
    salary: [
      {
        ...createEmptySalaryRow(),
        effectiveDate: startDate,
        scalePoint: scalePointId,
        spotAdjustment: spotOrAdjustment,
        allowances: allowanceIds,
        erPension: eRpension,
        fte,
        hoursPerWeek,
        weeksPerYear: paidWeeksPerYear,
      },
    ],
  }
}

export function toContractDraft(
  contract: Omit<LoadedContract, 'id' | 'version'> & { id?: ContractId; version?: number | null },
): ContractDraft {
  return { ...pickDeclaredFields(fields, contract), id: contract.id ?? null, version: contract.version ?? null }
}

/** Validates a draft with the server's rules and converts it to the input to send. */
export function validateContractDraft(draft: ContractDraft): ValidationResult<z.infer<typeof staffContractInput>> {
  const fundCodes = draft.fundCodes.filter((share) => share.fundCodeId !== null || share.percentage !== null)
  return validateWith(staffContractInput, { ...draft, fundCodes })
}

/** The draft as the engine reads it, without incomplete rows; null if too much is missing to cost it. */
export function toCostableContract(
  draft: ContractDraft,
  staffId: StaffId | null,
  points: ReadonlyMap<number, StoredScalePoint>,
): StaffContract | null {
  if (draft.contractTypeName === null || !draft.startDate || !isDate(draft.startDate)) return null
  const rows = draft.salary.filter(
    (row) => row.effectiveDate && isDate(row.effectiveDate) && (row.scalePoint !== null || row.spotAdjustment !== null),
  )
  const { version: _version, startDate, contractTypeName, ...rest } = draft
  const salary = rows
    .map((row) => ({ ...row, effectiveDate: assertDefined(row.effectiveDate) }))
    .sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  return {
    ...toStoredForm({ ...rest, startDate, contractTypeName, fundCodes: [], salary }, (id) => points.get(id) ?? null),
    id: draft.id ?? toContractId('ffffffffffffffffffffffff'),
    staffId,
    sealedNotes: null,
  }
}
