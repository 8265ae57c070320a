import { CheckIcon, Combobox, type ComboboxProps, InputBase, type InputBaseProps } from '@mantine/core'
import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useEffectEvent } from 'react'
import classes from './Choice.module.css'
import { type ChoiceData, type ChoiceOption, filterChoices, groupChoices } from './choices.ts'
import { useSelectKeys, useSelectState } from './useChoosing.ts'

type InputProps = Omit<
  ComponentPropsWithoutRef<'input'>,
  keyof InputBaseProps | 'value' | 'defaultValue' | 'onChange' | 'onSelect' | 'list'
> &
  InputBaseProps

export interface ChoiceProps<V extends string = string> extends InputProps {
  data: ChoiceData<V>
  value: V | null
  onChange: (value: V | null) => void
  /** Whether the value can be cleared. */
  clearable?: boolean
  /** Shown if nothing matches the typed text. */
  nothingFoundMessage?: string
  /** Renders an option in the list; by default its label. */
  renderOption?: (option: ChoiceOption<V>) => ReactNode
  /** Searches on the server. `data` then contains only the matches of the typed text. */
  search?: { onSearch: (text: string) => void; isLate: boolean }
  /** Opens the list as soon as the field has the focus. */
  openOnFocus?: boolean
  /** Text of the chosen value, if `data` may not contain it; by default the label of its option. */
  shown?: string
  comboboxProps?: Pick<ComboboxProps, 'width' | 'position' | 'withinPortal'>
}

/**
 * A searchable select for one value. All searchable selects handle keys alike: see `useSelectKeys`. The options are
 * rendered only while the list is open.
 */
export function Choice<V extends string>({
  data,
  value,
  onChange,
  clearable = false,
  nothingFoundMessage = 'Nothing to choose from.',
  renderOption,
  search,
  shown: givenText,
  comboboxProps,
  openOnFocus = false,
  placeholder,
  rightSection,
  ...input
}: ChoiceProps<V>) {
  const typing = useSelectState()
  const { combobox, typed, isTyping } = typing
  const groups = groupChoices(data)
  const options = groups.flatMap(({ items }) => items)
  const shown = givenText ?? options.find((one) => one.value === value)?.label ?? ''
  const offered = isTyping ? (search ? groups : filterChoices(groups, typed.text)) : []
  const forgetSearch = useEffectEvent(() => search?.onSearch(''))
  useEffect(() => {
    if (!isTyping) forgetSearch()
  }, [isTyping])
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
  const renderItem = (option: ChoiceOption<V>): ReactNode => (
    <Combobox.Option
      key={option.value}
      value={option.value}
      disabled={option.disabled}
      active={option.value === value}
      aria-selected={option.value === value}
      className={classes.option}
    >
      {option.value === value && <CheckIcon size={11} />}
      {renderOption ? renderOption(option) : option.label}
    </Combobox.Option>
  )
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(taken) => {
        choose(taken)
        combobox.closeDropdown()
      }}
      size={input.size}
      {...comboboxProps}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          {...keys}
          onFocus={(event) => {
            keys.onFocus(event)
            if (openOnFocus) combobox.openDropdown()
          }}
          onChange={(event) => {
            keys.onChange(event)
            search?.onSearch(event.currentTarget.value)
          }}
          autoComplete="off"
          value={isTyping ? typed.text : shown}
          placeholder={(isTyping && shown) || placeholder}
          rightSection={
            rightSection ?? (canClear ? <Combobox.ClearButton size="sm" onClear={() => onChange(null)} /> : <Combobox.Chevron />)
          }
          rightSectionPointerEvents={canClear ? 'all' : 'none'}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={input['aria-label'] ?? (typeof input.label === 'string' ? input.label : undefined)}>
          {offered.map(({ group, items }) =>
            group === null ? (
              items.map(renderItem)
            ) : (
              <Combobox.Group key={group} label={group}>
                {items.map(renderItem)}
              </Combobox.Group>
            ),
          )}
          {isTyping && !offered.length && <Combobox.Empty>{search?.isLate ? 'Searching' : nothingFoundMessage}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
