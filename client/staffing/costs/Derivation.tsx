import { useHotkeys } from '@mantine/hooks'
import type { DerivationStep } from '../../../domain/calculation/inputs.ts'
import { requireItemAt } from '../../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayFigure as display } from '../../../domain/values/format.ts'
import { CalculationSteps } from './CalculationSteps.tsx'
import { SumParts } from './SumParts.tsx'
import { describeFigurePeriod, type FigureSelection, findFigure, type SelectedFigure } from './selectedFigure.ts'

/**
 * The calculation of a figure: the steps for one month of a line, or the parts of a sum. Escape closes it.
 * @param explain the steps of a month; undefined while they are being fetched
 */
export function DerivationPanel({
  selected,
  lines,
  budget,
  explain,
  onSelect,
}: FigureSelection & { selected: SelectedFigure; explain: (month: number) => readonly DerivationStep[] | undefined }) {
  const close = (): void => onSelect(null)
  useHotkeys([['Escape', close]])
  const { year, month } = selected
  const read = findFigure(lines, selected)
  if (!read) return null
  const { line, pennies } = read
  const period = describeFigurePeriod(selected, budget)
  if (line && month !== null) return <CalculationSteps line={line} month={month} when={period} steps={explain(month)} onClose={close} />
  const parts = line
    ? Array.from({ length: 12 }, (_unused, index) => ({
        label: formatPeriodMonth(budget.startMonth, index + 1),
        pennies: requireItemAt(line.months, year * 12 + index),
        onSelect: () => onSelect({ line: line.figure, year, month: year * 12 + index }),
      }))
    : lines.map(({ figure, label }) => ({
        label,
        pennies: findFigure(lines, { line: figure, year, month })?.pennies ?? null,
        onSelect: () => onSelect({ line: figure, year, month }),
      }))
  const title = `What makes up ${line?.label ?? 'the total'} in ${period}: ${pennies === null ? 'not calculated' : display(pennies)}`
  return <SumParts title={title} parts={parts} onClose={close} />
}
