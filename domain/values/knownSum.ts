/** Adds figures; null if any of them is null. */
export function sumIfAllKnown(figures: readonly (number | null)[]): number | null {
  return figures.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}
