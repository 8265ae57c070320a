import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { toMidSentence } from '../../../domain/words/terms.ts'
import classes from './SelectionBar.module.css'

interface Item {
  id: string
  name: string
  note?: string
}

/** One level of the selection: the chosen item, and the items to choose from. */
export interface SelectionLevel {
  term: { singular: string; plural: string }
  items: Item[]
  value: string | null
  onChoose: (id: string) => Promise<void>
  strong?: boolean
}

/** A button with the chosen item of a level, which opens the list of items. */
export function SelectionButton({
  term,
  items,
  value,
  onChoose: _onChoose,
  strong,
  ...props
}: SelectionLevel & Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'onPointerEnter' | 'onFocus' | 'aria-expanded'>) {
  const chosen = items.find((item) => item.id === value)
  return (
    <Button
      {...props}
      variant={strong ? 'light' : 'subtle'}
      color={strong ? 'teal' : 'gray'}
      c={strong ? undefined : 'var(--ink)'}
      size="compact-md"
      classNames={{ label: classes.name }}
      fw={strong ? 600 : 400}
      aria-label={`${term.singular}: ${chosen?.name ?? 'none'}`}
      aria-haspopup="listbox"
      rightSection={<IconChevronDown size={14} />}
      disabled={!items.length}
    >
      {chosen?.name ?? (items.length ? `Choose ${toMidSentence(term.singular)}` : `No ${toMidSentence(term.singular)}`)}
    </Button>
  )
}
