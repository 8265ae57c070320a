/** What each kind of row of a funding prediction does, in words for users (rules.md §12). */
export const fundingRules = [
  { key: 'Type', description: 'Heading for a group of streams', formula: 'No amount of its own' },
  {
    key: 'Stream',
    description: 'One kind of funding',
    formula: 'Pupils in the category × rate; pupils are from the October before the year begins, high-needs places from the year itself',
  },
  { key: 'SubTotal', description: 'Group total', formula: 'Streams since the heading above' },
  {
    key: 'Inflation',
    description: 'Annual increase in the rates, per cent',
    formula: 'Rates for years after the table’s year × (1 + per cent ÷ 100), rounded to the penny before they are multiplied',
  },
  { key: 'Description', description: 'Text only', formula: 'No amount' },
  { key: 'Total', description: 'Grand total', formula: 'All streams of the prediction' },
] as const
