import { mappingText } from '../../files/texts.ts'
import { actualType, budgetCodeType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { ActualLine } from '../monitoring.ts'
import type { Layout } from './columns.ts'
import type { LedgerRow } from './rows.ts'

/** What the texts of a file are mapped to. */
export const mappedKinds = ['account', 'costCentre', 'fund', 'tag', 'location'] as const
export type MappedKind = (typeof mappedKinds)[number]

/** By the text as `mappingText` writes it: an id; null is left out on purpose, of a fund or tag: without one; of a centre: the usual one. */
export type Mapping = Record<MappedKind, ReadonlyMap<string, number | null>>

/** The texts of every kind, each made from its kind. */
export function mappingBy(textsOf: (kind: MappedKind) => Mapping[MappedKind]): Mapping {
  return {
    account: textsOf('account'),
    costCentre: textsOf('costCentre'),
    fund: textsOf('fund'),
    tag: textsOf('tag'),
    location: textsOf('location'),
  }
}

/** Whether the amounts of a file are debits less credits, or positive for what is usual for their code. */
export const signs = ['debit', 'usual'] as const
export type Sign = (typeof signs)[number]

/** Rows of one text, with what they come to. */
export interface TextGroup {
  text: string
  /** What stands beside it first. */
  name: string
  rows: number
  firstRow: number
  amount: number
  commitment: number
  isLoose: boolean
}

/** The different texts of a kind, in the order of the file, with rows and sums. Lines of nothing ask for no mapping but that of their location. */
export function groupTexts(rows: readonly LedgerRow[], kind: MappedKind): TextGroup[] {
  const groups = new Map<string, TextGroup>()
  for (const row of rows) {
    const text = row[kind]
    if (!text || (kind !== 'location' && !row.amount && !row.commitment)) continue
    const key = mappingText(text)
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

/** What else lines are made with. */
export interface Making {
  layout: Layout
  sign: Sign
  mapping: Mapping
  /** Where rows are that name no location. */
  locationId: LocationId | null
  /** Of rows that name no cost centre. */
  costCentreId: number | null
  typeOf: (budgetCodeId: number) => number | undefined
}

/** A line that a row of a file comes to. */
export interface MadeLine extends ActualLine {
  row: number
  locationId: LocationId
  date: string | null
}

/** What rows come to, in whole pennies in the sign of the file. */
export interface Sum {
  rows: number
  amount: Pennies
  commitment: Pennies
}

/** The total of a file, lines of nothing aside, and where it goes: nothing is saved until all of it is imported or left out on purpose. */
export interface Proof {
  file: Sum
  imported: Sum
  leftOut: Sum
  unmapped: Sum
}

export interface Made {
  lines: MadeLine[]
  proof: Proof
  /** Rows that map to nothing, with what is missing. */
  unmapped: { row: LedgerRow; kind: MappedKind }[]
  /** The locations that the file says something of, be it nothing. */
  locationIds: LocationId[]
}

const none = (): Sum => ({ rows: 0, amount: 0, commitment: 0 })

function add(sum: Sum, { amount, commitment }: { amount: number; commitment: number }): void {
  sum.rows++
  sum.amount += amount
  sum.commitment += commitment
}

/**
 * Makes the lines of a file by a mapping, and proves them: what is imported is worked out of the lines that were made, not of the rows that they
 * were made of.
 */
export function makeLines(rows: readonly LedgerRow[], making: Making): Made {
  const { mapping, sign } = making
  const proof: Proof = { file: none(), imported: none(), leftOut: none(), unmapped: none() }
  const lines: MadeLine[] = []
  const unmapped: Made['unmapped'] = []
  const places = new Set<LocationId>()
  const texts = new Map<string, string>()
  // The same few hundred texts stand in every row.
  const keyOf = (text: string): string => {
    let key = texts.get(text)
    if (key === undefined) texts.set(text, (key = mappingText(text)))
    return key
  }
  const found = (kind: MappedKind, text: string, otherwise: number | null | undefined): number | null | undefined =>
    text ? mapping[kind].get(keyOf(text)) : otherwise
  const usual = (budgetCodeId: number, amount: number): number =>
    sign === 'debit' && making.typeOf(budgetCodeId) === budgetCodeType.income && amount ? -amount : amount
  for (const row of rows) {
    const code = found('account', row.account, undefined)
    const place = found('location', row.location, making.locationId ?? undefined)
    if (code && place) places.add(toLocationId(place))
    if (!row.amount && !row.commitment) continue
    add(proof.file, row)
    const named = found('costCentre', row.costCentre, null)
    const centre = named === null ? (making.costCentreId ?? undefined) : named
    const fund = found('fund', row.fund, null)
    const tag = found('tag', row.tag, null)
    if (code === null || place === null) {
      add(proof.leftOut, row)
      continue
    }
    const missing: [MappedKind, number | null | undefined][] = [
      ['account', code],
      ['location', place],
      ['costCentre', centre],
      ['fund', fund],
      ['tag', tag],
    ]
    const [kind] = missing.find(([, id]) => id === undefined) ?? []
    if (kind) {
      unmapped.push({ row, kind })
      add(proof.unmapped, row)
      continue
    }
    const line = {
      row: row.row,
      locationId: toLocationId(assertDefined(place)),
      date: row.date,
      budgetCodeId: assertDefined(code),
      costCentreId: assertDefined(centre),
      fundCodeId: fund ?? null,
      analysisTagId: tag ?? null,
      description: wordsOf(row),
      ...documentOf(row),
    }
    const own: MadeLine[] = []
    if (row.amount) own.push({ ...line, type: actualType.actual, value: usual(assertDefined(code), row.amount) })
    if (row.commitment) own.push({ ...line, type: actualType.commitment, value: usual(assertDefined(code), row.commitment) })
    proof.imported.rows++
    for (const one of own) {
      const inFile = usual(assertDefined(code), one.value)
      if (one.type === actualType.actual) proof.imported.amount += inFile
      else proof.imported.commitment += inFile
      lines.push(one)
    }
  }
  return { lines, proof, unmapped, locationIds: [...places].sort((a, b) => a - b) }
}

/** Which document a row is of, where it says so. */
function documentOf({ date, reference, supplier }: LedgerRow): Pick<ActualLine, 'document'> {
  const short = (text: string): string | null => text.slice(0, 100) || null
  return date || reference || supplier ? { document: { date, reference: short(reference), supplier: short(supplier) } } : {}
}

/** What a line says of itself: when, which document and what; without any of these, what the ledger calls its code. */
function wordsOf({ date, reference, supplier, details, account, accountName, isLoose }: LedgerRow): string | null {
  const day = date ? `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}` : ''
  const words =
    [day, reference, supplier, details].filter(Boolean).join(' · ') ||
    (isLoose ? account : [account, accountName].filter(Boolean).join(' '))
  return words.length > 200 ? `${words.slice(0, 199)}…` : words || null
}

/** Whether all of a file is imported or left out on purpose, to the penny. */
export function isProved({ file, imported, leftOut, unmapped }: Proof): boolean {
  return (
    unmapped.rows === 0 &&
    file.amount === imported.amount + leftOut.amount &&
    file.commitment === imported.commitment + leftOut.commitment &&
    file.rows === imported.rows + leftOut.rows
  )
}

/** Which sign a file is likely written in: income below nothing means debits less credits. @param areDebits a column says which rows are debits and which credits */
export function likelySign(
  rows: readonly LedgerRow[],
  { layout, mapping, typeOf, areDebits = false }: Pick<Making, 'layout' | 'mapping' | 'typeOf'> & { areDebits?: boolean },
): Sign {
  if (layout === 'trialBalance' || areDebits) return 'debit'
  if (layout === 'template') return 'usual'
  let [below, above] = [0, 0]
  for (const row of rows) {
    const code = mapping.account.get(mappingText(row.account))
    if (!code || typeOf(code) !== budgetCodeType.income || !row.amount) continue
    if (row.amount < 0) below++
    else above++
  }
  return below > above ? 'debit' : 'usual'
}
