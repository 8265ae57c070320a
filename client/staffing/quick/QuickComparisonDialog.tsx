import { CloseButton, Skeleton } from '@mantine/core'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayFigure, toPennies } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { quickResultLines } from './quickRow.ts'

/** The difference from the first calculation. */
function Difference({ pennies }: { pennies: number }) {
  if (pennies === 0) return <span className={textStyles.dim}>same</span>
  return (
    <span className={pennies > 0 ? textStyles.up : textStyles.down}>
      {pennies > 0 ? '▲' : '▼'} {displayFigure(Math.abs(pennies))}
    </span>
  )
}

/** Quick calculations side by side, each compared with the first. */
export function QuickComparisonDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const loaded = trpc.useQueries((call) => ids.map((id) => call.quickCalculator.get({ id })))
  const rows = loaded.flatMap((one) => one.data ?? [])
  const first = rows?.[0]?.result[0]
  return (
    <Card aria-label="Comparison" style={{ marginBottom: 16 }}>
      <CardHead>
        Side by side {rows.length > 1 && <CardNote>against {assertDefined(rows[0]).name}</CardNote>}
        <span style={{ flex: 1 }} />
        <CloseButton onClick={onClose} aria-label="Close the comparison" />
      </CardHead>
      {rows.length < ids.length ? (
        <Skeleton height={200} />
      ) : (
        <div className={scrollStyles.scroll}>
          <DataTable
            columns={[
              { id: 'figure', label: 'Figure', isLabelHidden: true, cell: ({ label }) => label },
              ...createFigureColumns<(typeof quickResultLines)[number]>(
                rows.map(({ name }) => name),
                ({ key, isTotal }, index) => {
                  const result = assertDefined(rows[index]).result[0]
                  return (
                    <>
                      {result ? displayFigure(toPennies(result[key])) : <span className={textStyles.missing}>not calculated</span>}
                      {index > 0 && isTotal && result && first && (
                        <div>
                          <Difference pennies={toPennies(result[key]) - toPennies(first[key])} />
                        </div>
                      )}
                    </>
                  )
                },
              ),
            ]}
            rows={quickResultLines}
            look={({ isTotal }) => (isTotal ? 'total' : undefined)}
          />
        </div>
      )}
    </Card>
  )
}
