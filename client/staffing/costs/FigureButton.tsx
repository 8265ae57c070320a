import { Amount } from '../../ui/figures/Amount.tsx'
import tableStyles from '../../ui/table/DataTable.module.css'
import { describeFigurePeriod, type FigureSelection, findFigure, type SelectedFigure } from './selectedFigure.ts'

/** A figure that opens its derivation. */
export function FigureButton({ figure, asked, lines, budget, onAsk }: FigureSelection & { figure: SelectedFigure }) {
  const { line, pennies } = findFigure(lines, figure) ?? { line: null, pennies: null }
  const isPressed = asked?.line === figure.line && asked.year === figure.year && asked.month === figure.month
  return (
    <button
      type="button"
      className={tableStyles.figure}
      aria-pressed={isPressed}
      aria-label={`${line?.label ?? 'Total'}, ${describeFigurePeriod(figure, budget)}: ${line && figure.month !== null ? 'why' : 'breakdown'}`}
      onClick={() => onAsk(figure)}
    >
      <Amount pennies={pennies} />
    </button>
  )
}
