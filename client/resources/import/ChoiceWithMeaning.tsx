import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core'
import type { TemplateChoice } from '../../../domain/resources/template.ts'
import { sortMatches } from '../../ui/fields/choices.ts'
import textStyles from '../../ui/labels/text.module.css'

const meaningOf = (choices: readonly TemplateChoice[], value: string): string =>
  choices.find((choice) => choice.value === value)?.meaning ?? ''

/** An allowed value of an import in a list, followed by its meaning, such as a code and its description. */
export function ChoiceWithMeaning({ choices, value }: { choices: readonly TemplateChoice[]; value: string }) {
  const meaning = meaningOf(choices, value)
  return (
    <span>
      {value}
      {meaning && <span className={textStyles.dim}> {meaning}</span>}
    </span>
  )
}

const isItem = (option: ComboboxParsedItem): option is ComboboxItem => 'value' in option

/** Returns the options whose value or meaning contains the search text, best matches first. */
export function filterByMeaning(options: ComboboxParsedItem[], choices: readonly TemplateChoice[], search: string): ComboboxItem[] {
  const searched = search.trim().toLowerCase()
  const matching = options
    .filter(isItem)
    .filter((option) => `${option.value} ${meaningOf(choices, option.value)}`.toLowerCase().includes(searched))
  return sortMatches(matching, search, (option) => option.value)
}
