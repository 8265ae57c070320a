import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { displayCount } from '../../../domain/values/format.ts'
import { type Term, toMidSentence } from '../../../domain/words/terms.ts'
import type { ImportDialog as Dialog } from '../../resources/import/ImportDialog.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'

const ImportDialog = lazyComponent(() => import('../../resources/import/ImportDialog.tsx'), 'ImportDialog')

/** A short table of the records that already exist, with an import for more records and a button to the next step. */
export function ExistingRecordsCard({
  term,
  none,
  headings,
  rows,
  file,
  onDone,
}: {
  /** The term for the kind of record. */
  term: Term
  /** Shown if there are no records. */
  none: string
  headings: readonly string[]
  rows: readonly { key: number; cells: readonly ReactNode[] }[]
  /** The import that adds more records. */
  file: Pick<ComponentProps<typeof Dialog>, 'resource' | 'calls' | 'usual'>
  onDone: () => void
}) {
  const [isImporting, setImporting] = useState(false)
  const title = rows.length ? displayCount(rows.length, toMidSentence(term.singular), toMidSentence(term.plural)) : term.plural
  return (
    <>
      <Card aria-label={title}>
        <CardHead>
          {title}
          <span style={{ flex: 1 }} />
          <Button variant="default" size="compact-md" onClick={() => setImporting(true)}>
            Import a file
          </Button>
          <Button size="compact-md" variant={rows.length ? 'filled' : 'default'} onClick={onDone}>
            {rows.length ? 'Next' : 'Skip for now'}
          </Button>
        </CardHead>
        {rows.length ? (
          <DataTable
            isWrapped
            minWidth={560}
            maxHeight={320}
            columns={headings.map((label, at) => ({ id: String(at), label, cell: ({ cells }: (typeof rows)[number]) => cells[at] }))}
            rows={rows}
            keyOf={({ key }) => key}
          />
        ) : (
          <CardBody className={textStyles.dim}>{none}</CardBody>
        )}
      </Card>
      {isImporting && (
        <PageSection height={0}>
          <ImportDialog {...file} isHidden={() => false} onClose={() => setImporting(false)} />
        </PageSection>
      )}
    </>
  )
}
