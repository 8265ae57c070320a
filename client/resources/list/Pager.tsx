import { Button, Group, Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { displayNumber } from '../../../domain/format.ts'
import { pageSizes } from '../../../domain/notices.ts'
import cardStyles from '../../ui/Card.module.css'
import { storedPageSize, storePageSize } from './listState.ts'

/** Which page of a list, and how many rows a page; the choice holds for every list. */
export function Pager({
  total,
  pageNumber,
  pageSize,
  onPage,
  onPageSize,
}: {
  total: number
  pageNumber: number
  pageSize: number
  onPage: (pageNumber: number) => void
  onPageSize: (pageSize: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const from = total === 0 ? 0 : (pageNumber - 1) * pageSize + 1
  return (
    <Group className={cardStyles.end} gap={10}>
      <Select
        aria-label="Rows a page"
        size="xs"
        w={118}
        data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
        value={String(pageSize)}
        allowDeselect={false}
        onChange={(size) => {
          storePageSize(Number(size))
          onPageSize(storedPageSize())
        }}
      />
      <span aria-live="polite">
        {displayNumber(from)}–{displayNumber(Math.min(total, pageNumber * pageSize))} of {displayNumber(total)}
      </span>
      <Button.Group>
        <Button
          variant="default"
          size="compact-sm"
          aria-label="Page before"
          disabled={pageNumber <= 1}
          onClick={() => onPage(pageNumber - 1)}
        >
          <IconChevronLeft size={15} />
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label="Next page"
          disabled={pageNumber >= pages}
          onClick={() => onPage(pageNumber + 1)}
        >
          <IconChevronRight size={15} />
        </Button>
      </Button.Group>
    </Group>
  )
}
