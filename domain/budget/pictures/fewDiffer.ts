import type { Figure } from '../../calculation/inputs.ts'
import { differByFew, fewest, findKeysOfFew } from '../../reports/fewPeople.ts'
import type { StoredEvent } from '../events.ts'
import type { Picture, PictureContract } from './picture.ts'

/** Who is paid by a contract; one that nobody holds yet counts as somebody's. */
const personOf = ({ root, contract }: PictureContract): string => String(contract.staffId ?? root)

/**
 * A person's pay in one year of a picture, over all their contracts; null if any of them is not calculated.
 * @param holders who holds each contract in this picture or in the one that it is compared with
 */
function payIn({ contracts, head }: Picture, calendarYear: number, holders: ReadonlyMap<string, string>): Map<string, Figure> {
  const pay = new Map<string, Figure>()
  for (const one of contracts.values()) {
    const amount = one.years[calendarYear - head.firstYear]
    if (amount === undefined) continue
    const person = one.contract.staffId === null ? (holders.get(one.root) ?? one.root) : personOf(one)
    const before = pay.get(person) ?? 0
    pay.set(person, before === null || amount === null ? null : before + amount)
  }
  return pay
}

/** Who holds the contracts of some pictures. A vacancy that is filled in one of them is that person in all: it is the pay of one. */
function holdersIn(pictures: readonly Picture[]): Map<string, string> {
  const all = pictures.flatMap(({ contracts }) => [...contracts.values()])
  return new Map(all.flatMap((one) => (one.contract.staffId === null ? [] : [[one.root, personOf(one)]])))
}

/** The budget codes of a picture that are not told by themselves where nobody is named. */
export function codesOfFewIn({ lines, contracts }: Picture): Set<number | null> {
  const months = new Map<string, Map<number | null, Set<string>>>()
  for (const { source, root, year, budgetCodeId, months: amounts } of lines) {
    if (source !== 'contract') continue
    const contract = contracts.get(root)
    for (const [month, amount] of amounts.entries()) {
      if (amount === 0) continue
      const codes = months.get(`${year} ${month}`) ?? new Map<number | null, Set<string>>()
      months.set(`${year} ${month}`, codes)
      codes.set(budgetCodeId, (codes.get(budgetCodeId) ?? new Set<string>()).add(contract ? personOf(contract) : root))
    }
  }
  return new Set([...months.values()].flatMap((codes) => [...findKeysOfFew([...codes].map(([key, people]) => ({ key, people })))]))
}

/**
 * Whether what lies between two pictures may be told to somebody who may not see what people are paid: in no year that both have is it the pay
 * of fewer than three people.
 */
export function mayBeToldApart(a: Picture, b: Picture): boolean {
  const first = Math.max(a.head.firstYear, b.head.firstYear)
  const end = Math.min(a.head.firstYear + a.head.numberOfYears, b.head.firstYear + b.head.numberOfYears)
  const holders = holdersIn([a, b])
  for (let year = first; year < end; year++) {
    if (differByFew(payIn(a, year, holders), payIn(b, year, holders))) return false
  }
  return true
}

/**
 * Whether an earlier version may be told to somebody who may not see what people are paid. Of versions that follow each other by changes to one
 * or two people only the last is told: whoever puts any two of those told beside each other sees what three people or more came to.
 * @param picture of the version
 * @param later what happened since, to this day
 */
export function mayBeToldOf(picture: Picture, later: readonly StoredEvent[]): boolean {
  const holders = new Map([...picture.contracts.values()].map((one): [string, string] => [one.contract.id, personOf(one)]))
  for (const event of later)
    if (event.type === 'StaffContractSaved') holders.set(event.data.id, String(event.data.contract.staffId ?? event.data.id))
  let touched = new Set<string>()
  let change = ''
  for (const event of later.toReversed()) {
    // What one call did is told as a whole: its saves, and the recalculation that followed them.
    const own = `${event.requestId} ${event.occurredAt}`
    if (own !== change && touched.size >= fewest) touched = new Set()
    change = own
    const ids =
      event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted'
        ? [event.data.id]
        : event.type === 'StaffContractsRecalculated'
          ? (event.data.contracts ?? [...holders.keys()])
          : []
    for (const id of ids) touched.add(holders.get(id) ?? id)
  }
  return touched.size === 0 || touched.size >= fewest
}
