import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { api } from '../shell/api.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

export type ScenarioList = Awaited<ReturnType<typeof api.scenarios.list.query>>
export type Scenario = ScenarioList['scenarios'][number]

const lines = [
  ['income', 'Income', 1],
  ['staffing', 'Staffing', -1],
  ['nonStaffing', 'Non-staffing', -1],
  ['inYear', 'In-year balance', 1],
  ['closing', 'Closing balance', 1],
] as const

/** Compares the chosen scenarios with the budget, line by line, each with its difference from the budget. */
export function ScenarioComparison({ scenarioList, chosen, year }: { scenarioList: ScenarioList; chosen: Scenario[]; year: number }) {
  const base = assertDefined(scenarioList.base.years[year])
  return (
    <Card className={scrollStyles.scroll} aria-label="Side by side">
      <DataTable
        columns={[
          { id: 'name', label: assertDefined(scenarioList.yearNames[year]), cell: ([, name]) => name },
          {
            id: 'budget',
            label: 'The budget',
            isFigure: true,
            cellProps: ([key]) => ({ title: displayMoney(toPennies(base[key])) }),
            cell: ([key]) => (
              <>
                {displayWholePounds(toPennies(base[key]))}
                <IncompleteSumNote count={base.gaps[key]} />
              </>
            ),
          },
          ...chosen.map((scenario): TableColumn<(typeof lines)[number]> => {
            const yearFigures = assertDefined(scenario.years[year])
            return {
              id: String(scenario.id),
              label: scenario.name,
              isFigure: true,
              cellProps: ([key]) => ({ title: displayMoney(toPennies(yearFigures[key])) }),
              cell: ([key, , good]) => {
                const pennies = toPennies(yearFigures[key])
                const difference = pennies - toPennies(base[key])
                return (
                  <>
                    {displayWholePounds(pennies)}
                    <IncompleteSumNote count={yearFigures.gaps[key]} />
                    <div
                      className={difference === 0 ? textStyles.dim : difference * good > 0 ? textStyles.down : textStyles.up}
                      title={displayMoney(difference)}
                    >
                      {difference === 0
                        ? 'no change'
                        : difference > 0
                          ? `+${displayWholePounds(difference)}`
                          : displayWholePounds(difference)}
                    </div>
                  </>
                )
              },
            }
          }),
        ]}
        rows={lines}
        keyOf={([key]) => key}
        look={([key]) => (key === 'inYear' || key === 'closing' ? 'total' : undefined)}
      />
      {lines.some(([key]) => base.gaps[key] > 0 || chosen.some((scenario) => assertDefined(scenario.years[year]).gaps[key] > 0)) && (
        <p className={textStyles.dim} style={{ margin: 10 }}>
          <span className={textStyles.missing}>*</span> excludes figures that could not be calculated. The summary lists them.
        </p>
      )}
    </Card>
  )
}
