import { normaliseMappingText } from '../../files/texts.ts'
import { actualType, budgetCodeType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { ActualLine } from '../monitoring.ts'
import type { LedgerLayout } from './columns.ts'
import type { LedgerRow } from './rows.ts'

/** The kinds of text in a file that users map to records. */
export const mappedKinds = ['account', 'costCentre', 'fund', 'tag', 'location'] as const
export type MappedKind = (typeof mappedKinds)[number]

/**
 * Record ids by text (see `normaliseMappingText`). A null id means, for an account or location, that the row is left out on purpose; for a
 * fund or tag, that the row has none; for a cost centre, that the default applies.
 */
export type LedgerMapping = Record<MappedKind, ReadonlyMap<string, number | null>>

export function createLedgerMapping(textsOf: (kind: MappedKind) => LedgerMapping[MappedKind]): LedgerMapping {
  return {
    account: textsOf('account'),
    costCentre: textsOf('costCentre'),
    fund: textsOf('fund'),
    tag: textsOf('tag'),
    location: textsOf('location'),
  }
}

/**
 * The sign of a file's amounts: debits less credits (`debit`), or positive for income on an income code and for expenditure on others
 * (`usual`).
 */
export const amountSigns = ['debit', 'usual'] as const
export type AmountSign = (typeof amountSigns)[number]

export interface LedgerTextGroup {
  text: string
  /** The name of the account in the first row of the group. */
  name: string
  rows: number
  firstRow: number
  amount: number
  commitment: number
  isLoose: boolean
}

/** Groups rows by their texts of one kind, in the order of the file. Rows without amounts need no mapping except for their location. */
export function groupLedgerTexts(rows: readonly LedgerRow[], kind: MappedKind): LedgerTextGroup[] {
  const groups = new Map<string, LedgerTextGroup>()
  for (const row of rows) {
    const text = row[kind]
    if (!text || (kind !== 'location' && !row.amount && !row.commitment)) continue
    const key = normaliseMappingText(text)
    const group = groups.get(key)
    if (group) {
      group.rows++
      group.amount += row.amount
      group.commitment += row.commitment
    } else
      groups.set(key, {
        text,
        name: kind === 'account' ? row.accountName : '',
        rows: 1,
        firstRow: row.row,
        amount: row.amount,
        commitment: row.commitment,
        isLoose: kind === 'account' && row.isLoose,
      })
  }
  return [...groups.values()]
}

export interface LedgerMappingOptions {
  layout: LedgerLayout
  sign: AmountSign
  mapping: LedgerMapping
  /** The location of rows that do not name one. */
  locationId: LocationId | null
  /** The cost centre of rows that do not name one. */
  costCentreId: number | null
  typeOf: (budgetCodeId: number) => number | undefined
}

/** An actual or commitment that was made from a row of a file. */
export interface MappedLedgerLine extends ActualLine {
  row: number
  locationId: LocationId
  date: string | null
}

/** Sums of rows, in whole pennies with the sign of the file. */
export interface LedgerSum {
  rows: number
  amount: Pennies
  commitment: Pennies
}

/**
 * The total of a file, and how much of it is imported, left out or unmapped. Nothing is saved until every row is either imported or
 * deliberately left out.
 */
export interface LedgerProof {
  file: LedgerSum
  imported: LedgerSum
  leftOut: LedgerSum
  unmapped: LedgerSum
}

export interface MappedLedger {
  lines: MappedLedgerLine[]
  proof: LedgerProof
  /** Rows that could not be mapped, with the kind of text that has no mapping. */
  unmapped: { row: LedgerRow; kind: MappedKind }[]
  /** The locations that occur in the file, including those with only zero rows. */
  locationIds: LocationId[]
}

const emptySum = (): LedgerSum => ({ rows: 0, amount: 0, commitment: 0 })

function addToSum(sum: LedgerSum, { amount, commitment }: { amount: number; commitment: number }): void {
  sum.rows++
  sum.amount += amount
  sum.commitment += commitment
}

/**
 * Maps the rows of a file to lines and proves that no money is lost. The imported sum is calculated from the lines, not from the rows, so
 * that the proof is independent of the mapping.
 */
export function mapLedger(rows: readonly LedgerRow[], options: LedgerMappingOptions): MappedLedger {
  const { mapping, sign } = options
  const proof: LedgerProof = { file: emptySum(), imported: emptySum(), leftOut: emptySum(), unmapped: emptySum() }
  const lines: MappedLedgerLine[] = []
  const unmapped: MappedLedger['unmapped'] = []
  const locationIds = new Set<LocationId>()
  const texts = new Map<string, string>()
  // The keys of texts are cached, because a file repeats a few hundred texts many times.
  const keyOf = (text: string): string => {
    let key = texts.get(text)
    if (key === undefined) texts.set(text, (key = normaliseMappingText(text)))
    return key
  }
  const findId = (kind: MappedKind, text: string, otherwise: number | null | undefined): number | null | undefined =>
    text ? mapping[kind].get(keyOf(text)) : otherwise
  const toUsualSign = (budgetCodeId: number, amount: number): number =>
    sign === 'debit' && options.typeOf(budgetCodeId) === budgetCodeType.income && amount ? -amount : amount
  for (const row of rows) {
    const code = findId('account', row.account, undefined)
    const mappedLocationId = findId('location', row.location, options.locationId ?? undefined)
    if (code && mappedLocationId) locationIds.add(toLocationId(mappedLocationId))
    if (!row.amount && !row.commitment) continue
    addToSum(proof.file, row)
    const named = findId('costCentre', row.costCentre, null)
    const centre = named === null ? (options.costCentreId ?? undefined) : named
    const fund = findId('fund', row.fund, null)
    const tag = findId('tag', row.tag, null)
    if (code === null || mappedLocationId === null) {
      addToSum(proof.leftOut, row)
      continue
    }
    const missing: [MappedKind, number | null | undefined][] = [
      ['account', code],
      ['location', mappedLocationId],
      ['costCentre', centre],
      ['fund', fund],
      ['tag', tag],
    ]
    const [kind] = missing.find(([, id]) => id === undefined) ?? []
    if (kind) {
      unmapped.push({ row, kind })
      addToSum(proof.unmapped, row)
      continue
    }
    const line = {
      row: row.row,
      locationId: toLocationId(assertDefined(mappedLocationId)),
      date: row.date,
      budgetCodeId: assertDefined(code),
      costCentreId: assertDefined(centre),
      fundCodeId: fund ?? null,
      analysisTagId: tag ?? null,
      description: describeRow(row),
      ...readDocument(row),
    }
    const rowLines: MappedLedgerLine[] = []
    if (row.amount) rowLines.push({ ...line, type: actualType.actual, value: toUsualSign(assertDefined(code), row.amount) })
    if (row.commitment) rowLines.push({ ...line, type: actualType.commitment, value: toUsualSign(assertDefined(code), row.commitment) })
    proof.imported.rows++
    for (const one of rowLines) {
      const inFile = toUsualSign(assertDefined(code), one.value)
      if (one.type === actualType.actual) proof.imported.amount += inFile
      else proof.imported.commitment += inFile
      lines.push(one)
    }
  }
  return { lines, proof, unmapped, locationIds: [...locationIds].sort((a, b) => a - b) }
}

/** The document of a row, if the file names one. */
function readDocument({ date, reference, supplier }: LedgerRow): Pick<ActualLine, 'document'> {
  const short = (text: string): string | null => text.slice(0, 100) || null
  return date || reference || supplier ? { document: { date, reference: short(reference), supplier: short(supplier) } } : {}
}

/** Describes a row by its date, document and details; if it has none of these, by its account. */
function describeRow({ date, reference, supplier, details, account, accountName, isLoose }: LedgerRow): string | null {
  const day = date ? `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}` : ''
  const words =
    [day, reference, supplier, details].filter(Boolean).join(' · ') ||
    (isLoose ? account : [account, accountName].filter(Boolean).join(' '))
  return words.length > 200 ? `${words.slice(0, 199)}…` : words || null
}

/** Whether every penny of a file is imported or deliberately left out. */
export function isLedgerProved({ file, imported, leftOut, unmapped }: LedgerProof): boolean {
  return (
    unmapped.rows === 0 &&
    file.amount === imported.amount + leftOut.amount &&
    file.commitment === imported.commitment + leftOut.commitment &&
    file.rows === imported.rows + leftOut.rows
  )
}

/**
 * Guesses the sign of a file's amounts. If income is negative, they are debits less credits.
 * @param areDebits whether a column says which rows are debits and credits
 */
export function guessAmountSign(
  rows: readonly LedgerRow[],
  { layout, mapping, typeOf, areDebits = false }: Pick<LedgerMappingOptions, 'layout' | 'mapping' | 'typeOf'> & { areDebits?: boolean },
): AmountSign {
  if (layout === 'trialBalance' || areDebits) return 'debit'
  if (layout === 'template') return 'usual'
  let [below, above] = [0, 0]
  for (const row of rows) {
    const code = mapping.account.get(normaliseMappingText(row.account))
    if (!code || typeOf(code) !== budgetCodeType.income || !row.amount) continue
    if (row.amount < 0) below++
    else above++
  }
  return below > above ? 'debit' : 'usual'
}
