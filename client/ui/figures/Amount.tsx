import { displayFigure } from '../../../domain/values/format.ts'
import textStyles from '../labels/text.module.css'

/** Whole pennies, or plain words where nothing could be calculated: never a zero that is not one. */
export function Amount({ pennies }: { pennies: number | null }) {
  return pennies === null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(pennies)
}
