/** Labels of the calendar buttons for screen readers. */
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
