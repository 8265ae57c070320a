import { Combobox, InputBase, type InputBaseProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { ChoiceList, type ChoiceListProps, placeList } from './ChoiceList.tsx'
import { type ChoiceData, filterChoices, groupChoices } from './choices.ts'
import { type ServerSearch, useSelectKeys, useSelectState, useServerSearch } from './useChoosing.ts'

type InputProps = Omit<
  ComponentPropsWithoutRef<'input'>,
  keyof InputBaseProps | 'value' | 'defaultValue' | 'onChange' | 'onSelect' | 'list'
> &
  InputBaseProps

export interface ChoiceProps<V extends string = string> extends InputProps, ChoiceListProps<V> {
  data: ChoiceData<V>
  value: V | null
  onChange: (value: V | null) => void
  /** Whether the value can be cleared. */
  clearable?: boolean
  /** Searches on the server. `data` then contains only the matches of the typed text. */
  search?: ServerSearch
  /** Opens the list as soon as the field has the focus. */
  openOnFocus?: boolean
  /** Text of the chosen value, if `data` may not contain it; by default the label of its option. */
  shown?: string
}

/**
 * A searchable select for one value. All selects handle keys alike: see `useSelectKeys`. The options are rendered only
 * while the list is open.
 */
export function Choice<V extends string>({
  data,
  value,
  onChange,
  clearable = false,
  nothingFoundMessage,
  renderOption,
  footer,
  isWide,
  withinPortal,
  search,
  shown: givenText,
  openOnFocus = false,
  placeholder,
  rightSection,
  onKeyDown,
  ...input
}: ChoiceProps<V>) {
  const typing = useSelectState()
  const { combobox, typed, isTyping } = typing
  const groups = groupChoices(data)
  const options = groups.flatMap(({ items }) => items)
  const shown = givenText ?? options.find((one) => one.value === value)?.label ?? ''
  const offered = isTyping ? (search ? groups : filterChoices(groups, typed.text)) : []
  useServerSearch(typing, search)
  const canClear = clearable && value !== null && !input.disabled && !input.readOnly
  const choose = (chosenValue: string): void => {
    const option = options.find((one) => one.value === chosenValue)
    if (option && chosenValue !== value) onChange(option.value)
  }
  const keys = useSelectKeys(typing, {
    first: offered.flatMap(({ items }) => items).find((one) => !one.disabled)?.value,
    isLate: search?.isLate,
    onTake: choose,
    onClear: canClear ? () => onChange(null) : undefined,
  })
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(taken) => {
        choose(taken)
        combobox.closeDropdown()
      }}
      size={input.size}
      {...placeList({ isWide, withinPortal })}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          {...keys}
          onFocus={(event) => {
            keys.onFocus(event)
            if (openOnFocus) combobox.openDropdown()
          }}
          onKeyDown={(event) => {
            onKeyDown?.(event)
            if (!event.isDefaultPrevented()) keys.onKeyDown(event)
          }}
          onChange={(event) => {
            keys.onChange(event)
            search?.onSearch(event.currentTarget.value)
          }}
          autoComplete="off"
          value={isTyping ? typed.text : shown}
          placeholder={(isTyping && (shown || (search && 'Type to search'))) || placeholder}
          rightSection={
            rightSection ?? (canClear ? <Combobox.ClearButton size="sm" onClear={() => onChange(null)} /> : <Combobox.Chevron />)
          }
          rightSectionPointerEvents={rightSection || canClear ? 'all' : 'none'}
        />
      </Combobox.Target>
      <ChoiceList
        groups={offered}
        isOpen={isTyping}
        isLate={search?.isLate}
        isChosen={(one) => one === value}
        label={input['aria-label'] ?? (typeof input.label === 'string' ? input.label : undefined)}
        nothingFoundMessage={nothingFoundMessage}
        renderOption={renderOption}
        footer={footer}
        isWide={isWide}
      />
    </Combobox>
  )
}
