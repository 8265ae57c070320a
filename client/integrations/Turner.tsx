import { Button, Group } from '@mantine/core'
import { CardBody } from '../ui/layout/Card.tsx'

/** How many rows of what happened stand on a page. One more is asked for: it says whether there are older ones. */
export const pageRows = 50

interface TurnerProps {
  /** What was answered, the newest first. */
  rows: readonly { id: number }[] | undefined
  /** Where the pages begin that were turned to: each after the last row of the page before. */
  turned: readonly number[]
  onTurn: (turned: number[]) => void
  isTurning: boolean
}

/** Turns the pages of what happened, where there is more than one. */
export function Turner({ rows = [], turned, onTurn, isTurning }: TurnerProps) {
  const last = rows[pageRows - 1]
  const hasOlder = rows.length > pageRows
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
