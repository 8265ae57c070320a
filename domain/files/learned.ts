import { displayCount } from '../values/format.ts'
import { DomainError } from '../words/errors.ts'

/**
 * A text from imported files and the record that it is mapped to. A null `target` means that rows with the text are left out on purpose, or
 * that no record matches.
 */
export interface LearnedText<Kind extends string> {
  kind: Kind
  text: string
  target: number | null
}

/** What an import source has learnt at one time: the meaning of its columns, and the mapped texts that changed. */
interface Learned {
  columns: readonly { heading: string; meaning: string }[]
  texts: readonly LearnedText<string>[]
}

/** The number of changed texts that a description lists by name. */
const maxListedTexts = 5

/**
 * Describes a change to an import source, as a sentence without its subject.
 * @param nameOf the name of the record that a text is mapped to, by kind of text; also called with null
 * @param settings other settings of the source in words, before and after
 */
export function describeLearnedChanges(
  { before, after }: { before: Learned | null; after: Learned | null },
  nameOf: (kind: string, target: number | null) => string,
  settings: { before: readonly string[]; after: readonly string[] },
): string {
  if (!after) return 'forgot everything that was learned'
  if (!before)
    return `imported its first file: ${displayCount(after.columns.length, 'column')} read, ${displayCount(after.texts.length, 'item')} mapped`
  const key = ({ kind, text }: LearnedText<string>): string => `${kind} ${text}`
  const was = new Map(before.texts.map((one) => [key(one), one.target]))
  const kept = new Set(after.texts.map(key))
  const gone = before.texts.filter((one) => !kept.has(key(one)))
  const words = (one: LearnedText<string>): string => {
    const old = was.get(key(one))
    return `“${one.text}” to ${nameOf(one.kind, one.target)}${old === undefined ? '' : ` instead of ${nameOf(one.kind, old)}`}`
  }
  const meanings = (one: Learned): string => JSON.stringify(one.columns.map(({ heading, meaning }) => [heading, meaning]))
  const mapped = after.texts.slice(0, maxListedTexts).map(words).join(', ')
  const more = after.texts.length > maxListedTexts ? ` and ${after.texts.length - maxListedTexts} more` : ''
  const parts = [
    meanings(before) === meanings(after) ? null : 'changed what columns hold',
    ...settings.after.filter((one) => !settings.before.includes(one)).map((one) => `chose that ${one}`),
    after.texts.length ? `mapped ${mapped}${more}` : null,
    gone.length
      ? `forgot ${gone
          .slice(0, maxListedTexts)
          .map((one) => `“${one.text}”`)
          .join(', ')}${gone.length > maxListedTexts ? ` and ${gone.length - maxListedTexts} more` : ''}`
      : null,
  ].filter((part) => part !== null)
  return parts.length ? parts.join('; ') : 'saved it unchanged'
}

/**
 * Applies a user's changes to the meaning of columns.
 * @param many the meanings that several columns may share
 * @throws DomainError for an unknown heading, or for two columns with the same meaning
 */
export function applyColumnChanges<Meaning extends string>(
  known: readonly { heading: string; meaning: Meaning }[],
  wanted: readonly { heading: string; meaning: Meaning }[],
  many: readonly Meaning[] = [],
): { heading: string; meaning: Meaning }[] {
  const headings = new Set(known.map((one) => one.heading))
  const strange = wanted.find(({ heading }) => !headings.has(heading))
  if (strange) throw createColumnChoiceError(`“${strange.heading}” is not a known column. Columns are learned from files.`)
  const twice = wanted.some(({ meaning }, at) => !many.includes(meaning) && wanted.findIndex((one) => one.meaning === meaning) !== at)
  if (twice) throw createColumnChoiceError('Two columns have the same meaning. Choose one of them.')
  return wanted.map(({ heading, meaning }) => ({ heading, meaning }))
}

/** The error for an invalid choice of columns. */
export function createColumnChoiceError(message: string): DomainError {
  return new DomainError('invalid', 'columns', message, { fields: [{ field: 'columns', message }] })
}

/** The mapped texts of an import source by kind, as stored. */
export type LearnedTexts<Kind extends string> = Record<Kind, readonly { text: string; id: number | null }[]>

/** A user's changes to the mapped texts of an import source, made without a file. */
export interface LearnedTextChanges<Kind extends string> {
  mapping: LearnedTexts<Kind>
  /** Texts whose mapping is removed. The user is asked about them again when a file contains them. */
  forgotten: readonly { kind: Kind; text: string }[]
}

/**
 * Finds the texts whose mapping changes, and those that are forgotten.
 * @throws DomainError for an unknown text
 */
export function findChangedTexts<Kind extends string>(
  { name, texts }: { name: string; texts: LearnedTexts<Kind> },
  kinds: readonly Kind[],
  { mapping, forgotten }: LearnedTextChanges<Kind>,
): { changed: LearnedText<Kind>[]; forgotten: readonly { kind: Kind; text: string }[] } {
  const key = ({ kind, text }: { kind: Kind; text: string }): string => `${kind} ${text}`
  const known = new Map(kinds.flatMap((kind) => texts[kind].map(({ text, id }) => [key({ kind, text }), id] as const)))
  const wanted = kinds.flatMap((kind) => mapping[kind].map(({ text, id }) => ({ kind, text, target: id })))
  const strange = [...wanted, ...forgotten].find((one) => !known.has(key(one)))
  if (strange) throw new DomainError('invalid', 'text', `“${strange.text}” is not known for ${name}. Items are learned from files.`)
  const seen = new Set<string>()
  const twice = wanted.find((one) => seen.size === seen.add(key(one)).size)
  if (twice) throw new DomainError('invalid', 'text', `“${twice.text}” appears twice. Map it once.`)
  const gone = new Set(forgotten.map(key))
  return { changed: wanted.filter((one) => !gone.has(key(one)) && known.get(key(one)) !== one.target), forgotten }
}

/** The earlier mappings of the changed texts, for the history. */
export function listEarlierMappings<Kind extends string>(
  texts: LearnedTexts<Kind> | undefined,
  kinds: readonly Kind[],
  touched: readonly { kind: Kind; text: string }[],
): LearnedText<Kind>[] {
  const wanted = new Set(touched.map(({ kind, text }) => `${kind} ${text}`))
  return kinds.flatMap((kind) =>
    (texts?.[kind] ?? []).flatMap(({ text, id }) => (wanted.has(`${kind} ${text}`) ? [{ kind, text, target: id }] : [])),
  )
}
