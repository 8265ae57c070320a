import { payScaleRegion } from '../../domain/lookups/lookupIds.ts'

/** A kind of post in a school: its title, pay, and its weight in a random choice. */
export interface Post {
  position: string
  department: string
  type: 'Teacher' | 'Support' | 'Apprentice' | 'Casual'
  scale: string
  /** The lowest increment at which the post may be filled; `to` is the highest. */
  from: number
  to: number
  /** The increment at the top of the post's range; null if it has none. */
  maximum: number | null
  term: string
  weight: number
  hours: number[]
  weeks: number[]
  allowances: string[]
}

const full = { hours: [37], weeks: [52.143] }
const termTime = { hours: [15, 20, 25, 27.5, 30, 32.5], weeks: [44.86, 45.2] }

export const posts: Post[] = [
  {
    position: 'Class teacher',
    department: 'Teaching',
    type: 'Teacher',
    scale: 'Main',
    from: 1,
    to: 6,
    maximum: 6,
    term: 'TCH',
    weight: 24,
    ...full,
    allowances: ['TLR 2a', 'SEN 1'],
  },
  {
    position: 'Experienced teacher',
    department: 'Teaching',
    type: 'Teacher',
    scale: 'Upper',
    from: 1,
    to: 3,
    maximum: 3,
    term: 'TCH',
    weight: 16,
    ...full,
    allowances: ['TLR 2b', 'TLR 1a', 'SEN 1'],
  },
  {
    position: 'Unqualified teacher',
    department: 'Teaching',
    type: 'Teacher',
    scale: 'Unqualified',
    from: 1,
    to: 4,
    maximum: 6,
    term: 'TCH',
    weight: 2,
    ...full,
    allowances: [],
  },
  {
    position: 'Assistant headteacher',
    department: 'Leadership',
    type: 'Teacher',
    scale: 'Leadership',
    from: 4,
    to: 12,
    maximum: null,
    term: 'SLT',
    weight: 3,
    ...full,
    allowances: [],
  },
  {
    position: 'Teaching assistant',
    department: 'Teaching support',
    type: 'Support',
    scale: 'NJC',
    from: 3,
    to: 6,
    maximum: 8,
    term: 'TA',
    weight: 26,
    ...termTime,
    allowances: ['First aid'],
  },
  {
    position: 'Cover supervisor',
    department: 'Teaching support',
    type: 'Support',
    scale: 'NJC',
    from: 8,
    to: 12,
    maximum: 14,
    term: 'TA',
    weight: 4,
    ...termTime,
    allowances: [],
  },
  {
    position: 'Administrator',
    department: 'Office',
    type: 'Support',
    scale: 'NJC',
    from: 5,
    to: 14,
    maximum: 16,
    term: 'ADM',
    weight: 7,
    hours: [20, 30, 37],
    weeks: [44.86, 52.143],
    allowances: ['First aid'],
  },
  {
    position: 'Site manager',
    department: 'Premises',
    type: 'Support',
    scale: 'NJC',
    from: 9,
    to: 15,
    maximum: 17,
    term: 'PRM',
    weight: 3,
    ...full,
    allowances: [],
  },
  {
    position: 'Midday supervisor',
    department: 'Catering',
    type: 'Support',
    scale: 'NJC',
    from: 2,
    to: 3,
    maximum: 3,
    term: 'CAT',
    weight: 9,
    hours: [5, 6.25, 7.5, 10],
    weeks: [43.7],
    allowances: [],
  },
  {
    position: 'Apprentice teaching assistant',
    department: 'Teaching support',
    type: 'Apprentice',
    scale: 'NJC',
    from: 2,
    to: 2,
    maximum: null,
    term: 'TA',
    weight: 2,
    hours: [30, 37],
    weeks: [44.86, 52.143],
    allowances: [],
  },
  {
    position: 'Invigilator',
    department: 'Exams',
    type: 'Casual',
    scale: 'NJC',
    from: 3,
    to: 4,
    maximum: null,
    term: 'ADM',
    weight: 3,
    hours: [4, 6],
    weeks: [8, 12],
    allowances: [],
  },
]

export const headteacher: Post = {
  position: 'Headteacher',
  department: 'Leadership',
  type: 'Teacher',
  scale: 'Leadership',
  from: 15,
  to: 28,
  maximum: null,
  term: 'SLT',
  weight: 0,
  ...full,
  allowances: [],
}
export const businessManager: Post = {
  position: 'School business manager',
  department: 'Office',
  type: 'Support',
  scale: 'NJC',
  from: 27,
  to: 33,
  maximum: null,
  term: 'ADM',
  weight: 0,
  ...full,
  allowances: [],
}

export interface School {
  name: string
  alias: string
  authority: string
  /** An id of `lookups.payScaleRegions`. */
  region: number
  dfe: string
  contracts: number
  central?: boolean
  /** The long leave of the first person in this position, with the rule set that applies. */
  leave?: { position: string; rules: string; startDate: string; endDate: string }
}

/** Whether a school pays London rates, which the national pay tables for support staff lack. */
export const isNearLondon = ({ region }: School): boolean => region !== payScaleRegion.main

const maternity = { position: 'Class teacher', rules: 'Burgundy Book maternity', startDate: '2027-01-11', endDate: '2028-01-09' }

/** Harbour Learning Trust: two primaries, two secondaries, a special school and the central team, in different pay areas. */
export const harbourSchools: School[] = [
  { name: 'Northgate Primary School', alias: 'Northgate', authority: 'Kent', region: 1, dfe: '886/2101', contracts: 46 },
  {
    name: 'St Anne’s Primary School',
    alias: 'St Anne’s',
    authority: 'Bromley',
    region: 3,
    dfe: '305/2102',
    contracts: 42,
    leave: maternity,
  },
  { name: 'Harbour Academy', alias: 'Harbour', authority: 'Kent', region: 1, dfe: '886/4101', contracts: 108 },
  { name: 'Riverside School', alias: 'Riverside', authority: 'Lewisham', region: 2, dfe: '209/4102', contracts: 96 },
  { name: 'The Beacon School', alias: 'Beacon', authority: 'Kent', region: 4, dfe: '886/7101', contracts: 52 },
  { name: 'Harbour Central Team', alias: 'Central', authority: 'Kent', region: 1, dfe: '886/0001', contracts: 16, central: true },
]
