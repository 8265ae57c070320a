import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useRef, useState } from 'react'
import textStyles from '../labels/text.module.css'
import { sortMatches } from './choices.ts'

/** A text that a field suggests, and what it means, such as a code and its description. */
interface Suggestion {
  value: string
  meaning?: string | null
}

/** Maximum number of suggestions shown at once; typing narrows the list. */
const maximumShown = 60

/**
 * A text field with suggestions, for text that need not be one of them. All suggestions are shown until something is
 * typed. Escape puts back the text from before.
 * @param takesFirst Enter and Tab take the first match of the typed text, as a select does; otherwise the text stays as it was typed
 */
export function SuggestionField({
  suggestions,
  takesFirst = false,
  value,
  onChange,
  ...input
}: Omit<AutocompleteProps, 'data' | 'filter' | 'limit' | 'renderOption' | 'value' | 'onChange'> & {
  suggestions: readonly (string | Suggestion)[]
  takesFirst?: boolean
  value: string
  onChange: (text: string) => void
}) {
  const [isTyped, setTyped] = useState(false)
  const hasMoved = useRef(false)
  const before = useRef(value)
  const meanings = new Map(suggestions.map((one) => (typeof one === 'string' ? [one, ''] : [one.value, one.meaning ?? ''])))
  return (
    <Autocomplete
      {...input}
      data={[...meanings.keys()]}
      renderOption={({ option }) => (
        <span>
          {option.value}
          {meanings.get(option.value) && <span className={textStyles.dim}> {meanings.get(option.value)}</span>}
        </span>
      )}
      filter={({ options, search }) => {
        const items = options.flatMap((option) => ('value' in option ? [option] : []))
        const searched = search.trim().toLowerCase()
        if (!isTyped) return items
        return sortMatches(
          items.filter((option) => `${option.value} ${meanings.get(option.value)}`.toLowerCase().includes(searched)),
          search,
          (option) => option.value,
        )
      }}
      limit={maximumShown}
      selectFirstOptionOnChange={takesFirst}
      autoComplete="off"
      value={value}
      onChange={(text) => {
        setTyped(true)
        onChange(text)
      }}
      onOptionSubmit={(taken) => {
        before.current = taken
      }}
      onFocus={(event) => {
        event.currentTarget.select()
        before.current = value
        hasMoved.current = false
        setTyped(false)
      }}
      onKeyDown={({ key, currentTarget }) => {
        const list = document.getElementById(currentTarget.getAttribute('aria-controls') ?? '')
        if (key === 'ArrowDown' || key === 'ArrowUp') hasMoved.current = true
        else if (list && key === 'Escape' && value !== before.current) onChange(before.current)
        else if (key === 'Tab' && (hasMoved.current || (isTyped && value.trim())))
          list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click()
      }}
    />
  )
}
