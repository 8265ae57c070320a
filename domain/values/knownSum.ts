/** All figures together; null where one of them is not known. */
export function sumIfAllKnown(figures: readonly (number | null)[]): number | null {
  return figures.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}
