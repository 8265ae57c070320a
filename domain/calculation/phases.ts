/** A phase of the funding formula, by its id in the list `pupilPhases`. */
export const phase = { earlyYears: 1, primary: 2, keyStage3: 3, keyStage4: 4, sixthForm: 5, highNeeds: 6 } as const
