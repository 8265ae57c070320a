import { displayFigure } from '../../../domain/values/format.ts'
import textStyles from '../labels/text.module.css'

/** An amount, or “not calculated” if it is null, so that an unknown amount never looks like zero. */
export function Amount({ pennies }: { pennies: number | null }) {
  return pennies === null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(pennies)
}
