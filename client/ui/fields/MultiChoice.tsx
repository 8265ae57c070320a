import { Combobox, Pill, PillsInput, type PillsInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChoiceList, type ChoiceListProps, placeList } from './ChoiceList.tsx'
import { type ChoiceData, filterChoices, groupChoices } from './choices.ts'
import { type ServerSearch, useSelectKeys, useSelectState, useServerSearch } from './useChoosing.ts'

interface MultiChoiceProps<V extends string = string> extends Omit<PillsInputProps, 'value' | 'onChange'>, ChoiceListProps<V> {
  data: ChoiceData<V>
  value: readonly V[]
  onChange: (values: V[]) => void
  /** Whether all values can be cleared at once. */
  clearable?: boolean
  /** Called with text that no option matches when the field is left. Otherwise it is discarded. */
  onUnmatched?: (text: string) => void
  /** The most values that can be chosen. */
  maximum?: number
  /** Shown while no value is chosen. */
  placeholder?: string
  /** Searches on the server. `data` then contains only the matches of the typed text. */
  search?: ServerSearch
  /** Text of a chosen value, if `data` may not contain it; by default the label of its option. */
  nameOf?: (value: V) => string | undefined
  /** A detail shown beside the name of a chosen value. */
  renderBeside?: (value: V) => ReactNode
  chipClassName?: string
}

/** A searchable select for several values, shown as chips. It handles keys like the select for one value. */
export function MultiChoice<V extends string>({
  data,
  value,
  onChange,
  onUnmatched,
  clearable = false,
  maximum = Number.POSITIVE_INFINITY,
  placeholder,
  search,
  nameOf,
  renderBeside,
  chipClassName,
  nothingFoundMessage,
  renderOption,
  footer,
  isWide,
  withinPortal,
  rightSection,
  'aria-label': ariaLabel,
  ...input
}: MultiChoiceProps<V>) {
  const typing = useSelectState()
  const { combobox, typed, setTyped, isTyping } = typing
  const isFull = value.length >= maximum
  const groups = groupChoices(data)
  const options = groups.flatMap(({ items }) => items)
  const nameChosen = (one: V): string => nameOf?.(one) ?? options.find((option) => option.value === one)?.label ?? one
  const offered = (isTyping ? (search ? groups : filterChoices(groups, typed.text)) : []).map(({ group, items }) => ({
    group,
    items: items.map((item) => ({ ...item, disabled: item.disabled || (isFull && !value.includes(item.value)) })),
  }))
  useServerSearch(typing, search)
  const remove = (taken: V): void => onChange(value.filter((one) => one !== taken))
  const toggle = (taken: string): void => {
    const option = options.find((one) => one.value === taken)
    if (option) value.includes(option.value) ? remove(option.value) : onChange([...value, option.value])
  }
  const first = offered.flatMap(({ items }) => items).find((one) => !one.disabled)?.value
  const keys = useSelectKeys(typing, {
    first,
    isLate: search?.isLate,
    onTake: toggle,
    onClear: value.length ? () => onChange(value.slice(0, -1)) : undefined,
  })
  const label = ariaLabel ?? (typeof input.label === 'string' ? input.label : undefined)
  const canClear = clearable && value.length > 0 && !input.disabled
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(taken) => {
        toggle(taken)
        setTyped({ text: '', isAwaited: false })
        search?.onSearch('')
      }}
      size={input.size}
      {...placeList({ isWide, withinPortal })}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          {...input}
          onClick={() => combobox.openDropdown()}
          rightSection={
            rightSection === undefined ? (
              canClear ? (
                <Combobox.ClearButton size="sm" onClear={() => onChange([])} />
              ) : (
                <Combobox.Chevron />
              )
            ) : (
              rightSection
            )
          }
          rightSectionPointerEvents={canClear ? 'all' : 'none'}
        >
          <Pill.Group>
            {value.map((one) => (
              <Pill
                key={one}
                className={chipClassName}
                withRemoveButton={!input.disabled}
                onRemove={() => remove(one)}
                removeButtonProps={{ 'aria-label': `Remove ${nameChosen(one)}` }}
              >
                {nameChosen(one)} {renderBeside?.(one)}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                disabled={input.disabled}
                {...keys}
                onBlur={() => {
                  keys.onBlur()
                  if (onUnmatched && typed.text.trim() && first === undefined) {
                    setTyped({ text: '', isAwaited: false })
                    onUnmatched(typed.text)
                  }
                }}
                onChange={(event) => {
                  keys.onChange(event)
                  search?.onSearch(event.currentTarget.value)
                }}
                autoComplete="off"
                value={typed.text}
                placeholder={value.length ? undefined : placeholder}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <ChoiceList
        groups={offered}
        isOpen={isTyping}
        isLate={search?.isLate}
        isChosen={(one) => value.includes(one)}
        isMultiple
        label={label}
        nothingFoundMessage={nothingFoundMessage}
        renderOption={renderOption}
        footer={footer}
        isWide={isWide}
      />
    </Combobox>
  )
}
