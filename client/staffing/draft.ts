import type { z } from 'zod'
import type { ContractRow, KeptScalePoint, StaffContract } from '../../domain/budget/budget.ts'
import { staffContractInput } from '../../domain/budget/budget.ts'
import { isDate } from '../../domain/calendar.ts'
import { type Checked, checkedBy } from '../resources/editor/checked.ts'
import type { api } from '../shell/api.ts'

export type ShownContract = Awaited<ReturnType<typeof api.contracts.get.query>>
export type LiveInputs = Awaited<ReturnType<typeof api.contracts.inputs.query>>

/** A salary row as it is typed: anything may still be missing. */
export interface DraftRow extends Omit<ContractRow, 'scalePoint' | 'effectiveDate'> {
  effectiveDate: string | null
  scalePoint: number | null
}

/** A staff contract as it is typed. */
export interface Draft {
  id: string | null
  version: number | null
  employeeNumber: string | null
  type: number
  contractName: string
  contractTypeName: number | null
  maximumScalePoint: number | null
  startDate: string | null
  endDate: string | null
  position: string | null
  department: string | null
  apprentice: boolean
  attritionContract: boolean
  notes: string | null
  serviceTerms: number[]
  analysisTags: number[]
  fundCodes: { fundCodeId: number | null; percentage: number | null }[]
  salary: DraftRow[]
}

export function emptyRow(): DraftRow {
  return {
    effectiveDate: null,
    calculationCeaseDate: null,
    scalePoint: null,
    spotAdjustment: null,
    allowances: [],
    erPension: true,
    fte: null,
    hoursPerWeek: null,
    weeksPerYear: null,
  }
}

/** @param startDate the first day of the budget */
export function emptyDraft(startDate: string, employeeNumber: string | null): Draft {
  return {
    id: null,
    version: null,
    employeeNumber,
    type: 1,
    contractName: '',
    contractTypeName: null,
    maximumScalePoint: null,
    startDate,
    endDate: null,
    position: null,
    department: null,
    apprentice: false,
    attritionContract: false,
    notes: null,
    serviceTerms: [],
    analysisTags: [],
    fundCodes: [],
    salary: [{ ...emptyRow(), effectiveDate: startDate, fte: 1 }],
  }
}

type QuickCalculation = Awaited<ReturnType<typeof api.quickCalculator.get.query>>

/** A quick calculation as the contract it may become: who it is for and how it is coded is still to be said. */
export function draftOfQuick(quick: QuickCalculation, startDate: string): Draft {
  const { name, type, contractTypeId, scalePointId, spotOrAdjustment, allowanceIds, eRpension, fte, hoursPerWeek, paidWeeksPerYear } = quick
  return {
    ...emptyDraft(startDate, null),
    type,
    contractName: name,
    contractTypeName: contractTypeId,
    salary: [
      {
        ...emptyRow(),
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

export function draftOf(contract: Omit<ShownContract, 'id' | 'version'> & { id?: string; version?: number | null }): Draft {
  const {
    employeeNumber,
    type,
    contractName,
    contractTypeName,
    maximumScalePoint,
    startDate,
    endDate,
    position,
    department,
    apprentice,
    attritionContract,
    notes,
    serviceTerms,
    analysisTags,
    fundCodes,
    salary,
  } = contract
  return {
    id: contract.id ?? null,
    version: contract.version ?? null,
    employeeNumber,
    type,
    contractName,
    contractTypeName,
    maximumScalePoint,
    startDate,
    endDate,
    position,
    department,
    apprentice,
    attritionContract,
    notes,
    serviceTerms,
    analysisTags,
    fundCodes,
    salary,
  }
}

/** The fields of a contract as people call them. */
export const contractLabels: Partial<Record<keyof Draft, string>> = {
  employeeNumber: 'Employee',
  type: 'Pay scale type',
  contractName: 'Contract name',
  contractTypeName: 'Contract type',
  maximumScalePoint: 'Maximum scale point',
  startDate: 'Start date',
  endDate: 'End date',
  position: 'Position',
  department: 'Department',
  apprentice: 'Apprentice',
  attritionContract: 'Attrition contract',
  notes: 'Notes',
  serviceTerms: 'Payroll codes',
  analysisTags: 'Analysis tags',
  fundCodes: 'Fund codes',
  salary: 'Salary information',
}

/** What is sent; the same rules as on the server find what is missing before anything is sent. */
export function checkedContract(draft: Draft): Checked<z.infer<typeof staffContractInput>> {
  const fundCodes = draft.fundCodes.filter((share) => share.fundCodeId !== null || share.percentage !== null)
  return checkedBy(staffContractInput, { ...draft, fundCodes })
}

/** The draft as the calculation reads it, or null while too little is there to cost it. Rows that are not finished do not count yet. */
export function costable(draft: Draft, staffId: number | null, points: ReadonlyMap<number, KeptScalePoint>): StaffContract | null {
  if (draft.contractTypeName === null || !draft.startDate || !isDate(draft.startDate)) return null
  const point = (id: number | null): KeptScalePoint | null => (id === null ? null : (points.get(id) ?? null))
  const rows = draft.salary.filter(
    (row) => row.effectiveDate && isDate(row.effectiveDate) && (row.scalePoint !== null || row.spotAdjustment !== null),
  )
  const { version: _version, employeeNumber: _number, notes: _notes, contractTypeName, ...rest } = draft
  return {
    ...rest,
    id: draft.id ?? 'ffffffffffffffffffffffff',
    staffId,
    contractTypeId: contractTypeName!,
    startDate: draft.startDate,
    maximumScalePoint: point(draft.maximumScalePoint),
    sealedNotes: null,
    fundCodes: [],
    salary: rows
      .map((row) => ({ ...row, effectiveDate: row.effectiveDate!, scalePoint: point(row.scalePoint) }))
      .sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)),
  }
}
