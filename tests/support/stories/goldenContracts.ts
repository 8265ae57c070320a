import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { CalculationInputs, ScalePoint } from '../../../domain/calculation/inputs.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import type { FrozenBudget, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { readCase } from '../../../domain/calculation/staffing/readCase.ts'
import { toContractId, toStaffId } from '../../../domain/values/ids.ts'

/** A golden case as a budget stores it: contracts with ids, one employee, frozen inputs. */
export interface GoldenBudget {
  name: string
  contracts: StaffContract[]
  frozen: FrozenBudget
  shared: SharedInputs
}

const folder = join(import.meta.dirname, '../../domain/golden')
/** The employee of every golden case. */
const goldenStaffId = toStaffId(7)
const coding = { budgetCodeId: 1, costCentreId: null }

export function goldenBudgets(): GoldenBudget[] {
  return readdirSync(folder).map((file) => goldenBudget(file.replace('.json', '')))
}

export function goldenBudget(name: string): GoldenBudget {
  const costCase = readCase(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  const idsOf = (names: object): Map<string, number> => new Map(Object.keys(names).map((key, index) => [key, index + 1]))
  const [types, allowances] = [idsOf(costCase.contractTypes), idsOf(costCase.allowances)]
  const renamed = <T>(record: Record<string, T>, ids: Map<string, number>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [ids.get(key) ?? key, value]))
  const number = (text: string | null): number | null => (text === null ? null : Number(text))
  const point = (stored: ScalePoint | null) => stored && { ...stored, id: 1 }
  const inputs: CalculationInputs = costCase
  const person = {
    ages: calculateAgesReached(costCase.employee.dateOfBirth, listAgeLimits(costCase.tables.nationalInsurance), costCase.budget),
    leaves: costCase.employee.leaves,
  }
  return {
    name,
    contracts: costCase.employee.contracts.map(
      (contract, index): StaffContract => ({
        id: toContractId(String(index).padStart(24, '0')),
        staffId: goldenStaffId,
        type: 1,
        contractName: contract.name,
        contractTypeId: types.get(contract.contractType)!,
        maximumScalePoint: point(contract.maximumScalePoint),
        startDate: contract.startDate,
        endDate: contract.endDate,
        position: null,
        department: null,
        apprentice: contract.apprentice,
        attritionContract: contract.attritionContract,
        sealedNotes: null,
        serviceTerms: [1],
        analysisTags: [],
        fundCodes: [],
        salary: contract.rows.map((row) => ({
          effectiveDate: row.effectiveDate,
          calculationCeaseDate: row.calculationCeaseDate,
          scalePoint: point(row.scalePoint),
          spotAdjustment: number(row.spotAdjustment),
          allowances: row.allowances.map((key) => allowances.get(key)!),
          erPension: row.erPension,
          fte: number(row.fte),
          hoursPerWeek: number(row.hoursPerWeek),
          weeksPerYear: number(row.weeksPerYear),
        })),
      }),
    ),
    frozen: { budget: inputs.budget, budgetElements: inputs.budgetElements, staffAssumptionsId: 1, people: { [goldenStaffId]: person } },
    shared: {
      tables: inputs.tables,
      contractTypes: renamed(inputs.contractTypes, types),
      assumptions: { 1: renamed(inputs.assumptions, types) },
      allowances: renamed(inputs.allowances, allowances),
      leaveRulesets: inputs.leaveRulesets,
      serviceTerms: { 1: { basic: coding, ni: coding, pension: coding } },
      labels: {},
    },
  }
}
