import { type CalculatorRow, calculatorRowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'

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
      row(calculatorRowKind.description, 'Pupils'),
      row(calculatorRowKind.criteria, 'Pupils who pay for a meal'),
      row(calculatorRowKind.criteria, 'School days', { value: 190 }),
      row(calculatorRowKind.amount, 'Price of a meal'),
      row(calculatorRowKind.subtotal, 'Pupil meals'),
      row(calculatorRowKind.description, 'Staff'),
      row(calculatorRowKind.criteria, 'Staff who buy a meal'),
      row(calculatorRowKind.criteria, 'School days', { value: 190 }),
      row(calculatorRowKind.amount, 'Price of a staff meal'),
      row(calculatorRowKind.subtotal, 'Staff meals'),
      row(calculatorRowKind.inflation, 'Price increase', { years: [null, 2, 2, 2, 2] }),
      row(calculatorRowKind.total, 'Catering income'),
      row(calculatorRowKind.period, 'Term time', { periods: termTime }),
    ],
  },
  {
    key: 'exams',
    name: 'Exam fees',
    description: 'Exam entries per pupil and the fee for each',
    rows: [
      row(calculatorRowKind.criteria, 'Pupils in Year 11'),
      row(calculatorRowKind.criteria, 'Entries per pupil', { value: 9 }),
      row(calculatorRowKind.amount, 'Fee per entry'),
      row(calculatorRowKind.inflation, 'Fee increase', { years: [null, 3, 3, 3, 3] }),
      row(calculatorRowKind.subtotal, 'GCSE'),
      row(calculatorRowKind.fixedInput, 'Late entries and reviews'),
      row(calculatorRowKind.total, 'Exam fees'),
      row(calculatorRowKind.period, 'Autumn and spring', { periods: [0, 0, 1, 0, 0, 6, 3, 1, 0, 0, 0, 1] }),
    ],
  },
  {
    key: 'trip',
    name: 'School trip',
    description: 'What a trip costs',
    rows: [
      row(calculatorRowKind.criteria, 'Pupils'),
      row(calculatorRowKind.amount, 'Pupil place'),
      row(calculatorRowKind.criteria, 'Adults'),
      row(calculatorRowKind.amount, 'Adult place'),
      row(calculatorRowKind.inflation, 'Price increase', { years: [null, 2.5, 2.5, 2.5, 2.5] }),
      row(calculatorRowKind.subtotal, 'Places'),
      row(calculatorRowKind.fixedInput, 'Coach'),
      row(calculatorRowKind.total, 'Trip'),
      row(calculatorRowKind.period, 'In June', { periods: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0] }),
    ],
  },
]

export const initialCalculatorRows: CalculatorRow[] = [
  row(calculatorRowKind.criteria, ''),
  row(calculatorRowKind.amount, ''),
  row(calculatorRowKind.total, 'Total'),
].map((one) => ({
  ...one,
  description: one.description || null,
}))
