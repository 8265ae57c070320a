import { Amount } from '../../ui/figures/Amount.tsx'
import tableStyles from '../../ui/table/DataTable.module.css'
import { type AskedFigure, type Asking, readFigure, whenOf } from './askedFigure.ts'

/** A figure that opens its derivation. */
export function AskFigure({ figure, asked, lines, budget, onAsk }: Asking & { figure: AskedFigure }) {
  const { line, pennies } = readFigure(lines, figure) ?? { line: null, pennies: null }
  const isPressed = asked?.line === figure.line && asked.year === figure.year && asked.month === figure.month
  return (
    <button
      type="button"
      className={tableStyles.figure}
      aria-pressed={isPressed}
      aria-label={`${line?.label ?? 'Total'}, ${whenOf(figure, budget)}: ${line && figure.month !== null ? 'why' : 'breakdown'}`}
      onClick={() => onAsk(figure)}
    >
      <Amount pennies={pennies} />
    </button>
  )
}
