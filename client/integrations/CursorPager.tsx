import { Button, Group } from '@mantine/core'
import { CardBody } from '../ui/layout/Card.tsx'

/** Rows per page. Each request asks for one row more, to find out whether there are older rows. */
export const rowsPerPage = 50

interface CursorPagerProps {
  /** Rows of the current page, newest first. */
  rows: readonly { id: number }[] | undefined
  /** Cursors of the pages visited after the first. Each is the id of the last row of the page before. */
  turned: readonly number[]
  onTurn: (turned: number[]) => void
  isTurning: boolean
}

/** Buttons for older and newer pages. Renders nothing if there is only one page. */
export function CursorPager({ rows = [], turned, onTurn, isTurning }: CursorPagerProps) {
  const last = rows[rowsPerPage - 1]
  const hasOlder = rows.length > rowsPerPage
  if (!turned.length && !hasOlder) return null
  return (
    <CardBody>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" disabled={!turned.length} onClick={() => onTurn(turned.slice(0, -1))}>
          Newer
        </Button>
        <Button size="compact-sm" variant="default" disabled={!hasOlder || isTurning} onClick={() => last && onTurn([...turned, last.id])}>
          Older
        </Button>
      </Group>
    </CardBody>
  )
}
