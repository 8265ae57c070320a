import { Button, Table } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { displayCount } from '../../../domain/values/format.ts'
import { type Term, toMidSentence } from '../../../domain/words/terms.ts'
import type { ImportDialog as Dialog } from '../../resources/import/ImportDialog.tsx'
import { lazyPart } from '../../shell/loadPart.ts'
import { Part } from '../../shell/Part.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'

const ImportDialog = lazyPart(() => import('../../resources/import/ImportDialog.tsx'), 'ImportDialog')

/** What already exists, as a short table, with an import for more and a button to the next step. */
export function StandingCard({
  term,
  none,
  headings,
  rows,
  file,
  onDone,
}: {
  /** The kind of record counted. */
  term: Term
  /** Shown when there are none. */
  none: string
  headings: readonly string[]
  rows: readonly { key: number; cells: readonly ReactNode[] }[]
  /** What the import creates. */
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
          <Table.ScrollContainer minWidth={560} mah={320}>
            <Table stickyHeader verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  {headings.map((heading) => (
                    <Table.Th key={heading} fw={500}>
                      {heading}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ key, cells }) => (
                  <Table.Tr key={key}>
                    {cells.map((cell, at) => (
                      <Table.Td key={headings[at]}>{cell}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : (
          <CardBody className={textStyles.dim}>{none}</CardBody>
        )}
      </Card>
      {isImporting && (
        <Part height={0}>
          <ImportDialog {...file} isHidden={() => false} onClose={() => setImporting(false)} />
        </Part>
      )}
    </>
  )
}
