import { describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { hideStaffDetails } from '../../../domain/budget/describe.ts'
import type { BudgetEvent, EventOf, EventType, Recalculation } from '../../../domain/budget/events.ts'
import type { BudgetEntry } from '../../../domain/budget/items/budgetEntry.ts'
import { toBudgetId, toContractId, toStaffId } from '../../../domain/values/ids.ts'
import { oneOfEach, paper } from '../../support/stories/budgetEvents.ts'
import {
  contractOf,
  contractSaved,
  created,
  describeStory,
  elements,
  idOf,
  kim,
  stateAfter,
  toStoredEvents,
} from '../../support/stories/budgetStory.ts'

/** The history line of a story’s last event. */
function last(...story: Parameters<typeof describeStory>) {
  return describeStory(...story).at(-1)!
}
const sentence = (...events: BudgetEvent[]): string => last(created(), ...events).sentence
const changes = (...events: BudgetEvent[]): string[] =>
  last(created(), ...events).changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`)

/** The sentence for each event, happening once in a new budget. */
const words: Record<EventType, string> = {
  BudgetCreated: 'created the budget First draft for location 5',
  BudgetRenamed: 'renamed the budget',
  BudgetVersionTypeChosen: 'changed the version type of the budget',
  BudgetDeleted: 'deleted the budget',
  BudgetRestored: 'restored the budget from the bin',
  BudgetMomentNamed: 'named version 1 “For governors”',
  BudgetSubmitted: 'submitted version 3 for approval',
  BudgetReturned: 'returned version 3',
  BudgetApproved: 'approved version 3',
  BudgetElementsSaved: 'changed the years, tables and assumptions',
  BudgetLocked: 'locked the budget',
  StaffContractSaved: 'added Class teacher (staff 7)',
  StaffContractDeleted: 'deleted Class teacher (staff 7)',
  StaffContractsRecalculated: 'recalculated 1 contract: £50,000.00 in the first year',
  LeaveEarningsKept: 'recorded earnings before leave',
  QuickCalculationSaved: 'saved the quick calculation A teacher more',
  QuickCalculationDeleted: 'deleted a quick calculation',
  LevyAllowanceShared: 'gave the budget its share of the apprenticeship levy allowance',
  EmploymentAllowancePosted: 'posted the group’s Employment Allowance',
  BudgetEntrySaved: 'added the budget entry Paper: £120.00 in 2026/27',
  BudgetEntryDeleted: 'deleted the budget entry Paper: £120.00 in 2026/27',
  IncomeExpenditureCalculationSaved: 'added the calculation Lettings',
  IncomeExpenditureCalculationDeleted: 'deleted the calculation Lettings',
  FundingPredictionSaved: 'added the funding prediction GAG',
  FundingPredictionDeleted: 'deleted the funding prediction GAG',
  PupilNumbersSaved: 'added the pupil numbers',
  PupilNumbersDeleted: 'deleted the pupil numbers',
  OpeningBalanceSaved: 'added the opening balance Carried forward: −£12.50',
  OpeningBalanceDeleted: 'deleted the opening balance Carried forward: −£12.50',
  CommentSaved: 'added a comment',
  CommentDeleted: 'deleted a comment',
  ScenarioSaved: 'added the scenario Smaller',
  ScenarioDeleted: 'deleted the scenario Smaller',
  BudgetEntriesRebased: 'recalculated 1 budget entry after a change to rates, templates or rules',
  TransfersPosted: 'posted pools and top slices: none',
}
/** The event that must come first, for those that need one. */
const standing: Partial<Record<EventType, EventType>> = {
  StaffContractDeleted: 'StaffContractSaved',
  QuickCalculationDeleted: 'QuickCalculationSaved',
  BudgetEntryDeleted: 'BudgetEntrySaved',
  IncomeExpenditureCalculationDeleted: 'IncomeExpenditureCalculationSaved',
  FundingPredictionDeleted: 'FundingPredictionSaved',
  PupilNumbersDeleted: 'PupilNumbersSaved',
  OpeningBalanceDeleted: 'OpeningBalanceSaved',
  CommentDeleted: 'CommentSaved',
  ScenarioDeleted: 'ScenarioSaved',
}
const types = Object.keys(words) as EventType[]

describe('a history describes', () => {
  it.each(types.filter((type) => type !== 'BudgetCreated'))('%s who did what', (type) => {
    const before = standing[type]
    expect(sentence(...(before ? [oneOfEach[before]] : []), oneOfEach[type])).toBe(words[type])
  })
  it('whether a budget was made new, copied from another, or rolled forward', () => {
    const from = (how: 'duplicate' | 'rollForward') =>
      last(created({ source: { budgetId: toBudgetId(idOf('1')), version: 9, how } })).sentence
    expect(last(created()).sentence).toBe(words.BudgetCreated)
    expect(from('duplicate')).toBe('duplicated another budget as First draft for location 5')
    expect(from('rollForward')).toBe('rolled another budget forward to First draft for location 5')
  })
  it('the removal of a version’s name', () => {
    expect(sentence({ type: 'BudgetMomentNamed', data: { version: 4, name: null, at: '' } })).toBe('removed the name of version 4')
  })
  it('a second save as a change', () => {
    const pairs: [BudgetEvent, string][] = [
      [oneOfEach.StaffContractSaved, 'changed Class teacher (staff 7)'],
      [oneOfEach.BudgetEntrySaved, 'changed the budget entry Paper'],
      [oneOfEach.PupilNumbersSaved, 'changed the pupil numbers'],
    ]
    for (const [event, expected] of pairs) expect(sentence(event, event)).toBe(expected)
  })
  it('a contract without an employee as a vacancy', () => {
    expect(sentence(contractSaved({ staffId: null }))).toBe('added the vacancy Class teacher')
    expect(sentence(contractSaved({ staffId: null, contractName: 'Vacancy: teaching assistant' }))).toBe(
      'added Vacancy: teaching assistant',
    )
  })
  it('which save an undo took back', () => {
    const saved = oneOfEach.StaffContractSaved
    const gone = oneOfEach.StaffContractDeleted
    expect(sentence({ ...oneOfEach.BudgetRenamed, data: { name: 'First draft', undoes: 2 } })).toBe('undid the renaming of the budget')
    expect(sentence(saved, { ...saved, data: { ...saved.data, undoes: 2 } })).toBe('undid version 2: changed Class teacher (staff 7)')
    expect(sentence(saved, { ...gone, data: { ...gone.data, undoes: 2 } })).toBe('undid version 2: removed Class teacher (staff 7)')
    const entry = oneOfEach.BudgetEntryDeleted
    expect(sentence(oneOfEach.BudgetEntrySaved, { ...entry, data: { ...entry.data, undoes: 2 } })).toBe(
      'undid version 2: removed the budget entry Paper: £120.00 in 2026/27',
    )
  })
})

describe('a recalculation in the history shows', () => {
  const ran = (change: Partial<Recalculation>): string =>
    sentence({ type: 'StaffContractsRecalculated', data: { ...oneOfEach.StaffContractsRecalculated.data, ...change } })
  const totals = { years: [123_456, 0, 0], contracts: 12, notCalculated: 0 }

  it('how many contracts it costed', () => {
    expect(ran({ contracts: [toContractId(idOf('1')), toContractId(idOf('2'))], totals })).toBe(
      'recalculated 2 contracts: £1,234.56 in the first year',
    )
  })
  it('that it covered the whole group', () => {
    expect(ran({ cause: 'group', contracts: null, totals })).toBe(
      'recalculated all 12 contracts with the budget group: £1,234.56 in the first year',
    )
  })
  it('a single contract in the singular', () => {
    expect(ran({ cause: 'group', contracts: null, totals: { ...totals, contracts: 1 } })).toBe(
      'recalculated the 1 contract with the budget group: £1,234.56 in the first year',
    )
  })
  it('how many could not be calculated', () => {
    expect(ran({ totals: { ...totals, notCalculated: 3 } })).toBe('recalculated 1 contract: £1,234.56 in the first year, 3 not calculated')
  })
  it('that pay changed if the levy must be shared again', () => {
    expect(sentence({ type: 'LevyAllowanceShared', data: { shares: [null, null] } })).toBe(
      'changed pay, so the apprenticeship levy needs recalculating',
    )
  })
  it('how many lines of pools and slices it posted, and what prevented others', () => {
    const line = {} as EventOf<'TransfersPosted'>['data']['transfers'][number]
    expect(sentence({ type: 'TransfersPosted', data: { transfers: [line], problems: [] } })).toBe('posted pools and top slices: 1 line')
    expect(sentence({ type: 'TransfersPosted', data: { transfers: [line, line], problems: ['No pupils.'] } })).toBe(
      'posted pools and top slices: 2 lines. No pupils.',
    )
  })
})

describe('a change of the budget is described field by field', () => {
  const settings = oneOfEach.BudgetElementsSaved.data
  const saved = (change: Partial<typeof settings>): BudgetEvent => ({
    type: 'BudgetElementsSaved',
    data: { ...settings, numberOfYears: 3, ...change },
  })

  it('its name', () => {
    expect(changes(oneOfEach.BudgetRenamed)).toEqual(['Name: First draft → Second draft'])
  })
  it('its purpose', () => {
    expect(changes(oneOfEach.BudgetVersionTypeChosen)).toEqual(['Version type: Working → Forecast'])
  })
  it('its years, assumptions, prices and contract types', () => {
    expect(changes(saved({ numberOfYears: 5, staffAssumptionsId: 2, inflationId: 4, contractTypeIds: [1, 3] }))).toEqual([
      'Number of years: 3 → 5',
      'Staff assumptions: staffAssumptions 1 → staffAssumptions 2',
      'Contract types: contractType 1, contractType 2 → contractType 1, contractType 3',
      'Non-staff inflation: none → inflation 4',
    ])
  })
  it('its tables with the dates from which they apply', () => {
    const row = { effectiveDate: '2026-09-01', adminTableId: 3 }
    expect(changes(saved({ elements: elements({ teacherPayScales: [row], topSliceTables: [row], gagPoolTables: [row] }) }))).toEqual([
      'Tables: none → adminTable 3 from 01 Sep, 2026; topSliceTable 3 from 01 Sep, 2026; gagPoolTable 3 from 01 Sep, 2026',
    ])
  })
})

describe('a change of a contract is described field by field', () => {
  const row = contractOf().salary[0]!
  const changed = (change: Partial<StaffContract>): string[] => changes(contractSaved(), contractSaved(change))

  it.each<[string, Partial<StaffContract>, string]>([
    ['who holds it', { staffId: null }, 'Employee: staff 7 → vacancy'],
    ['its name', { contractName: 'Head' }, 'Contract name: Class teacher → Head'],
    ['its type', { contractTypeId: 2 }, 'Contract type: contractType 1 → contractType 2'],
    ['its pay scale', { type: 2 }, 'Pay scale type: Teacher → Custom teacher'],
    ['its start', { startDate: '2026-10-01' }, 'Start date: 01 Sep, 2026 → 01 Oct, 2026'],
    ['its end', { endDate: '2027-08-31' }, 'End date: none → 31 Aug, 2027'],
    ['its position', { position: 'Head of year' }, 'Position: none → Head of year'],
    ['its department', { department: 'Maths' }, 'Department: none → Maths'],
    ['its maximum', { maximumScalePoint: { id: 6, kind: 'teacher', scale: 'Main', increment: 6 } }, 'Maximum scale point: none → Main 6'],
    ['an apprentice', { apprentice: true }, 'Apprentice: No → Yes'],
    ['an attrition contract', { attritionContract: true }, 'Attrition contract: No → Yes'],
    ['its payroll codes', { serviceTerms: [3, 4] }, 'Payroll codes: serviceTerm 3 → serviceTerm 3, serviceTerm 4'],
    ['its tags', { analysisTags: [5] }, 'Analysis tags: none → analysisTag 5'],
    ['its fund codes', { fundCodes: [{ fundCodeId: 8, percentage: 100 }] }, 'Fund codes: none → fundCode 8 100%'],
    ['that it has a note, not the note', { sealedNotes: 'sealed' }, 'Notes: none → a note'],
    ['a scale point', { salary: [{ ...row, scalePoint: null }] }, 'Salary from 01 Sep, 2026: scale point: Main 6 → none'],
    [
      'a spot salary in pounds',
      { salary: [{ ...row, spotAdjustment: 12_345.6 }] },
      'Salary from 01 Sep, 2026: spot salary or adjustment: none → £12,345.60',
    ],
    ['its part of full time', { salary: [{ ...row, fte: 0.5 }] }, 'Salary from 01 Sep, 2026: FTE: 1 → 0.5'],
    ['its hours', { salary: [{ ...row, hoursPerWeek: 30 }] }, 'Salary from 01 Sep, 2026: hours per week: none → 30'],
    ['its weeks', { salary: [{ ...row, weeksPerYear: 39 }] }, 'Salary from 01 Sep, 2026: weeks per year: none → 39'],
    ['its pension', { salary: [{ ...row, erPension: false }] }, 'Salary from 01 Sep, 2026: employer pension: Yes → No'],
    ['its allowances', { salary: [{ ...row, allowances: [4] }] }, 'Salary from 01 Sep, 2026: allowances: none → allowance 4'],
    [
      'when it ceases',
      { salary: [{ ...row, calculationCeaseDate: '2027-08-31' }] },
      'Salary from 01 Sep, 2026: calculation cease date: none → 31 Aug, 2027',
    ],
    [
      'a row that is added',
      { salary: [row, { ...row, effectiveDate: '2027-09-01', fte: 0.8 }] },
      'Salary from 01 Sep, 2027: none → scale point Main 6, employer pension Yes, FTE 0.8',
    ],
  ])('%s', (_field, change, expected) => {
    expect(changed(change)).toEqual([expected])
  })
  it('a removed row', () => {
    const two = contractSaved({ salary: [row, { ...row, effectiveDate: '2027-09-01' }] })
    expect(changes(two, contractSaved())).toEqual(['Salary from 01 Sep, 2027: scale point Main 6, employer pension Yes, FTE 1 → removed'])
  })
})

describe('a save of one item is described as a colleague would put it', () => {
  const row = contractOf().salary[0]!
  const later = { ...row, effectiveDate: '2027-04-01' }
  const changed = (change: Partial<StaffContract>, from: Partial<StaffContract> = {}): string =>
    sentence(contractSaved(from), contractSaved(change))

  it.each<[string, Partial<StaffContract>, string]>([
    ['fewer hours as FTE', { salary: [{ ...row, fte: 0.8 }] }, 'reduced Class teacher (staff 7) from 1.0 to 0.8 FTE'],
    [
      'fewer hours from a later date',
      { salary: [row, { ...later, fte: 0.75 }] },
      'reduced Class teacher (staff 7) from 1.0 to 0.75 FTE with effect from 01 Apr, 2027',
    ],
    [
      'another point from a later date',
      { salary: [row, { ...later, scalePoint: { ...row.scalePoint!, increment: 5 } }] },
      'moved Class teacher (staff 7) from Main 6 to Main 5 with effect from 01 Apr, 2027',
    ],
    ['another cell', { salary: [{ ...row, erPension: false }] }, 'changed Class teacher (staff 7): employer pension from Yes to No'],
    ['two cells', { salary: [{ ...row, erPension: false, fte: 0.5 }] }, 'changed Class teacher (staff 7)'],
    ['a cell and a field', { position: 'Head', salary: [{ ...row, fte: 0.5 }] }, 'changed Class teacher (staff 7)'],
    ['fewer hours for a time only', { salary: [{ ...row, fte: 0.8 }, later] }, 'changed Class teacher (staff 7)'],
    ['a row that changes nothing', { salary: [row, later] }, 'changed Class teacher (staff 7)'],
    ['an end', { endDate: '2027-08-31' }, 'ended Class teacher (staff 7) on 31 Aug, 2027'],
    ['a new name', { contractName: 'Head' }, 'renamed Class teacher (staff 7) to Head'],
    ['somebody who leaves', { staffId: null }, 'made Class teacher (staff 7) a vacancy'],
    ['somebody else', { staffId: toStaffId(8) }, 'moved Class teacher from staff 7 to staff 8'],
    ['another field', { position: 'Head of year' }, 'changed Class teacher (staff 7): position from none to Head of year'],
  ])('%s', (_what, change, expected) => {
    expect(changed(change)).toBe(expected)
  })
  it('an appointment, another end date and no end date', () => {
    expect(changed({}, { staffId: null })).toBe('appointed staff 7 to the vacancy Class teacher')
    expect(changed({ endDate: '2027-12-31' }, { endDate: '2027-08-31' })).toBe(
      'moved the end of Class teacher (staff 7) from 31 Aug, 2027 to 31 Dec, 2027',
    )
    expect(changed({}, { endDate: '2027-08-31' })).toBe('removed the end date of Class teacher (staff 7)')
  })
  it('more hours as hours', () => {
    const hours = (hoursPerWeek: number) => ({ salary: [{ ...row, fte: null, hoursPerWeek }] })
    expect(changed(hours(32.5), hours(25))).toBe('increased Class teacher (staff 7) from 25 to 32.5 hours a week')
  })
  it('the same change in every row once, and two different ones not at all', () => {
    const both = (first: number, second: number) => ({
      salary: [
        { ...row, fte: first },
        { ...later, fte: second },
      ],
    })
    expect(changed(both(0.8, 0.8), both(1, 1))).toBe('reduced Class teacher (staff 7) from 1.0 to 0.8 FTE')
    expect(changed(both(0.8, 0.6), both(1, 1))).toBe('changed Class teacher (staff 7)')
    expect(changed({ salary: [row] }, both(1, 0.6))).toBe('changed Class teacher (staff 7)')
  })
  it('the content that an undone deletion brings back', () => {
    const { data } = contractSaved()
    expect(sentence({ type: 'StaffContractSaved', data: { ...data, undoes: 2 } })).toBe('undid version 2: restored Class teacher (staff 7)')
  })

  const costed = (before: number[] | undefined, years: number[], notCalculated = 0): string => {
    const totals = { contracts: 1, notCalculated: 0 }
    const data: Recalculation = {
      ...oneOfEach.StaffContractsRecalculated.data,
      ...(before && { before: { ...totals, years: before } }),
      totals: { ...totals, years, notCalculated },
    }
    const saved = contractSaved({ salary: [{ ...row, fte: 0.8 }] })
    return describeStory(created(), contractSaved(), saved, { type: 'StaffContractsRecalculated', data }).at(-2)!.sentence
  }
  const reduced = 'reduced Class teacher (staff 7) from 1.0 to 0.8 FTE'

  it('the effect on the cost, in the first year that differs and over all years', () => {
    expect(costed([45_660_00, 46_000_00, 47_000_00], [36_528_00, 36_800_00, 37_600_00])).toBe(
      `${reduced}, £9,132.00 less in 2026/27, £27,732.00 less over 3 years`,
    )
    expect(costed([10_00, 20_00, 30_00], [20_00, 10_00, 30_00])).toBe(`${reduced}, £10.00 more in 2026/27, no change over 3 years`)
    expect(costed([10_00, 20_00, 30_00], [10_00, 20_01, 30_00])).toBe(`${reduced}, £0.01 more in 2027/28`)
    expect(costed([10_00, 20_00, 30_00], [10_00, 20_00, 30_00])).toBe(`${reduced}, no change in cost`)
  })
  it('no effect if a year could not be calculated, or the former cost is not recorded', () => {
    expect(costed([10_00, 20_00, 30_00], [0, 0, 0], 1)).toBe(reduced)
    expect(costed(undefined, [10_00, 20_00, 30_00])).toBe(reduced)
  })
  it('the effect of a deletion, and that of several saves together', () => {
    const { data } = oneOfEach.StaffContractsRecalculated
    const totals = { contracts: 1, notCalculated: 0 }
    const before = { ...totals, years: [10_00, 20_00, 30_00] }
    const told = (ran: Partial<Recalculation>): string[] =>
      describeStory(created(), contractSaved(), oneOfEach.StaffContractDeleted, {
        type: 'StaffContractsRecalculated',
        data: { ...data, before, totals: { ...totals, years: [0, 0, 0] }, ...ran },
      })
        .slice(-2)
        .map(({ sentence }) => sentence)
    expect(told({ contracts: [] })).toEqual([
      'deleted Class teacher (staff 7), £10.00 less in 2026/27, £60.00 less over 3 years',
      'recalculated after contracts were deleted',
    ])
    expect(told({ saves: 2 })).toEqual([
      'deleted Class teacher (staff 7)',
      'recalculated after 2 changes to contracts, £10.00 less in 2026/27, £60.00 less over 3 years',
    ])
    expect(told({ saves: 2, before: { ...before, notCalculated: 1 } })[1]).toBe('recalculated 1 contract: £0.00 in the first year')
  })
  it('not the cost of a later recalculation', () => {
    const ran: BudgetEvent = {
      type: 'StaffContractsRecalculated',
      data: { ...oneOfEach.StaffContractsRecalculated.data, before: { years: [1, 1, 1], contracts: 1, notCalculated: 0 } },
    }
    expect(describeStory(created(), contractSaved(), oneOfEach.BudgetRenamed, ran)[1]!.sentence).toBe('added Class teacher (staff 7)')
  })

  const entry = (change: Partial<BudgetEntry>): BudgetEvent => ({
    type: 'BudgetEntrySaved',
    data: { id: paper.id, item: { ...paper, ...change } },
  })
  it('an entry by the difference of its years, its new name or its one changed field', () => {
    const years = paper.years.map((year, index) => (index === 2 ? { ...year, amount: 24_000 } : year))
    expect(sentence(entry({}), entry({ years }))).toBe('changed the budget entry Paper, £120.00 more in 2028/29')
    expect(sentence(entry({}), entry({ description: 'Card' }))).toBe('renamed the budget entry Paper to Card')
    expect(sentence(entry({}), entry({ costCentreId: 4 }))).toBe('changed the budget entry Paper: cost centre from none to costCentre 4')
    expect(sentence(entry({}), entry({ costCentreId: 4, description: 'Card' }))).toBe('changed the budget entry Card')
  })
  it('pupil numbers and comments', () => {
    const pupils = oneOfEach.PupilNumbersSaved.data
    const fewer = { ...pupils.item, rows: [{ ...pupils.item.rows[0]!, years: [27, null, null] }] }
    expect(sentence(oneOfEach.PupilNumbersSaved, { type: 'PupilNumbersSaved', data: { ...pupils, item: fewer } })).toBe(
      'changed the pupil numbers: reception in 2026/27 from 28 to 27',
    )
    const comment = oneOfEach.CommentSaved.data
    const resolved: BudgetEvent = {
      type: 'CommentSaved',
      data: { ...comment, item: { ...comment.item, resolvedById: kim, resolvedAt: '2026-10-06T09:00:00Z' } },
    }
    expect(sentence(oneOfEach.CommentSaved, resolved)).toBe('resolved a comment')
    expect(sentence(oneOfEach.CommentSaved, resolved, oneOfEach.CommentSaved)).toBe('reopened a comment')
  })
})

describe('a change of a budget’s items is described field by field', () => {
  const entry = (change: Partial<BudgetEntry>): BudgetEvent => ({
    type: 'BudgetEntrySaved',
    data: { id: paper.id, item: { ...paper, ...change } },
  })
  it.each<[string, Partial<BudgetEntry>, string]>([
    ['an identifier', { identifier: 'P1' }, 'Identifier: none → P1'],
    ['a description', { description: 'Card' }, 'Description: Paper → Card'],
    ['a budget code', { budgetCodeId: 2 }, 'Budget code: budgetCode 1 → budgetCode 2'],
    ['a cost centre', { costCentreId: 4 }, 'Cost centre: none → costCentre 4'],
    ['fund codes', { fundCodes: [{ fundCodeId: 8, percentage: 100 }] }, 'Fund codes: none → fundCode 8 100%'],
    ['analysis tags', { analysisTags: [5] }, 'Analysis tags: none → analysisTag 5'],
    ['a profile template', { profileTemplateId: 6 }, 'Profile template: none → profileTemplate 6'],
    ['that it has a note, not the note', { sealedNotes: 'sealed' }, 'Notes: none → a note'],
  ])('%s of an entry', (_field, change, expected) => {
    expect(changes(entry({}), entry(change))).toEqual([expected])
  })
  it('the years of an entry in pounds, without the months that follow from them', () => {
    const years = paper.years.map((year, index) => (index === 2 ? { ...year, amount: 24_000 } : year))
    expect(changes(entry({}), entry({ years }))).toEqual(['2028/29: £120.00 → £240.00'])
  })
  it('the months of an entry if the year has the same total in other months', () => {
    const periods = [20_00, 0, ...Array<number>(10).fill(10_00)]
    const years = paper.years.map((year, index) => (index === 2 ? { ...year, amount: 120_00, periods } : year))
    expect(changes(entry({}), entry({ years }))).toEqual(['September of 2028/29: £10.00 → £20.00', 'October of 2028/29: £10.00 → £0.00'])
  })
  it('the months too if they were typed and the year’s total changed', () => {
    const typed = (periods: number[]) =>
      paper.years.map((year, index) => (index === 2 ? { ...year, amount: periods.reduce((sum, one) => sum + one, 0), periods } : year))
    const even = Array<number>(12).fill(10_00)
    expect(changes(entry({ years: typed(even) }), entry({ years: typed([0, 30_00, ...even.slice(2)]) }))).toEqual([
      '2028/29: £120.00 → £130.00',
      'September of 2028/29: £10.00 → £0.00',
      'October of 2028/29: £10.00 → £30.00',
    ])
  })
  it('an opening balance in pounds', () => {
    const { id, item } = oneOfEach.OpeningBalanceSaved.data
    const after: BudgetEvent = { type: 'OpeningBalanceSaved', data: { id, item: { ...item, type: 2, value: 5_00 } } }
    expect(changes(oneOfEach.OpeningBalanceSaved, after)).toEqual(['Type: Revenue → Capital', 'Value: −£12.50 → £5.00'])
  })
  it('the rows of a calculation', () => {
    const { id, item } = oneOfEach.IncomeExpenditureCalculationSaved.data
    const rows = [{ kind: 8, description: 'Hall', value: 500, years: [], periods: [] }]
    const after: BudgetEvent = { type: 'IncomeExpenditureCalculationSaved', data: { id, item: { ...item, description: 'Evenings', rows } } }
    expect(changes(oneOfEach.IncomeExpenditureCalculationSaved, after)).toEqual([
      'Description: none → Evenings',
      'Row 1: none → Fixed input, Hall, 500',
    ])
  })
  it('the rows and the table of a prediction', () => {
    const { id, item } = oneOfEach.FundingPredictionSaved.data
    const rows = [{ kind: 'Inflation' as const, category: null, description: 'Rise', years: [1, 2], rate: null }]
    const after: BudgetEvent = { type: 'FundingPredictionSaved', data: { id, item: { ...item, versionId: 4, rows } } }
    expect(changes(oneOfEach.FundingPredictionSaved, after)).toEqual([
      'Version: adminTable 3 → adminTable 4',
      'Row 1: none → Inflation, Rise, 1 2',
    ])
  })
  it('pupil numbers by year group and year', () => {
    const { id, item } = oneOfEach.PupilNumbersSaved.data
    const after: BudgetEvent = { type: 'PupilNumbersSaved', data: { id, item: { ...item, rows: [{ ...item.rows[0]!, years: [27, 26] }] } } }
    expect(changes(oneOfEach.PupilNumbersSaved, after)).toEqual(['Reception in 2026/27: 28 → 27', 'Reception in 2027/28: none → 26'])
  })
  it('the lessons of each year', () => {
    const { id, item } = oneOfEach.PupilNumbersSaved.data
    const after: BudgetEvent = {
      type: 'PupilNumbersSaved',
      data: { id, item: { ...item, lessons: [{ week: 25, taught: 540.5, weeks: null }] } },
    }
    expect(changes(oneOfEach.PupilNumbersSaved, after)).toEqual([
      'Lessons per class each week in 2026/27: none → 25',
      'Lessons taught each week in 2026/27: none → 540.5',
    ])
  })
  it('the pupil counts of another system', () => {
    const { id, item } = oneOfEach.PupilNumbersSaved.data
    const after: BudgetEvent = {
      type: 'PupilNumbersSaved',
      data: { id, item: { ...item, said: [{ yearGroup: 2, october: 2026, count: 31 }] } },
    }
    expect(changes(oneOfEach.PupilNumbersSaved, after)).toEqual(['Reception in October 2026 according to another system: none → 31'])
  })
  it('but not the resolving of a comment, which its sentence already says', () => {
    const { id, item } = oneOfEach.CommentSaved.data
    const after: BudgetEvent = {
      type: 'CommentSaved',
      data: { id, item: { ...item, resolvedById: kim, resolvedAt: '2026-10-06T09:00:00Z' } },
    }
    expect(changes(oneOfEach.CommentSaved, after)).toEqual([])
  })
  it('the changes of a scenario, in words', () => {
    const { id, item } = oneOfEach.ScenarioSaved.data
    const after: BudgetEvent = {
      type: 'ScenarioSaved',
      data: { id, item: { ...item, changes: [{ kind: 'entry', entryId: idOf('a'), percentage: -10 }] } },
    }
    expect(changes(oneOfEach.ScenarioSaved, after)).toEqual(['Change 1: none → An entry: −10%'])
  })
})

describe('a line of the history', () => {
  it('offers undo only for the last save of an item, and not in a locked budget', () => {
    const story = [created(), contractSaved(), contractSaved({ position: 'Head' }), oneOfEach.BudgetRenamed]
    expect(describeStory(...story).map((line) => line.undoable)).toEqual([false, false, true, true])
    expect(describeStory(...story, oneOfEach.BudgetLocked).some((line) => line.undoable)).toBe(false)
  })
  it('names the contract or the item that it is about', () => {
    const [, contract, entry] = describeStory(created(), contractSaved(), oneOfEach.BudgetEntrySaved)
    expect([contract!.contractId, contract!.itemId, entry!.contractId, entry!.itemId]).toEqual([idOf('c'), null, null, idOf('a')])
  })
  it('tells a user who may not see staff that something changed, but no person, post or pay', () => {
    const story = [
      created(),
      contractSaved(),
      oneOfEach.StaffContractDeleted,
      oneOfEach.QuickCalculationSaved,
      oneOfEach.QuickCalculationDeleted,
      oneOfEach.StaffContractsRecalculated,
      oneOfEach.BudgetEntrySaved,
    ]
    const seen = hideStaffDetails(describeStory(...story), toStoredEvents(story))
    expect(seen.map((line) => line.sentence)).toEqual([
      words.BudgetCreated,
      'saved a staff contract',
      'deleted a staff contract',
      'saved a quick calculation',
      'deleted a quick calculation',
      'recalculated staff contracts',
      words.BudgetEntrySaved,
    ])
    expect(seen[1]).toMatchObject({ contractId: null, changes: [], undoable: false })
  })
  it('shows that user the total of a whole budget, which is no secret', () => {
    const ran: BudgetEvent = {
      type: 'StaffContractsRecalculated',
      data: { ...oneOfEach.StaffContractsRecalculated.data, cause: 'group', contracts: null },
    }
    expect(hideStaffDetails(describeStory(created(), ran), toStoredEvents([created(), ran]))[1]!.sentence).toContain('£50,000.00')
  })
})

describe('the origin of a copied budget’s items', () => {
  it('is known for each contract and item', () => {
    const { origins } = stateAfter(
      created(),
      { type: 'StaffContractSaved', data: { ...contractSaved().data, origin: toContractId(idOf('1')) } },
      { type: 'BudgetEntrySaved', data: { id: paper.id, item: paper, origin: idOf('2') } },
    )
    expect([...origins]).toEqual([
      [idOf('c'), idOf('1')],
      [idOf('a'), idOf('2')],
    ])
  })
})
