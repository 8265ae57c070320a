import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
/** Words in the names of rows that add up other rows, or that repeat a sum on the next page. */
export const totalNamePattern =
  /^(?:grand |sub ?-?|net |overall |report |page )?totals?\b|\btotals?:?$|^net$|^net (?:income|expenditure|position|balance|total)|^(?:in[- ]year |net )?\(?(?:surplus|deficit|balance)\b|^total|^(?:[bc] ?\/ ?(?:f|d|fwd)|[bc]fwd|(?:brought|carried) (?:forward|down))\b/i

const counts =
  /^(?:(?:total |number of |no\.? of )?(?:employees?|payslips?|people|records?|lines|rows|transactions|items|head ?count|count))(?: count)?[ :=]*(\d*)$/i

/**
 * Whether a row counts lines or employees instead of naming a code or an employee. Below two employees, `Employees: 2` is such a row, but
 * `Employee 3` is the third employee. Such a row is a total only if its amounts are sums.
 */
export function isCountRow(text: string, counted: number): boolean {
  const said = counts.exec(text)
  return said !== null && (said[1] === '' || Number(said[1]) === counted)
}

/** Matches names that can only be totals, never a code or a supplier. */
export const exactTotalNamePattern =
  /^(?:grand |sub ?-?|net |overall |report |page )?totals?:?$|^net$|^total (?:income|expenditure|costs?|spend|budget)$/i

/**
 * Returns functions that tell totals from lines by their amounts. A total equals the sum of all lines since an earlier starting point (the
 * top of the table, a section or an earlier total), or the difference between two earlier totals.
 */
export function createTotalFinder(width: number) {
  const running = Array<number>(width).fill(0)
  let lines = 0
  let beginnings: { before: number[]; lines: number }[] = [{ before: Array<number>(width).fill(0), lines: 0 }]
  const ended: number[][] = []
  return {
    add(pennies: readonly Pennies[]): void {
      lines++
      for (let place = 0; place < width; place++) running[place] = assertDefined(running[place]) + assertDefined(pennies[place])
    },
    begin(): void {
      beginnings.push({ before: [...running], lines })
    },
    end(pennies: Pennies[]): void {
      beginnings.push({ before: [...running], lines })
      // Limits the list in long files with a total for each code. The first entry, the top of the table, always stays.
      if (beginnings.length > 500) beginnings = [assertDefined(beginnings[0]), ...beginnings.slice(-400)]
      ended.push(pennies)
    },
    /** @param least the fewest lines that a total may add up, because a line can by chance equal the line above */
    isTotal(pennies: readonly Pennies[], values: readonly string[], least = 1): boolean {
      const says = (come: (place: number) => number): boolean => values.every((value, place) => !value || come(place) === pennies[place])
      return (
        beginnings.some(
          ({ before, lines: from }) =>
            lines - from >= least && says((place) => assertDefined(running[place]) - assertDefined(before[place])),
        ) ||
        ended
          .slice(-6)
          .some((one, index, last) =>
            last
              .slice(index + 1)
              .some((other) => [1, -1].some((sign) => says((place) => sign * (assertDefined(one[place]) - assertDefined(other[place]))))),
          )
      )
    },
  }
}
