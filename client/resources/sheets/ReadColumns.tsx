import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { confirmForget } from './confirmForget.tsx'

/** How many columns of a file are used, to be opened, and what was learned of its source before, to be forgotten. */
export function ReadColumns({
  used,
  of,
  startsOpen,
  learned,
  children,
}: {
  used: number
  of: number
  startsOpen: boolean
  /** The source of the file, where something was learned of it and one may forget it. */
  learned?: { name: string; forget: () => Promise<unknown>; isPending: boolean }
  /** The columns. */
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <>
      <Button variant="subtle" size="compact-sm" mb="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the columns' : `Columns: ${used} of ${of} are used`}
      </Button>
      {learned && (
        <Button
          variant="subtle"
          size="compact-sm"
          mb="xs"
          loading={learned.isPending}
          onClick={() => confirmForget(learned.name, learned.forget)}
        >
          Forget what was learned of {learned.name}
        </Button>
      )}
      {isOpen && children}
    </>
  )
}
