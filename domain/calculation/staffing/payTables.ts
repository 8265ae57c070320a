/** Which pay tables of a budget each kind of pay scale is paid by. */
export const tablesOfKind = {
  teacher: 'teacherPayScales',
  customTeacher: 'customTeacherPayScales',
  support: 'supportPayScales',
  customSupport: 'customSupportPayScales',
} as const

/** The column of a pay table that each pay area is paid by. */
export const rateColumn = { main: 'mainRate', inner: 'innerRate', outer: 'outerRate', fringe: 'fringeRate' } as const

/** The pay areas as a sentence names them. */
export const areaNames = { main: 'rest of England', inner: 'inner London', outer: 'outer London', fringe: 'London fringe' } as const
