import { CheckIcon, Combobox } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Choice.module.css'
import type { ChoiceGroup, ChoiceOption } from './choices.ts'

/** What a field offers to choose from, and how it looks. */
export interface ChoiceListProps<V extends string = string> {
  /** Shown if nothing matches the typed text. */
  nothingFoundMessage?: string
  /** Renders an option in the list; by default its label. */
  renderOption?: (option: ChoiceOption<V>) => ReactNode
  /** Shown below the options. */
  footer?: ReactNode
  /** Makes the list as wide as its options, from 240 to 480 pixels. */
  isWide?: boolean
  /** False keeps the list inside its container, such as a popover that closes on an outside click. */
  withinPortal?: boolean
}

/** The props of a combo box that place its list. */
export const placeList = ({ isWide, withinPortal }: ChoiceListProps) => ({
  withinPortal,
  ...(isWide && { width: 'max-content' as const, position: 'bottom-start' as const }),
})

/** The open list of a field with one value or several. */
export function ChoiceList<V extends string>({
  groups,
  isOpen,
  isLate = false,
  isChosen,
  isMultiple,
  label,
  nothingFoundMessage = 'Nothing to choose from.',
  renderOption,
  footer,
  isWide,
}: ChoiceListProps<V> & {
  groups: readonly ChoiceGroup<V>[]
  isOpen: boolean
  isLate?: boolean
  isChosen: (value: V) => boolean
  isMultiple?: boolean
  label: string | undefined
}) {
  const renderItem = (option: ChoiceOption<V>): ReactNode => {
    const chosen = isChosen(option.value)
    return (
      <Combobox.Option
        key={option.value}
        value={option.value}
        disabled={option.disabled}
        active={chosen}
        aria-selected={chosen}
        className={classes.option}
      >
        {chosen && <CheckIcon size={11} />}
        {renderOption ? renderOption(option) : option.label}
      </Combobox.Option>
    )
  }
  return (
    <Combobox.Dropdown miw={isWide ? 240 : undefined} maw={isWide ? 480 : undefined}>
      <Combobox.Options aria-label={label} aria-multiselectable={isMultiple}>
        {groups.map(({ group, items }) =>
          group === null ? (
            items.map(renderItem)
          ) : (
            <Combobox.Group key={group} label={group}>
              {items.map(renderItem)}
            </Combobox.Group>
          ),
        )}
        {isOpen && !groups.length && <Combobox.Empty>{isLate ? 'Searching' : nothingFoundMessage}</Combobox.Empty>}
      </Combobox.Options>
      {isOpen && footer && <Combobox.Footer>{footer}</Combobox.Footer>}
    </Combobox.Dropdown>
  )
}
