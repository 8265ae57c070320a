import type { IsoDate } from '../values/calendar.ts'
import type { KitContractType } from './kit.ts'

export const contractTypeSource =
  'Support staff: the 37 hours of the National Joint Council (NJC) agreement (36 in London). Teachers: 32.5 hours, a common convention. Change them if yours differ.'

export const kitContractTypes: readonly KitContractType[] = [
  {
    name: 'Leadership',
    description: 'Headteachers, deputies and assistant heads, by FTE',
    calculation: 'fte',
    payScales: 'teacher',
    fullTimeHours: 32.5,
    scheme: 'TPS',
  },
  { name: 'Teacher', description: 'Teachers, by FTE', calculation: 'fte', payScales: 'teacher', fullTimeHours: 32.5, scheme: 'TPS' },
  {
    name: 'Support, full year',
    description: 'Support staff who work all year',
    calculation: 'hoursAndWeeks',
    payScales: 'support',
    fullTimeHours: 37,
    scheme: 'LGPS',
  },
  {
    name: 'Support, term time',
    description: 'Term-time support staff: enter paid weeks in each contract',
    calculation: 'hoursAndWeeks',
    payScales: 'support',
    fullTimeHours: 37,
    scheme: 'LGPS',
  },
  {
    name: 'Midday supervisor',
    description: 'Midday supervisors: enter hours and paid weeks in each contract',
    calculation: 'hoursAndWeeks',
    payScales: 'support',
    fullTimeHours: 37,
    scheme: 'LGPS',
  },
  {
    name: 'Casual',
    description: 'Casual staff, paid by the hour',
    calculation: 'hourly',
    payScales: 'support',
    fullTimeHours: 37,
    scheme: 'LGPS',
  },
]

/** The set of assumptions that holds the pension rates of a kit. */
export const kitAssumptions = { name: 'Main assumptions', description: 'Employer pension rates. Add the pay awards you expect.' }

/** The employer rate of the Teachers’ Pension Scheme, in per cent: 28.6 plus an administration levy of 0.08. */
export const teachersPension: { rate: number; from: IsoDate } = { rate: 28.68, from: '2024-04-01' }

export const pensionSource =
  'Teachers’ Pension Scheme: 28.68% from 1 April 2024 for every employer (28.6% and the 0.08% administration levy). Check it for April 2027, when a new valuation applies.'
