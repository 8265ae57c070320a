/** The budget setting that lists the pay tables of each kind of pay scale. */
export const payTableElements = {
  teacher: 'teacherPayScales',
  customTeacher: 'customTeacherPayScales',
  support: 'supportPayScales',
  customSupport: 'customSupportPayScales',
} as const

/** The column of a pay table that applies to each pay area. */
export const rateColumn = { main: 'mainRate', inner: 'innerRate', outer: 'outerRate', fringe: 'fringeRate' } as const

/** The pay areas, as they are named in sentences. */
export const areaNames = { main: 'rest of England', inner: 'inner London', outer: 'outer London', fringe: 'London fringe' } as const
