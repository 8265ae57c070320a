/** What each kind of row of a funding prediction does, in plain words (rules.md §12). */
export const fundingRules = [
  { key: 'Type', description: 'Heads a group of streams', formula: 'No amount of its own' },
  {
    key: 'Stream',
    description: 'One kind of funding',
    formula: 'Pupils of the category × rate; pupils are those of the October before the year begins, high-needs places those of the year',
  },
  { key: 'SubTotal', description: 'Sum of a group', formula: 'Streams since the type above' },
  {
    key: 'Inflation',
    description: 'Rise of the rates, per cent a year',
    formula: 'Rates of years after the table’s own × (1 + per cent / 100), to the penny before they are multiplied',
  },
  { key: 'Description', description: 'Words only', formula: 'No amount' },
  { key: 'Total', description: 'Sum of all streams', formula: 'All streams of the prediction' },
] as const
