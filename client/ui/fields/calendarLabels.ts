/** What the buttons of every calendar are called for people who do not see them. */
export const calendarLabels = {
  previousMonth: 'Month before',
  nextMonth: 'Month after',
  previousYear: 'Year before',
  nextYear: 'Year after',
  previousDecade: 'Ten years before',
  nextDecade: 'Ten years after',
  monthLevelControl: 'Choose a month',
  yearLevelControl: 'Choose a year',
}
