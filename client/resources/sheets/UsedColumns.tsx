import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { confirmForgetSource } from './confirmForgetSource.tsx'

/** Shows how many columns of a file are used. The user can show the columns, and delete what was learned about the file's source. */
export function UsedColumns({
  used,
  of,
  startsOpen,
  learned,
  children,
}: {
  used: number
  of: number
  startsOpen: boolean
  /** The source, if the user may delete what was learned about it. */
  learned?: { name: string; forget: () => Promise<unknown>; isPending: boolean }
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <>
      <Button variant="subtle" size="compact-sm" mb="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the columns' : `Columns: ${used} of ${of} used`}
      </Button>
      {learned && (
        <Button
          variant="subtle"
          size="compact-sm"
          mb="xs"
          loading={learned.isPending}
          onClick={() => confirmForgetSource(learned.name, learned.forget)}
        >
          Forget what was learned about {learned.name}
        </Button>
      )}
      {isOpen && children}
    </>
  )
}
