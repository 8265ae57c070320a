import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card, CardBody, CardHead } from '../../ui/Card.tsx'
import textStyles from '../../ui/text.module.css'

/** What stands already, as a short table, and what else can be done with it. */
export function StandingCard({
  title,
  none,
  headings,
  rows,
  actions,
}: {
  title: string
  /** What is said where nothing stands. */
  none: string
  headings: readonly string[]
  rows: readonly { key: number; cells: readonly ReactNode[] }[]
  actions: ReactNode
}) {
  return (
    <Card aria-label={title}>
      <CardHead>
        {title}
        <span style={{ flex: 1 }} />
        {actions}
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
  )
}
