import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { displayNumber } from '../../../domain/values/format.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import cardStyles from '../../ui/layout/Card.module.css'
import { createPageSizeOptions, parsePageSize } from './listState.ts'
import { findPageNumber } from './pageFit.ts'
import type { PageSize } from './usePageSize.ts'

/** Buttons for the pages of a list, and a select for the page size, which applies to every list. */
export function ListPager({
  total,
  firstRow,
  size,
  onFirstRow,
}: {
  total: number
  /** Number of rows before the first row shown. */
  firstRow: number
  size: PageSize
  onFirstRow: (firstRow: number) => void
}) {
  const before = (findPageNumber(firstRow, size.rows) - 1) * size.rows
  const after = before + size.rows
  return (
    <Group className={cardStyles.end} gap={10}>
      <Choice
        aria-label="Rows per page"
        size="xs"
        w={136}
        data={createPageSizeOptions((rows) => `${rows} per page`)}
        value={String(size.choice)}
        onChange={(choice) => size.choose(parsePageSize(choice))}
      />
      <span aria-live="polite">
        {displayNumber(Math.min(total, before + 1))}–{displayNumber(Math.min(total, after))} of {displayNumber(total)}
      </span>
      <Button.Group>
        <Button
          variant="default"
          size="compact-sm"
          aria-label="Previous page"
          disabled={before === 0}
          onClick={() => onFirstRow(before - size.rows)}
        >
          <IconChevronLeft size={15} />
        </Button>
        <Button variant="default" size="compact-sm" aria-label="Next page" disabled={after >= total} onClick={() => onFirstRow(after)}>
          <IconChevronRight size={15} />
        </Button>
      </Button.Group>
    </Group>
  )
}
