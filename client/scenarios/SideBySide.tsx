import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { api } from '../shell/api.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'

export type Ground = Awaited<ReturnType<typeof api.scenarios.list.query>>
export type Scenario = Ground['scenarios'][number]

const lines = [
  ['income', 'Income', 1],
  ['staffing', 'Staffing', -1],
  ['nonStaffing', 'Non-staffing', -1],
  ['inYear', 'In-year balance', 1],
  ['closing', 'Closing balance', 1],
] as const

/** The chosen scenarios beside the budget, line by line, each with its difference. */
export function SideBySide({ ground, chosen, year }: { ground: Ground; chosen: Scenario[]; year: number }) {
  const base = assertDefined(ground.base.years[year])
  return (
    <Card className={scrollStyles.scroll} aria-label="Side by side">
      <Figures>
        <thead>
          <tr>
            <th scope="col" className={figuresStyles.text}>
              {ground.yearNames[year]}
            </th>
            <th scope="col">The budget</th>
            {chosen.map((scenario) => (
              <th scope="col" key={scenario.id}>
                {scenario.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([key, name, good]) => (
            <tr key={key} className={key === 'inYear' || key === 'closing' ? figuresStyles.total : undefined}>
              <th scope="row">{name}</th>
              <td title={displayMoney(toPennies(base[key]))}>
                {displayWholePounds(toPennies(base[key]))}
                <Gaps count={base.gaps[key]} />
              </td>
              {chosen.map((scenario) => {
                const pennies = toPennies(assertDefined(scenario.years[year])[key])
                const difference = pennies - toPennies(base[key])
                return (
                  <td key={scenario.id} title={displayMoney(pennies)}>
                    {displayWholePounds(pennies)}
                    <Gaps count={assertDefined(scenario.years[year]).gaps[key]} />
                    <div
                      className={difference === 0 ? textStyles.dim : difference * good > 0 ? textStyles.down : textStyles.up}
                      title={displayMoney(difference)}
                    >
                      {difference === 0
                        ? 'the same'
                        : difference > 0
                          ? `+${displayWholePounds(difference)}`
                          : displayWholePounds(difference)}
                    </div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </Figures>
      {lines.some(([key]) => base.gaps[key] > 0 || chosen.some((scenario) => assertDefined(scenario.years[year]).gaps[key] > 0)) && (
        <p className={textStyles.dim} style={{ margin: 10 }}>
          <span className={textStyles.missing}>*</span> without figures that are not calculated. The summary says which.
        </p>
      )}
    </Card>
  )
}
