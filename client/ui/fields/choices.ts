/** An option of a select. The value is saved; users read and search the label. */
export interface ChoiceOption<V extends string = string> {
  value: V
  label: string
  disabled?: boolean
}

/** Options under a heading; the heading is null for options without a group. */
export interface ChoiceGroup<V extends string = string> {
  group: string | null
  items: readonly ChoiceOption<V>[]
}

export type ChoiceData<V extends string = string> = readonly (
  | V
  | ChoiceOption<V>
  | { group: string; items: readonly (V | ChoiceOption<V>)[] }
)[]

function toOption<V extends string>(one: V | ChoiceOption<V>): ChoiceOption<V> {
  return typeof one === 'string' ? { value: one, label: one } : one
}

/** The options in groups, in the given order. */
export function groupChoices<V extends string>(data: ChoiceData<V>): ChoiceGroup<V>[] {
  const groups: { group: string | null; items: ChoiceOption<V>[] }[] = []
  for (const one of data) {
    if (typeof one === 'object' && 'group' in one) groups.push({ group: one.group, items: one.items.map((item) => toOption(item)) })
    else {
      const last = groups.at(-1)
      if (last?.group === null) last.items.push(toOption(one))
      else groups.push({ group: null, items: [toOption(one)] })
    }
  }
  return groups
}

const simplify = (text: string): string => text.trim().replace(/\s+/g, ' ').toLocaleLowerCase('en-GB')

const isWordStart = (text: string, at: number): boolean => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/**
 * How well a label matches the typed text: 0 it is the text, 1 its code or first word is the text, 2 it begins with the text, 3 a later
 * word begins with the text, 4 it contains the text; null if it does not match.
 */
function rankMatch(label: string, search: string): number | null {
  const [text, searched] = [simplify(label), simplify(search)]
  if (text === searched) return 0
  let at = text.indexOf(searched)
  if (at === -1) return null
  if (at === 0) return /^[\p{L}\p{N}]/u.test(text.slice(searched.length)) ? 2 : 1
  for (; at !== -1; at = text.indexOf(searched, at + 1)) if (isWordStart(text, at)) return 3
  return 4
}

/** Sorts search results by how well their label matches the typed text; items found by other text come last. */
export function sortMatches<T>(items: readonly T[], search: string, labelOf: (item: T) => string): T[] {
  if (!search.trim()) return [...items]
  const rankOf = (item: T): number => rankMatch(labelOf(item), search) ?? Number.POSITIVE_INFINITY
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ item }) => item)
}

/** The options that match the typed text, best matches first; all options if no text was typed. */
export function filterChoices<V extends string>(groups: readonly ChoiceGroup<V>[], search: string): ChoiceGroup<V>[] {
  if (!search.trim()) return [...groups]
  return groups
    .map(({ group, items }) => {
      const matching = sortMatches(
        items.filter((item) => rankMatch(item.label, search) !== null),
        search,
        (item) => item.label,
      )
      const best = matching[0] && rankMatch(matching[0].label, search)
      return { group, items: matching, best: best ?? Number.POSITIVE_INFINITY }
    })
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => a.best - b.best)
    .map(({ group, items }) => ({ group, items }))
}
