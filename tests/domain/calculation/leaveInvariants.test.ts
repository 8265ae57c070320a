import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { CalculationInputs, LeaveRule } from '../../../domain/calculation/inputs.ts'
import { costEmployee } from '../../../domain/calculation/staffing/cost.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'

const rowsOf = (file: string): Record<string, string>[] =>
  papaparse.parse<Record<string, string>>(readFileSync(join(import.meta.dirname, '../../../drizzle/reference', file), 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data

const typeOf = new Map(rowsOf('extended-leave-rule-sets.csv').map((row) => [row.Name!, row.ExtendedLeaveType!]))
const pensions: Record<string, 0 | 1 | 2> = { None: 0, 'On pay received': 1, 'On normal pay': 2 }
const ruleSets = new Map<string, LeaveRule[]>()
for (const row of rowsOf('extended-leave-rules.csv'))
  ruleSets.set(row.ExtendedLeaveRuleset!, [
    ...(ruleSets.get(row.ExtendedLeaveRuleset!) ?? []),
    {
      periodName: row.PeriodName!,
      firstWeek: Number(row.FirstWeek),
      lastWeek: Number(row.LastWeek),
      payPercentage: row.PayPercentage!,
      useAWE: row.UseAWE === 'Yes',
      payInclusive: row.PayInclusive === 'Yes',
      payRecoveryPercentage: row.PayRecoveryPercentage!,
      extendedLeaveRatePercentage: row.ExtendedLeaveRatePercentage!,
      extendedLeaveRateRecoveryPercentage: row.ExtendedLeaveRateRecoveryPercentage!,
      rateCapPercentage: row.RateCapPercentage || null,
      erPensionCalculation: pensions[row.ErPensionCalculation!]!,
    },
  ])

function inputsFor(ruleset: string): CalculationInputs {
  const types = rowsOf('extended-leave-types.csv').filter((row) => row.AdminTable === 'Leave 2026/27')
  return {
    budget: { firstYear: 2026, years: 2, startMonth: 9, payArea: 'main' },
    tables: {
      payScales: {},
      nationalInsurance: {},
      extendedLeave: { now: types.map((row) => ({ name: row.Name!, rate: row.Rate!, earningsFloor: row.EarningsFloor || null })) },
    },
    budgetElements: {
      teacherPayScales: [],
      supportPayScales: [],
      customTeacherPayScales: [],
      customSupportPayScales: [],
      nationalInsurance: [],
      extendedLeave: [{ effectiveDate: '2026-04-05', table: 'now' }],
    },
    contractTypes: { Any: { calculationType: 1, payScaleTypes: 15 } },
    assumptions: { Any: { erPension: [], inflation: [] } },
    allowances: {},
    leaveRulesets: { [ruleset]: ruleSets.get(ruleset)! },
  }
}

/** The monthly pay of somebody who earns this many pounds a week, with a year of leave or without. */
function months(ruleset: string, { weekly, isOnLeave }: { weekly: number; isOnLeave: boolean }) {
  const leave = { ruleset, type: typeOf.get(ruleset)!, startDate: '2026-11-02', endDate: '2027-10-31' }
  const [cost] = costEmployee(prepareCalculation(inputsFor(ruleset)), {
    ages: null,
    leaves: isOnLeave ? [leave] : [],
    contracts: [
      {
        name: 'post',
        contractType: 'Any',
        startDate: '2020-09-01',
        endDate: null,
        maximumScalePoint: null,
        apprentice: false,
        attritionContract: false,
        rows: [
          {
            effectiveDate: '2020-09-01',
            calculationCeaseDate: null,
            scalePoint: null,
            spotAdjustment: String(weekly * 52),
            allowances: [],
            erPension: false,
            fte: '1',
            hoursPerWeek: null,
            weeksPerYear: null,
          },
        ],
      },
    ],
  })
  return cost!.years.flatMap(({ gross, leavePay, leaveRecovery }) =>
    gross.map((all, month) => ({ gross: all!, leavePay: leavePay[month]!, recovered: -leaveRecovery[month]! })),
  )
}

describe.each([...ruleSets.keys()])('no leave makes a profit for a school: %s', (ruleset) => {
  it('the recovery is never more than what was paid, and nobody is paid more than at work', () => {
    for (let weekly = 10; weekly <= 2000; weekly += 10) {
      const atWork = months(ruleset, { weekly, isOnLeave: false })
      for (const [month, { gross, leavePay, recovered }] of months(ruleset, { weekly, isOnLeave: true }).entries()) {
        expect(recovered, `£${weekly} a week, month ${month}`).toBeLessThanOrEqual(leavePay)
        // Pay at work and pay on leave are each rounded to the penny, so they may add up to one penny more.
        expect(gross, `£${weekly} a week, month ${month}`).toBeLessThanOrEqual(atWork[month]!.gross + 1)
      }
    }
  })
})
