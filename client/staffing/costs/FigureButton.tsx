import { Amount } from '../../ui/figures/Amount.tsx'
import tableStyles from '../../ui/table/DataTable.module.css'
import { describeFigurePeriod, type FigureSelection, findFigure, type SelectedFigure } from './selectedFigure.ts'

/** A figure that opens its derivation. */
export function FigureButton({ figure, selected, lines, budget, onSelect }: FigureSelection & { figure: SelectedFigure }) {
  const { line, pennies } = findFigure(lines, figure) ?? { line: null, pennies: null }
  const isPressed = selected?.line === figure.line && selected.year === figure.year && selected.month === figure.month
  return (
    <button
      type="button"
      className={tableStyles.figure}
      aria-pressed={isPressed}
      aria-label={`${line?.label ?? 'Total'}, ${describeFigurePeriod(figure, budget)}: ${line && figure.month !== null ? 'why' : 'breakdown'}`}
      onClick={() => onSelect(figure)}
    >
      <Amount pennies={pennies} />
    </button>
  )
}
