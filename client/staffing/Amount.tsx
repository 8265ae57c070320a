import { figure } from '../../domain/format.ts'

/** Whole pennies, or plain words where nothing could be calculated: never a zero that is not one. */
export function Amount({ pennies }: { pennies: number | null }) {
  return pennies === null ? <span className="missing">not calculated</span> : figure(pennies)
}
