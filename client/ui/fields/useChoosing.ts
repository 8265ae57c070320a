import { type ComboboxStore, useCombobox } from '@mantine/core'
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

/** What is typed into a box to choose from. */
interface Typed {
  text: string
  /** A key took the first match before the matches of this text had arrived. */
  isAwaited: boolean
}

const nothing: Typed = { text: '', isAwaited: false }

/** The state of a box to choose from: its list, and what is typed to filter it. */
export interface Typing {
  combobox: ComboboxStore
  typed: Typed
  setTyped: (typed: Typed) => void
  /** Whether the box shows what is typed instead of what is chosen. */
  isTyping: boolean
}

/** The list of a box to choose from, and what is typed. What is typed goes when the list closes. */
export function useTyping(): Typing {
  const [typed, setTyped] = useState(nothing)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped((now) => (now.isAwaited ? now : nothing))
    },
  })
  return { combobox, typed, setTyped, isTyping: combobox.dropdownOpened || typed.isAwaited }
}

/** Ctrl+S saves the surrounding form and leaves the focus here. */
const isSaving = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key.toLowerCase() === 's' && (ctrlKey || metaKey)
const isArrow = ({ key }: KeyboardEvent): boolean => key === 'ArrowDown' || key === 'ArrowUp'
const isErasing = ({ key }: KeyboardEvent): boolean => key === 'Delete' || key === 'Backspace'

/**
 * The keys of every box to choose from. Typing replaces the text and highlights the first match. Enter and Tab take the
 * highlighted match, and Ctrl+S takes it before it saves. Escape, or leaving without typing, keeps what was chosen.
 * @param first the value of the first match; undefined if nothing matches
 * @param isLate whether the matches of the typed text have not arrived yet
 * @param onTake is called with a match that a key took before it arrived; all others come by `onOptionSubmit`
 * @param onClear clears the choice; undefined if something must be chosen
 */
export function useChoiceKeys(
  { combobox, typed, setTyped }: Typing,
  {
    first,
    isLate = false,
    onTake,
    onClear,
  }: { first: string | undefined; isLate?: boolean; onTake: (value: string) => void; onClear?: () => void },
) {
  const wasMoved = useRef(false)
  const { text, isAwaited } = typed
  const isSearch = text.trim() !== ''
  const isOpen = combobox.dropdownOpened
  // Runs again for every text, since its first match is a new option.
  const highlight = useEffectEvent((search: string) => (search.trim() ? combobox.selectFirstOption() : combobox.selectActiveOption()))
  const takeAwaited = useEffectEvent((match: string | undefined) => {
    setTyped(nothing)
    combobox.closeDropdown()
    if (match !== undefined) onTake(match)
  })
  useEffect(() => {
    if (isLate) return
    if (isAwaited) takeAwaited(first)
    else if (isOpen && first !== undefined) highlight(text)
  }, [first, isLate, text, isAwaited, isOpen])
  const take = (): void => {
    if (isLate) setTyped({ ...typed, isAwaited: true })
    else combobox.clickSelectedOption()
  }
  return {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      wasMoved.current = false
      combobox.resetSelectedOption()
      setTyped({ text: event.currentTarget.value, isAwaited: false })
      combobox.openDropdown()
    },
    onClick: () => combobox.openDropdown(),
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
    onBlur: () => combobox.closeDropdown(),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (isErasing(event) && !text && onClear) {
        event.preventDefault()
        onClear()
      }
      if (!isOpen) wasMoved.current = false
      else if (isArrow(event)) wasMoved.current = true
      else if (event.key === 'Enter') {
        // The list itself handles Enter on a highlighted match.
        if (isSearch && isLate) {
          event.preventDefault()
          take()
        }
      } else if ((event.key === 'Tab' || isSaving(event)) && (isSearch || wasMoved.current)) take()
      if (isSaving(event)) combobox.closeDropdown()
    },
  }
}
