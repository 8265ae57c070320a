import { describe, expect, it } from 'vitest'
import { lockedSentence } from '../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { type BudgetEntry, type BudgetEntryInput, budgetEntryInput, type EntrySource } from '../../../domain/budget/items/budgetEntry.ts'
import {
  type CalculatedEntryInput,
  type CodingFacts,
  deleteItems,
  linkedSentence,
  rebaseEntries,
  saveBudgetEntry,
  toEntryInput,
  writeCalculatedEntry,
} from '../../../domain/budget/items/decideEntry.ts'
import {
  deleteItemWithEntries,
  importPupilCounts,
  processCalculation,
  processPrediction,
  saveCalculation,
  saveOpeningBalance,
  savePrediction,
  savePupils,
} from '../../../domain/budget/items/decideItems.ts'
import type { FundingPrediction } from '../../../domain/budget/items/fundingPrediction.ts'
import { type IncomeExpenditureCalculationInput, ieCalculationInput } from '../../../domain/budget/items/ieCalculation.ts'
import { type OpeningBalanceInput, openingBalanceInput } from '../../../domain/budget/items/openingBalance.ts'
import { type PupilNumbersInput, pupilNumbersInput, type ReportedCount } from '../../../domain/budget/items/pupilNumbers.ts'
import { findOctoberYear, parseOctoberYear, parseYearGroup } from '../../../domain/budget/items/reportedPupils.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { calculatorRowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'
import type { PupilRow } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { paper } from '../../support/stories/budgetEvents.ts'
import { type Budget, created, given, idOf, sam } from '../../support/stories/budgetStory.ts'

const locked: BudgetEvent = { type: 'BudgetLocked', data: { lockedAt: '2026-10-05T10:00:00.000Z', lockedById: sam } }
const isLocked = { code: 'locked', message: lockedSentence }
const facts: CodingFacts = {
  budgetCodes: new Map([
    [1, { code: 'E1', isIncome: false, rates: null }],
    [2, { code: 'I1', isIncome: true, rates: [0, 2, 2, 2, 2] }],
  ]),
  costCentres: new Set([4]),
  fundCodes: new Set([8]),
  analysisTags: new Set([5]),
  profiles: new Map([[6, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]]]),
  costCentresMandatory: false,
}
const twelve = (value: number): number[] => Array<number>(12).fill(value)
const untyped = { amount: null, periods: null, rate: null }
/** The event of saving a typed entry: paper for £120 in the first year. */
const paperSaved = (change: Partial<BudgetEntry> = {}): BudgetEvent => ({
  type: 'BudgetEntrySaved',
  data: { id: idOf('a'), item: { ...paper, basis: { rates: null, weights: null, engine: engineVersion }, ...change } },
})
/** The event of an entry posted by a calculation or prediction: five years, zero where no amount is given. */
const madeBy = (source: EntrySource, [first, second, third]: [number, number, number], change: Partial<BudgetEntry> = {}): BudgetEvent =>
  paperSaved({
    budgetCodeId: 2,
    source,
    years: [first, second, third, 0, 0].map((amount) => ({ amount, periods: null, rate: null })),
    ...change,
  })

describe('saving a budget entry', () => {
  const typed = (change: object = {}): BudgetEntryInput =>
    budgetEntryInput.parse({ description: 'Paper', budgetCodeId: 1, amount: 120, ...change })
  const save =
    (input: BudgetEntryInput, change: Partial<CodingFacts> = {}) =>
    (budget: Budget): BudgetEvent[] =>
      saveBudgetEntry(budget.head, {
        id: idOf('a'),
        before: budget.items('entry').find((one) => one.id === input.id),
        input,
        sealedNotes: null,
        facts: { ...facts, ...change },
      })
  const [saved] = given(created()).when(save(typed())).events
  const before = saved!
  /** Saves the stored entry as a screen would send it back, with a change. */
  const again =
    (change: Partial<BudgetEntryInput>, known: Partial<CodingFacts> = {}) =>
    (budget: Budget): BudgetEvent[] =>
      save({ ...toEntryInput(budget.head, budget.items('entry')[0]!, null), ...change }, known)(budget)

  it('stores its amount in whole pennies, and its criteria', () => {
    given(created()).when(save(typed())).gives(paperSaved())
    const typedOnce = { amount: 12_000, periods: null, rate: null }
    given(created())
      .when(
        save(
          typed({
            budgetCodeId: 2,
            costCentreId: 4,
            analysisTags: [5],
            fundCodes: [{ fundCodeId: 8, percentage: 100 }],
            profileTemplateId: 6,
            budgetYearName: '2027/28',
          }),
        ),
      )
      .gives(
        paperSaved({
          budgetCodeId: 2,
          costCentreId: 4,
          analysisTags: [5],
          fundCodes: [{ fundCodeId: 8, percentage: 100 }],
          firstYear: 1,
          years: [untyped, typedOnce, untyped, untyped, untyped],
          profileTemplateId: 6,
          basis: { rates: [0, 2, 2, 2, 2], weights: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], engine: engineVersion },
        }),
      )
  })
  it('sent back unchanged changes nothing', () => {
    given(created(), before).when(again({})).changesNothing()
  })
  it('with another amount is a change', () => {
    given(created(), before)
      .when(again({ amount: 130 }))
      .gives(paperSaved({ years: [{ amount: 13_000, periods: null, rate: null }, untyped, untyped, untyped, untyped] }))
  })
  it('that is not in the budget is refused', () => {
    given(created())
      .when(save(typed({ id: idOf('a') })))
      .isRefused({ code: 'notFound', message: 'Budget entry was not found.' })
  })
  it('in a locked budget is refused', () => {
    given(created(), locked).when(save(typed())).isRefused(isLocked)
  })
  it('keeps a code that it had before the code was deleted', () => {
    const [event] = given(created(), before).when(again({ description: 'Card' }, { budgetCodes: new Map() })).events
    expect(event?.type).toBe('BudgetEntrySaved')
  })
  it('begins in the named year, of which alone the amount is typed', () => {
    const [event] = given(created()).when(save(typed({ budgetYearName: '2027/28' }))).events
    expect(event?.type === 'BudgetEntrySaved' && [event.data.item.firstYear, event.data.item.years.map((year) => year.amount)]).toEqual([
      1,
      [null, 12_000, null, null, null],
    ])
  })
  it.each<[string, BudgetEntryInput, Partial<CodingFacts>, string, string]>([
    ['an unknown budget code', typed({ budgetCodeId: 99 }), {}, 'budgetCodeId', 'Budget code was not found.'],
    [
      'no cost centre where one is asked for',
      typed(),
      { costCentresMandatory: true },
      'costCentreId',
      'Cost centre is required by your organisation.',
    ],
    ['an unknown cost centre', typed({ costCentreId: 99 }), {}, 'costCentreId', 'Cost centre was not found.'],
    ['an unknown fund code', typed({ fundCodes: [{ fundCodeId: 99, percentage: 100 }] }), {}, 'fundCodes', 'Fund code was not found.'],
    [
      'two shares of one fund code',
      typed({
        fundCodes: [
          { fundCodeId: 8, percentage: 40 },
          { fundCodeId: 8, percentage: 60 },
        ],
      }),
      {},
      'fundCodes',
      'A fund code can have one share only.',
    ],
    [
      'shares that do not add up',
      typed({ fundCodes: [{ fundCodeId: 8, percentage: 99 }] }),
      {},
      'fundCodes',
      'The fund code shares must add up to 100.',
    ],
    ['an unknown analysis tag', typed({ analysisTags: [99] }), {}, 'analysisTags', 'Analysis tag was not found.'],
    ['an unknown profile template', typed({ profileTemplateId: 99 }), {}, 'profileTemplateId', 'Profile template was not found.'],
    ['no amount', typed({ amount: null }), {}, 'amount', 'Amount is required.'],
    [
      'a year that the budget does not have',
      typed({ budgetYearName: '2031/32' }),
      {},
      'budgetYearName',
      'The year must be one from 2026/27 to 2028/29.',
    ],
    [
      'a later year that the budget does not have',
      typed({ years: [{ yearName: '2031/32', amount: 5 }] }),
      {},
      'years',
      'The year must be one from 2026/27 to 2028/29.',
    ],
    [
      'an amount of its first year beside its amount',
      typed({ years: [{ yearName: '2026/27', amount: 5 }] }),
      {},
      'years.0',
      '2026/27 is the entry’s first year: enter its amount as the entry’s amount. Increases are for later years.',
    ],
    [
      'periods of a later year that do not come to its amount',
      typed({ years: [{ yearName: '2027/28', amount: 13, periods: twelve(1) }] }),
      {},
      'years.0',
      'The twelve periods add up to £12.00, but the amount is £13.00. Change one of them.',
    ],
    [
      'two rows of periods',
      typed({
        rows: [
          { kind: calculatorRowKind.fixedInput, value: 5 },
          { kind: calculatorRowKind.period, periods: twelve(1) },
          { kind: calculatorRowKind.period, periods: twelve(1) },
        ],
      }),
      {},
      'rows',
      'One period row spreads the whole calculation. Remove the others.',
    ],
  ])('is refused with %s', (_fault, input, change, field, message) => {
    given(created())
      .when(save(input, change))
      .isRefused({ code: 'invalid', message, fields: [field] })
  })
  it('in a budget of one year names the only year that it can begin in', () => {
    given(created({ numberOfYears: 1 }))
      .when(save(typed({ budgetYearName: '2027/28' })))
      .isRefused({ code: 'invalid', message: 'The year must be 2026/27.' })
  })
  it('is deleted, but not in a locked budget', () => {
    const remove = (budget: Budget) => deleteItems(budget.head, budget.items('entry'))
    given(created(), before)
      .when(remove)
      .gives({ type: 'BudgetEntryDeleted', data: { id: idOf('a') } })
    given(created(), before, locked).when(remove).isRefused(isLocked)
  })
})

describe('calculated years that another system posts', () => {
  const process =
    (change: Partial<CalculatedEntryInput> = {}, known: Partial<CodingFacts> = {}) =>
    (budget: Budget): BudgetEvent[] =>
      writeCalculatedEntry(budget.head, {
        entries: budget.items('entry'),
        newId: idOf('a'),
        input: { description: 'Paper', budgetCodeId: 1, years: [{ yearName: '2026/27', amount: 120.5 }], ...change },
        facts: { ...facts, ...known },
      }).events
  const posted = (amounts: number[], change: Partial<BudgetEntry> = {}): BudgetEvent =>
    paperSaved({ years: amounts.map((amount) => ({ amount, periods: null, rate: null })), ...change })

  it('make an entry, with zero in the years that are not named', () => {
    given(created())
      .when(process())
      .gives(posted([12_050, 0, 0, 0, 0]))
    const periods = [1, ...twelve(0).slice(1)]
    given(created())
      .when(process({ years: [{ yearName: '2027/28', amount: 1, periods }] }))
      .gives(
        paperSaved({
          years: [
            { amount: 0, periods: null, rate: null },
            { amount: 100, periods: [100, ...twelve(0).slice(1)], rate: null },
            ...[0, 0, 0].map((amount) => ({ amount, periods: null, rate: null })),
          ],
        }),
      )
  })
  it('replace the entry with that code and description, which keeps its coding and notes', () => {
    const kept = { costCentreId: 4, fundCodes: [{ fundCodeId: 8, percentage: 100 }], identifier: 'A1', sealedNotes: 'sealed' }
    given(created(), paperSaved(kept))
      .when(process({ description: 'PAPER' }))
      .gives(posted([12_050, 0, 0, 0, 0], { ...kept, description: 'PAPER' }))
    given(created(), posted([12_050, 0, 0, 0, 0]))
      .when(process())
      .changesNothing()
  })
  it('do not replace an entry made by a calculation', () => {
    given(created(), paperSaved({ id: idOf('b'), source: { kind: 'calculation', id: idOf('d') } }))
      .when(process())
      .gives(posted([12_050, 0, 0, 0, 0]))
  })
  it.each<[string, Partial<CalculatedEntryInput>, Partial<CodingFacts>, string, string]>([
    ['an unknown budget code', { budgetCodeId: 99 }, {}, 'budgetCodeId', 'Budget code was not found.'],
    [
      'no cost centre where one is asked for',
      {},
      { costCentresMandatory: true },
      'costCentreId',
      'Cost centre is required by your organisation.',
    ],
    [
      'a year that the budget does not have',
      { years: [{ yearName: '2031/32', amount: 1 }] },
      {},
      'years.0.yearName',
      '2031/32 is not a year of this budget.',
    ],
    [
      'a year twice',
      {
        years: [
          { yearName: '2026/27', amount: 1 },
          { yearName: '2026/27', amount: 2 },
        ],
      },
      {},
      'years',
      'A year appears twice.',
    ],
    [
      'periods that do not come to the amount',
      { years: [{ yearName: '2026/27', amount: 13, periods: twelve(1) }] },
      {},
      'years.0.periods',
      'The twelve periods of 2026/27 do not add up to its amount.',
    ],
  ])('are refused with %s', (_fault, change, known, field, message) => {
    given(created())
      .when(process(change, known))
      .isRefused({ code: 'invalid', message, fields: [field] })
  })
  it('of an entry that may keep the fund codes of its shares are not refused', () => {
    const gone = [{ fundCodeId: 99, percentage: 100 }]
    given(created(), paperSaved({ fundCodes: gone }))
      .when(process())
      .gives(posted([12_050, 0, 0, 0, 0], { fundCodes: gone }))
  })
  it('of a locked budget are refused', () => {
    given(created(), locked).when(process()).isRefused(isLocked)
  })
})

describe('entries whose inflation or profile template has changed', () => {
  const rebase =
    (change: Partial<CodingFacts> = {}) =>
    (budget: Budget): BudgetEvent[] =>
      rebaseEntries(budget.items('entry'), { ...facts, ...change })
  const rebased = (rates: number[] | null, weights: number[] | null): BudgetEvent => ({
    type: 'BudgetEntriesRebased',
    data: { bases: [{ id: idOf('a'), rates, weights, engine: engineVersion }] },
  })
  const template = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

  it('follow the new rates and template', () => {
    given(created(), paperSaved({ budgetCodeId: 2 }))
      .when(rebase())
      .gives(rebased([0, 2, 2, 2, 2], null))
    given(created(), paperSaved({ profileTemplateId: 6 }))
      .when(rebase())
      .gives(rebased(null, template))
    given(created(), paperSaved({ basis: { rates: null, weights: null } }))
      .when(rebase())
      .gives(rebased(null, null))
    given(created(), paperSaved()).when(rebase()).changesNothing()
  })
  it('keep the saved ones if their code or template was deleted', () => {
    const basis = { rates: [0, 3, 3, 3, 3], weights: template, engine: engineVersion }
    given(created(), paperSaved({ profileTemplateId: 6, basis }))
      .when(rebase({ budgetCodes: new Map(), profiles: new Map() }))
      .changesNothing()
  })
  it('stay unchanged if a calculation makes them', () => {
    given(created(), paperSaved({ budgetCodeId: 2, source: { kind: 'calculation', id: idOf('d') } }))
      .when(rebase())
      .changesNothing()
  })
})

describe('an income and expenditure calculation', () => {
  const typed = (change: object = {}): IncomeExpenditureCalculationInput =>
    ieCalculationInput.parse({ name: 'Lettings', budgetCodeId: 2, rows: [{ kind: calculatorRowKind.fixedInput, value: 500 }], ...change })
  const save =
    (input: IncomeExpenditureCalculationInput, id = idOf('d')) =>
    (budget: Budget): BudgetEvent[] =>
      saveCalculation(budget.head, { all: budget.items('calculation'), id, input, facts })
  const [before] = given(created()).when(save(typed())).events
  const process =
    (years = 3) =>
    (budget: Budget): BudgetEvent[] =>
      processCalculation(budget.head, { stored: budget.items('calculation')[0]!, entries: budget.items('entry'), newId: idOf('a'), years })
  const [entry] = given(created(), before!).when(process()).events

  it('is stored with its rows', () => {
    const row = { kind: calculatorRowKind.fixedInput, description: null, value: 500, years: [], periods: [] }
    given(created())
      .when(save(typed()))
      .gives({
        type: 'IncomeExpenditureCalculationSaved',
        data: {
          id: idOf('d'),
          item: { id: idOf('d'), name: 'Lettings', description: null, budgetCodeId: 2, costCentreId: null, fundCodes: [], rows: [row] },
        },
      })
  })
  it('saved unchanged changes nothing', () => {
    given(created(), before!)
      .when(save(typed({ id: idOf('d') })))
      .changesNothing()
  })
  it('that is not in the budget is refused', () => {
    given(created())
      .when(save(typed({ id: idOf('d') })))
      .isRefused({ code: 'notFound', message: 'Income and expenditure calculation was not found.' })
  })
  it('with the name of another is refused, ignoring case', () => {
    given(created(), before!)
      .when(save(typed({ name: 'LETTINGS' }), idOf('e')))
      .isRefused({ code: 'duplicate', message: 'Name is already used.', fields: ['name'] })
  })
  it.each<[string, object, string, string]>([
    ['an unknown budget code', { budgetCodeId: 99 }, 'budgetCodeId', 'Budget code was not found.'],
    ['an unknown cost centre', { costCentreId: 99 }, 'costCentreId', 'Cost centre was not found.'],
    ['an unknown fund code', { fundCodes: [{ fundCodeId: 99, percentage: 100 }] }, 'fundCodes', 'Fund code was not found.'],
    [
      'two rows of periods',
      {
        rows: [
          { kind: calculatorRowKind.period, periods: twelve(1) },
          { kind: calculatorRowKind.period, periods: twelve(1) },
        ],
      },
      'rows',
      'One period row spreads the whole calculation. Remove the others.',
    ],
  ])('with %s is refused', (_fault, change, field, message) => {
    given(created())
      .when(save(typed(change)))
      .isRefused({ code: 'invalid', message, fields: [field] })
  })
  it('with a period row of zeros is refused', () => {
    given(created())
      .when(save(typed({ rows: [{ kind: calculatorRowKind.period, periods: twelve(0) }] })))
      .isRefused({ code: 'invalid', message: 'A period row needs twelve weights, at least one above zero.', fields: ['rows.0.periods'] })
  })
  it('in a locked budget can be neither saved, posted nor deleted', () => {
    given(created(), locked).when(save(typed())).isRefused(isLocked)
    given(created(), before!, locked).when(process()).isRefused(isLocked)
    given(created(), before!, locked)
      .when((budget) => deleteItemWithEntries(budget.head, budget.items('calculation'), []))
      .isRefused(isLocked)
  })
  it('posts one entry to the budget, for the requested number of years', () => {
    given(created(), before!)
      .when(process(2))
      .gives(madeBy({ kind: 'calculation', id: idOf('d') }, [50_000, 50_000, 0], { description: 'Lettings' }))
  })
  it('posted again unchanged changes nothing', () => {
    given(created(), before!, entry!).when(process()).changesNothing()
  })
  it('cannot be posted while a figure is missing', () => {
    const [open] = given(created()).when(save(typed({ rows: [{ kind: calculatorRowKind.fixedInput, value: null }] }))).events
    given(created(), open!).when(process()).isRefused({
      code: 'notCalculated',
      message: 'The calculation cannot be added to the budget while a figure is not calculated. Complete the marked rows first.',
    })
  })
  it('is deleted together with the entry that it made', () => {
    given(created(), before!, entry!)
      .when((budget) => deleteItemWithEntries(budget.head, budget.items('calculation'), budget.items('entry')))
      .gives(
        { type: 'IncomeExpenditureCalculationDeleted', data: { id: idOf('d') } },
        { type: 'BudgetEntryDeleted', data: { id: idOf('a') } },
      )
  })
  it('is the place to change its entry: saving that entry is refused', () => {
    given(created(), before!, entry!)
      .when((budget) => {
        const [stored] = budget.items('entry')
        return saveBudgetEntry(budget.head, {
          id: stored!.id,
          before: stored,
          input: toEntryInput(budget.head, stored!, null),
          sealedNotes: null,
          facts,
        })
      })
      .isRefused({ code: 'linked', message: linkedSentence })
  })
})

describe('a funding prediction', () => {
  const prediction: FundingPrediction = { id: idOf('f'), name: 'GAG', versionId: 3, budgetCodeId: 2, rows: [] }
  const save =
    (change: Partial<FundingPrediction> = {}, known: Partial<CodingFacts> = {}) =>
    (budget: Budget): BudgetEvent[] =>
      savePrediction(budget.head, {
        all: budget.items('prediction'),
        prediction: { ...prediction, ...change },
        facts: { ...facts, ...known },
      })
  const before: BudgetEvent = { type: 'FundingPredictionSaved', data: { id: idOf('f'), item: prediction } }
  const process =
    (total: (number | null)[], id = idOf('f'), newId = idOf('a')) =>
    (budget: Budget): BudgetEvent[] =>
      processPrediction(budget.head, {
        stored: budget.items('prediction').find((one) => one.id === id)!,
        worked: { rows: [], total, leftOut: 0, stoodIn: false },
        predictions: budget.items('prediction'),
        entries: budget.items('entry'),
        newId,
      })

  it('is kept', () => {
    given(created()).when(save()).gives(before)
  })
  it('saved unchanged changes nothing', () => {
    given(created(), before).when(save()).changesNothing()
  })
  it('to an unknown code is refused, but a deleted code that it had may stay', () => {
    given(created())
      .when(save({ budgetCodeId: 99 }))
      .isRefused({ code: 'invalid', message: 'Budget code was not found.', fields: ['budgetCodeId'] })
    expect(given(created(), before).when(save({ name: 'Other' }, { budgetCodes: new Map() })).events).toHaveLength(1)
  })
  it('to an expenditure code is refused', () => {
    given(created())
      .when(save({ budgetCodeId: 1 }))
      .isRefused({ code: 'invalid', message: 'Choose an income code: funding is income.', fields: ['budgetCodeId'] })
  })
  it('from the same version to the same code is refused a second time', () => {
    given(created(), before)
      .when(save({ id: idOf('e') }))
      .isRefused({
        code: 'duplicate',
        message: 'There is already a prediction with these rates for this budget code. Open that one, or choose another code.',
        fields: ['budgetCodeId'],
      })
  })
  it('in a locked budget can be neither saved nor posted', () => {
    given(created(), locked).when(save()).isRefused(isLocked)
    given(created(), before, locked)
      .when(process([1, 2, 3]))
      .isRefused(isLocked)
  })
  it('replaces the amounts that another version posted to the same code', () => {
    const other = { ...prediction, id: idOf('e'), versionId: 4 }
    const story = [created(), before, { type: 'FundingPredictionSaved', data: { id: other.id, item: other } } as const]
    const first = madeBy({ kind: 'prediction', id: idOf('f') }, [100, 200, 300], { description: 'GAG' })
    given(...story)
      .when(process([100, 200, 300]))
      .gives(first)
    given(...story, first)
      .when(process([100, 200, 300]))
      .changesNothing()
    const second = { ...paper, id: idOf('9'), description: 'GAG', budgetCodeId: 2, source: { kind: 'prediction', id: idOf('e') } as const }
    given(...story, first)
      .when(process([110, 210, 310], idOf('e'), idOf('9')))
      .gives(
        { type: 'BudgetEntryDeleted', data: { id: idOf('a') } },
        {
          type: 'BudgetEntrySaved',
          data: {
            id: idOf('9'),
            item: {
              ...second,
              years: [110, 210, 310, 0, 0].map((amount) => ({ amount, periods: null, rate: null })),
              basis: { rates: null, weights: null, engine: engineVersion },
            },
          },
        },
      )
  })
  it('cannot be posted while a year is not calculated', () => {
    given(created(), before)
      .when(process([100, null, 300]))
      .isRefused({
        code: 'notCalculated',
        message: 'The calculation cannot be added to the budget while a figure is not calculated. Complete the marked rows first.',
      })
  })
})

describe('pupil numbers', () => {
  const save =
    (rows: object[], id = idOf('0')) =>
    (budget: Budget): BudgetEvent[] => {
      const input: PupilNumbersInput = pupilNumbersInput.parse({ rows })
      return savePupils(budget.head, { before: budget.items('pupils')[0], id, input })
    }
  const reception = { kind: 'Phase', yearGroup: 2, before: 30, years: [28] }
  const [before] = given(created()).when(save([reception])).events

  it('are stored without totals, which are calculated', () => {
    const row: PupilRow = { kind: 'Phase', phase: null, yearGroup: 2, description: null, before: 30, years: [28] }
    given(created())
      .when(save([reception, { kind: 'Total', years: [28] }]))
      .gives({ type: 'PupilNumbersSaved', data: { id: idOf('0'), item: { id: idOf('0'), rows: [row] } } })
  })
  it('saved unchanged change nothing', () => {
    given(created(), before!)
      .when(save([reception]))
      .changesNothing()
  })
  it('that were rolled up and are sent back unchanged, with their phases and five years, do not become typed', () => {
    const yearOne = { kind: 'Phase', yearGroup: 3, before: 31, years: [] }
    const both = given(created()).when(save([reception, yearOne])).events
    given(created(), ...both)
      .when(
        save([
          { ...reception, phase: 2, years: [28, null, null, null, null] },
          { ...yearOne, phase: 2, years: [30, 28, null, null, null] },
        ]),
      )
      .changesNothing()
  })
  it('keep the typed timetable of each year until another is typed', () => {
    const none = { week: null, taught: null, weeks: null }
    const first = { week: 25, taught: 540, weeks: 38 }
    const withLessons = (lessons?: object[]) => (budget: Budget) =>
      savePupils(budget.head, {
        before: budget.items('pupils')[0],
        id: idOf('0'),
        input: pupilNumbersInput.parse({ rows: [reception], lessons }),
      })
    const [kept] = given(created(), before!).when(withLessons([first, none, none, none, none])).events
    expect(kept).toMatchObject({ data: { item: { lessons: [first] } } })
    given(created(), before!, kept!).when(withLessons()).changesNothing()
    given(created(), before!, kept!)
      .when(withLessons([first, none]))
      .changesNothing()
    const [cleared] = given(created(), before!, kept!).when(withLessons([none])).events
    expect(cleared).toMatchObject({ data: { item: { rows: expect.any(Array) } } })
    expect(JSON.stringify(cleared)).not.toContain('lessons')
    expect(pupilNumbersInput.safeParse({ rows: [], lessons: [{ week: 201 }] }).success).toBe(false)
  })
  describe('that another system counts', () => {
    const count = (yearGroup: number, october: number, pupils: number) => ({ yearGroup, october, count: pupils })
    const take = (budget: Budget, ...said: ReportedCount[]) =>
      importPupilCounts(budget.head, { before: budget.items('pupils')[0], id: idOf('0'), reported: said })
    const rowsAfter = (...said: ReportedCount[]) => {
      const { budget } = given(created(), before!)
      return take(budget, ...said).met.rows
    }
    const first = given(created()).budget.head.firstYear

    it('are written where nobody typed any; typed numbers that differ stay and are reported', () => {
      const { budget } = given(created(), before!)
      const { met } = take(budget, count(2, first, 31), count(2, first + 1, 33))
      expect(met).toMatchObject({ written: 1, kept: [{ ...count(2, first, 31), typed: 28 }], strange: [] })
      expect(met.rows[0]).toMatchObject({ before: 30, years: [28, 33] })
    })
    it('replace their earlier counts, but not what somebody has typed since', () => {
      const { events } = take(given(created(), before!).budget, count(2, first + 1, 33))
      const { budget } = given(created(), before!, ...events)
      expect(take(budget, count(2, first + 1, 33)).events).toEqual([])
      expect(take(budget, count(2, first + 1, 34)).met).toMatchObject({ written: 1, kept: [] })
      const typed = given(created(), before!, ...events).when(save([{ ...reception, years: [28, 20] }])).events
      const { budget: after } = given(created(), before!, ...events, ...typed)
      expect(after.items('pupils')[0]!.item.said).toEqual([count(2, first + 1, 33)])
      expect(take(after, count(2, first + 1, 34)).met).toMatchObject({ written: 0, kept: [{ typed: 20 }] })
    })
    it('are not written again after an undo, whatever count follows, until somebody types there', () => {
      const asked = [count(2, first, 28), count(2, first + 1, 33)]
      const { events } = take(given(created(), before!).budget, ...asked)
      const story = [created(), before!, ...events]
      const undone = given(...story).budget.undo(3)
      const back = given(...story, ...undone).budget
      expect(back.items('pupils')[0]!.item.rows[0]).toMatchObject({ before: 30, years: [28] })
      expect(take(back, ...asked)).toMatchObject({ events: [], met: { written: 0, kept: [{ count: 33, typed: null, here: null }] } })
      const other = take(back, count(2, first + 1, 34))
      expect(other.met).toMatchObject({ written: 0, kept: [{ count: 34, typed: null }] })
      // Redoing the undone import writes the counts again. A cell typed and cleared by somebody may be written again.
      const again = given(...story, ...undone, ...back.undo(4)).budget
      expect(again.items('pupils')[0]!.item).toEqual(given(...story).budget.items('pupils')[0]!.item)
      expect(take(again, count(2, first + 1, 34)).met).toMatchObject({ written: 1, kept: [] })
      const typed = given(...story, ...undone).when(save([{ ...reception, years: [28, 20] }])).events
      const emptied = given(...story, ...undone, ...typed).when(save([reception])).events
      expect(take(given(...story, ...undone, ...typed, ...emptied).budget, ...asked).met).toMatchObject({ written: 1, kept: [] })
    })
    it('are not written again where somebody cleared them, or where another count of the same system was undone', () => {
      const { events } = take(given(created(), before!).budget, count(2, first + 1, 33))
      const story = [created(), before!, ...events]
      const emptied = given(...story).when(save([reception])).events
      expect(take(given(...story, ...emptied).budget, count(2, first + 1, 33)).met).toMatchObject({ written: 0, kept: [{ typed: null }] })
      const next = take(given(...story).budget, count(2, first + 1, 35)).events
      const undone = given(...story, ...next).budget.undo(4)
      const back = given(...story, ...next, ...undone).budget
      expect(take(back, count(2, first + 1, 35))).toMatchObject({ events: [], met: { written: 0, kept: [{ typed: 33, count: 35 }] } })
    })
    it('do not come back to a budget in which all were undone', () => {
      const { events } = take(given(created()).budget, count(2, first, 31), count(3, first, 30))
      const undone = given(created(), ...events).budget.undo(2)
      const bare = given(created(), ...events, ...undone).budget
      expect(bare.items('pupils')[0]!.item.rows).toEqual([])
      expect(take(bare, count(2, first, 31), count(3, first, 30))).toMatchObject({ events: [], met: { written: 0, kept: [{}, {}] } })
      expect(take(bare, count(2, first, 31), count(4, first, 29)).met).toMatchObject({ written: 1, rows: [{ yearGroup: 4 }] })
      const again = given(created(), ...events, ...undone, ...bare.undo(3)).budget
      expect(again.items('pupils')[0]!.item).toEqual(given(created(), ...events).budget.items('pupils')[0]!.item)
    })
    it('make year groups in a budget without any, add none to one that has some, and leave other years alone', () => {
      const bare = take(given(created()).budget, count(3, first, 30), count(2, first - 1, 29), count(16, first, 12), count(2, first - 2, 1))
      expect(bare.met.rows).toEqual([
        { kind: 'Phase', phase: null, yearGroup: 2, description: null, before: 29, years: [] },
        { kind: 'Phase', phase: null, yearGroup: 3, description: null, before: null, years: [30] },
        { kind: 'HighNeeds', phase: null, yearGroup: 16, description: null, before: null, years: [12] },
      ])
      expect(take(given(created(), before!).budget, count(3, first, 30)).met).toMatchObject({ strange: [3], written: 0 })
      expect(rowsAfter(count(2, first + 50, 1))).toEqual(rowsAfter())
    })
    it('count as typed only if the year group below has come to another number since', () => {
      const yearOne = { kind: 'Phase', yearGroup: 3, before: 31, years: [] }
      const both = given(created()).when(save([reception, yearOne])).events
      const { budget } = given(created(), ...both)
      expect(take(budget, count(3, first, 30)).met).toMatchObject({ written: 0, kept: [] })
      expect(take(budget, count(3, first, 29)).met.rows[1]!.years).toEqual([29])
      const bare = take(given(created()).budget, count(3, first, 30), count(2, first - 1, 25))
      expect(bare.events).toMatchObject([{ data: { item: { rows: [{ before: 25 }, { years: [30] }] } } }])
    })
    it('are stored beside the rows that they make, and are refused in a locked budget', () => {
      const row: PupilRow = { kind: 'Phase', phase: null, yearGroup: 2, description: null, before: null, years: [31] }
      given(created())
        .when((budget) => take(budget, count(2, 2026, 31)).events)
        .gives({
          type: 'PupilNumbersSaved',
          data: { id: idOf('0'), item: { id: idOf('0'), rows: [row], said: [{ yearGroup: 2, october: 2026, count: 31 }] } },
        })
      given(created(), locked)
        .when((budget) => take(budget, count(2, 2026, 31)).events)
        .isRefused(isLocked)
    })
    it('belong to the year group that a name or a school census code means', () => {
      const words = ['Nursery', 'N1', 'E2', 'r', 'Reception', 'Year 1', 'Y7', '07', '13', 'high needs places', '14', '0', 'Class 3', '']
      expect(words.map((word) => parseYearGroup(word, lookups.pupilYearGroups))).toEqual([
        1,
        1,
        1,
        2,
        2,
        3,
        9,
        9,
        15,
        16,
        ...Array(4).fill(null),
      ])
    })
    it('belong to the October of their school year', () => {
      expect(['2026', '2026-10-01', '2027-01-21', '2026-09', '26', '2026-13', 'October'].map(parseOctoberYear)).toEqual([
        2026,
        2026,
        2026,
        2026,
        null,
        null,
        null,
      ])
      expect(['2026-08-31', '2026-09-01'].map(findOctoberYear)).toEqual([2025, 2026])
    })
  })
  it('with the same year group twice are refused by its name', () => {
    given(created())
      .when(save([reception, reception]))
      .isRefused({ code: 'invalid', message: 'Reception appears twice. Remove one.', fields: ['rows.1.yearGroup'] })
  })
  it('without a valid year group or phase are refused', () => {
    given(created())
      .when(save([{ kind: 'Phase', years: [3] }]))
      .isRefused({ code: 'invalid', message: 'Choose a year group or a phase.', fields: ['rows.0.yearGroup'] })
  })
  it('of a locked budget are refused', () => {
    given(created(), locked)
      .when(save([reception]))
      .isRefused(isLocked)
  })
})

describe('an opening balance', () => {
  const typed = (change: object = {}): OpeningBalanceInput =>
    openingBalanceInput.parse({ description: 'Carried forward', type: 1, value: -12.5, ...change })
  const save =
    (input: OpeningBalanceInput, id = idOf('8')) =>
    (budget: Budget): BudgetEvent[] =>
      saveOpeningBalance(budget.head, { all: budget.items('balance'), id, input })
  const before: BudgetEvent = {
    type: 'OpeningBalanceSaved',
    data: { id: idOf('8'), item: { id: idOf('8'), description: 'Carried forward', type: 1, value: -1250 } },
  }

  it('is stored in whole pennies, a deficit as a negative amount', () => {
    given(created()).when(save(typed())).gives(before)
  })
  it('saved unchanged changes nothing', () => {
    given(created(), before)
      .when(save(typed({ id: idOf('8') })))
      .changesNothing()
  })
  it('that is not in the budget is refused', () => {
    given(created())
      .when(save(typed({ id: idOf('8') })))
      .isRefused({ code: 'notFound', message: 'Opening balance was not found.' })
  })
  it('with the same kind and description as another is refused; with another kind it is accepted', () => {
    given(created(), before)
      .when(save(typed({ description: 'carried FORWARD' }), idOf('9')))
      .isRefused({ code: 'duplicate', message: 'Description is already used.', fields: ['description'] })
    expect(given(created(), before).when(save(typed({ type: 2 }), idOf('9'))).events).toHaveLength(1)
  })
  it('of a locked budget is refused', () => {
    given(created(), locked).when(save(typed())).isRefused(isLocked)
  })
})
