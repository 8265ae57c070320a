import { Combobox, Text, useCombobox } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { SelectionButton, type SelectionLevel } from './SelectionButton.tsx'

/** The searchable list of one level of the selection. It opens when it mounts, with the focus in the search field. */
export function SelectionList(level: SelectionLevel) {
  const { term, items, value, onChoose } = level
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => setSearch(''), onDropdownOpen: () => combobox.focusSearchInput() })
  const open = useEffectEvent(() => combobox.openDropdown())
  useEffect(() => open(), [])
  const shown = items.filter((item) => item.name.toLowerCase().includes(search.trim().toLowerCase())).slice(0, 200)
  const choose = (id: string): void => {
    combobox.closeDropdown()
    if (id !== value) void onChoose(id)
  }
  return (
    <Combobox store={combobox} width={300} position="bottom-start" onOptionSubmit={choose}>
      <Combobox.Target withAriaAttributes={false}>
        <SelectionButton {...level} aria-expanded={combobox.dropdownOpened} onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The button that had the focus is gone, because this list has replaced it.
            if (event.key === 'Escape') combobox.focusTarget()
          }}
          placeholder={`Search ${toMidSentence(term.plural)}`}
          aria-label={`Search ${toMidSentence(term.plural)}`}
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
        />
        <Combobox.Options aria-label={term.singular}>
          {shown.length ? (
            shown.map((item) => (
              <Combobox.Option key={item.id} value={item.id} active={item.id === value} aria-selected={item.id === value}>
                <Text size="sm" fw={item.id === value ? 600 : 400}>
                  {item.name}
                </Text>
                {item.note && (
                  <Text size="xs" c="dimmed">
                    {item.note}
                  </Text>
                )}
              </Combobox.Option>
            ))
          ) : (
            <Combobox.Empty>Nothing matches.</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
