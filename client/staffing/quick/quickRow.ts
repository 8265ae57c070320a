import type { api } from '../../shell/api.ts'

/** A quick calculation in a list. */
export type QuickRow = Awaited<ReturnType<typeof api.quickCalculator.list.query>>['rows'][number]
export type QuickResult = QuickRow['result'][number]

/** The rows of a quick calculation's result. */
export const quickResultLines: { key: keyof QuickResult; label: string; isTotal?: boolean }[] = [
  { key: 'monthlyBasic', label: 'Basic a month' },
  { key: 'monthlyErNi', label: "ER's NI a month" },
  { key: 'monthlyErPension', label: "ER's pension a month" },
  { key: 'monthlyTotal', label: 'Total a month', isTotal: true },
  { key: 'annualBasic', label: 'Basic a year' },
  { key: 'annualErNi', label: "ER's NI a year" },
  { key: 'annualErPension', label: "ER's pension a year" },
  { key: 'annualTotal', label: 'Total a year', isTotal: true },
  { key: 'hourlyRate', label: 'Hourly rate' },
  { key: 'dailyRate', label: 'Daily rate' },
]
