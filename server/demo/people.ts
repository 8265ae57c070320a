import type { RandomSource } from './random.ts'

const forenames = [
  'Amara',
  'Ben',
  'Callum',
  'Dev',
  'Ella',
  'Farah',
  'George',
  'Hannah',
  'Imran',
  'Jess',
  'Kofi',
  'Leah',
  'Mei',
  'Niamh',
  'Oscar',
  'Priya',
  'Rhys',
  'Sofia',
  'Tom',
  'Una',
  'Victor',
  'Wren',
  'Yusuf',
  'Zara',
  'Alice',
  'Bilal',
  'Chloe',
  'Daniel',
  'Esther',
  'Finn',
]
const surnames = [
  'Okafor',
  'Patel',
  'Reid',
  'Sato',
  'Walsh',
  'Khan',
  'Evans',
  'Novak',
  'Clarke',
  'Osei',
  'Turner',
  'Begum',
  'Hughes',
  'Nguyen',
  'Carter',
  'Ali',
  'Murphy',
  'Hall',
  'Kowalska',
  'Shah',
  'Wright',
  'Adeyemi',
  'Morgan',
  'Lewis',
  'Rossi',
  'Campbell',
  'Singh',
  'Baker',
  'Haddad',
  'Young',
  'Fraser',
  'Mensah',
  'Doyle',
  'Price',
  'Ibrahim',
]

/** Men's forenames; the others are women's. */
const menForenames = new Set([
  'Ben',
  'Callum',
  'Dev',
  'George',
  'Imran',
  'Kofi',
  'Oscar',
  'Rhys',
  'Tom',
  'Victor',
  'Yusuf',
  'Bilal',
  'Daniel',
  'Finn',
])

export interface InventedPerson {
  employeeNumber: string
  niNumber: string | null
  title: number
  forename: string
  surname: string
  gender: number
  dateOfBirth: string | null
  continuousServiceDate: string
  email: string | null
}

export function inventPerson(random: RandomSource, { index, from, to }: { index: number; from: number; to: number }): InventedPerson {
  const [forename, surname] = [random.pick(forenames), random.pick(surnames)]
  const day = String(random.whole(1, 28)).padStart(2, '0')
  const isMan = menForenames.has(forename)
  const month = String(random.whole(1, 12)).padStart(2, '0')
  const title = 1 + random.whole(1, 3)
  return {
    employeeNumber: String(3900 + index * 7).padStart(6, '0'),
    niNumber: `QQ${String(100_000 + ((index * 7919) % 900_000))}C`.replace('QQ', 'AB'),
    title: isMan ? 1 : title,
    forename,
    surname,
    gender: random.chance(0.02) ? 4 : isMan ? 2 : 1,
    dateOfBirth: random.chance(0.015) ? null : `${random.whole(from, to)}-${month}-${day}`,
    continuousServiceDate: `${random.whole(2012, 2024)}-09-01`,
    email: random.chance(0.7) ? `${forename}.${surname}.${index}@example.org`.toLowerCase() : null,
  }
}
