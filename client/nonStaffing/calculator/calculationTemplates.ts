import { type CalculatorRow, rowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'

const row = (kind: number, description: string, part: Partial<CalculatorRow> = {}): CalculatorRow => ({
  kind,
  description,
  value: null,
  years: [],
  periods: [],
  ...part,
})
const termTime = [2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 1, 0]

/** Templates for calculations that schools often make. The user fills in the numbers. */
export const calculationTemplates: { key: string; name: string; description: string; rows: CalculatorRow[] }[] = [
  {
    key: 'catering',
    name: 'Catering income',
    description: 'Meals sold to pupils and staff',
    rows: [
      row(rowKind.description, 'Pupils'),
      row(rowKind.criteria, 'Pupils who pay for a meal'),
      row(rowKind.criteria, 'School days', { value: 190 }),
      row(rowKind.amount, 'Price of a meal'),
      row(rowKind.subtotal, 'Pupil meals'),
      row(rowKind.description, 'Staff'),
      row(rowKind.criteria, 'Staff who buy a meal'),
      row(rowKind.criteria, 'School days', { value: 190 }),
      row(rowKind.amount, 'Price of a staff meal'),
      row(rowKind.subtotal, 'Staff meals'),
      row(rowKind.inflation, 'Price increase', { years: [null, 2, 2, 2, 2] }),
      row(rowKind.total, 'Catering income'),
      row(rowKind.period, 'Term time', { periods: termTime }),
    ],
  },
  {
    key: 'exams',
    name: 'Exam fees',
    description: 'Exam entries per pupil and the fee for each',
    rows: [
      row(rowKind.criteria, 'Pupils in Year 11'),
      row(rowKind.criteria, 'Entries per pupil', { value: 9 }),
      row(rowKind.amount, 'Fee per entry'),
      row(rowKind.inflation, 'Fee increase', { years: [null, 3, 3, 3, 3] }),
      row(rowKind.subtotal, 'GCSE'),
      row(rowKind.fixedInput, 'Late entries and reviews'),
      row(rowKind.total, 'Exam fees'),
      row(rowKind.period, 'Autumn and spring', { periods: [0, 0, 1, 0, 0, 6, 3, 1, 0, 0, 0, 1] }),
    ],
  },
  {
    key: 'trip',
    name: 'School trip',
    description: 'What a trip costs',
    rows: [
      row(rowKind.criteria, 'Pupils'),
      row(rowKind.amount, 'Pupil place'),
      row(rowKind.criteria, 'Adults'),
      row(rowKind.amount, 'Adult place'),
      row(rowKind.inflation, 'Price increase', { years: [null, 2.5, 2.5, 2.5, 2.5] }),
      row(rowKind.subtotal, 'Places'),
      row(rowKind.fixedInput, 'Coach'),
      row(rowKind.total, 'Trip'),
      row(rowKind.period, 'In June', { periods: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0] }),
    ],
  },
]

export const blankRows: CalculatorRow[] = [row(rowKind.criteria, ''), row(rowKind.amount, ''), row(rowKind.total, 'Total')].map((one) => ({
  ...one,
  description: one.description || null,
}))
