import { type ComboboxStore, useCombobox } from '@mantine/core'
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

/** The text typed into a select to filter its options. */
interface Typed {
  text: string
  /** Whether Enter, Tab or Ctrl+S was pressed before the matches of this text arrived. The first match is chosen as soon as they arrive. */
  isAwaited: boolean
}

const nothingTyped: Typed = { text: '', isAwaited: false }

/** The state of a searchable select: its list, and the text typed to filter it. */
export interface SelectState {
  combobox: ComboboxStore
  typed: Typed
  setTyped: (typed: Typed) => void
  /** Whether the field shows the typed text instead of the chosen value. */
  isTyping: boolean
}

/** The state of a searchable select. The typed text is cleared when the list closes. */
export function useSelectState(): SelectState {
  const [typed, setTyped] = useState(nothingTyped)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped((now) => (now.isAwaited ? now : nothingTyped))
    },
  })
  return { combobox, typed, setTyped, isTyping: combobox.dropdownOpened || typed.isAwaited }
}

/** A search on the server for what a select offers. */
export interface ServerSearch {
  /** Receives the typed text when the list opens and at each change, and null when it closes. */
  onSearch: (text: string | null) => void
  /** Whether the matches of the typed text have not arrived yet. */
  isLate: boolean
}

/** Tells the search on the server that the list has opened or closed. The field tells it of typing at once, so that it is late before Enter. */
export function useServerSearch({ typed, isTyping }: SelectState, search: ServerSearch | undefined): void {
  const tell = useEffectEvent(() => search?.onSearch(isTyping ? typed.text : null))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list opens or closes
  useEffect(() => tell(), [isTyping])
}

/** Ctrl+S saves the surrounding form and leaves the focus here. */
const isSaving = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key.toLowerCase() === 's' && (ctrlKey || metaKey)
const isArrow = ({ key }: KeyboardEvent): boolean => key === 'ArrowDown' || key === 'ArrowUp'
const isErasing = ({ key }: KeyboardEvent): boolean => key === 'Delete' || key === 'Backspace'

/**
 * The keyboard handling of every searchable select. Typing replaces the text and highlights the first match. Enter and
 * Tab choose the highlighted match, and Ctrl+S chooses it before it saves. Escape, or leaving without typing, keeps the
 * chosen value.
 * @param first the value of the first match; undefined if nothing matches
 * @param isLate whether the matches of the typed text have not arrived yet
 * @param onTake is called with the first match if a key chose it before it arrived; otherwise `onOptionSubmit` is called
 * @param onClear clears the value; undefined if it cannot be empty
 */
export function useSelectKeys(
  { combobox, typed, setTyped }: SelectState,
  {
    first,
    isLate = false,
    onTake,
    onClear,
  }: { first: string | undefined; isLate?: boolean; onTake: (value: string) => void; onClear?: () => void },
) {
  const hasMoved = useRef(false)
  const { text, isAwaited } = typed
  const isSearch = text.trim() !== ''
  const isOpen = combobox.dropdownOpened
  // Runs again for every new text, because each text has another first match.
  const highlight = useEffectEvent((search: string) => (search.trim() ? combobox.selectFirstOption() : combobox.selectActiveOption()))
  const chooseAwaited = useEffectEvent((match: string | undefined) => {
    setTyped(nothingTyped)
    combobox.closeDropdown()
    if (match !== undefined) onTake(match)
  })
  useEffect(() => {
    if (isLate) return
    if (isAwaited) chooseAwaited(first)
    else if (isOpen && first !== undefined) highlight(text)
  }, [first, isLate, text, isAwaited, isOpen])
  const chooseHighlighted = (): void => {
    if (isLate) setTyped({ ...typed, isAwaited: true })
    else combobox.clickSelectedOption()
  }
  return {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      hasMoved.current = false
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
      if (!isOpen) hasMoved.current = false
      else if (isArrow(event)) hasMoved.current = true
      else if (event.key === 'Enter') {
        // The list itself handles Enter on a highlighted match.
        if (isSearch && isLate) {
          event.preventDefault()
          chooseHighlighted()
        }
      } else if ((event.key === 'Tab' || isSaving(event)) && (isSearch || hasMoved.current)) chooseHighlighted()
      if (isSaving(event)) combobox.closeDropdown()
    },
  }
}
