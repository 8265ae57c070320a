import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import textStyles from '../ui/labels/text.module.css'
import { listColumnFigures, type TreeColumns, type TreeFigure } from './treeFigures.ts'

/** The rows of which the figures of one code are made up, each with a link to the screen where it is entered. */
export function SourceRows({
  codeId,
  columns,
  width,
  shown,
  onComment,
}: {
  codeId: number | null
  columns: TreeColumns
  width: number
  shown: (figures: readonly TreeFigure[]) => readonly ReactNode[]
  /** Opens the comments on the code; null if the code cannot have comments. */
  onComment: (() => void) | null
}) {
  const may = usePermissionCheck()
  const query = trpc.overview.sources.useQuery({ codeId })
  const note = (text: string) => (
    <tr>
      <td colSpan={width + 1} style={{ paddingLeft: 72 }} className={textStyles.dim}>
        {text}
      </td>
    </tr>
  )
  if (query.isError) return note(toPublicError(query.error).message)
  if (!query.data) return note('Reading…')
  const pathOf = (kind: string, id: string): string | null => {
    if (kind === 'contract') return `/staffing/staff-contracts/${id}/cost`
    if (kind === 'entry' && may(['BudgetingNonStaffingReadUpdate'])) return `/non-staffing/budget-entries/${id}`
    if (kind === 'transfer' && may(['BudgetingNonStaffingRead', 'BudgetingNonStaffingReadUpdate'])) return '/non-staffing/budget-entries'
    return null
  }
  return (
    <>
      {query.data.map((source) => {
        const path = pathOf(source.kind, source.id)
        return (
          <tr key={`${source.kind} ${source.id}`}>
            <th scope="row" style={{ paddingLeft: 72 }}>
              {path ? (
                <Link to={path} data-stop tabIndex={-1}>
                  {source.name}
                </Link>
              ) : (
                source.name
              )}
            </th>
            {shown(listColumnFigures(source, columns)).map((figure, column) => (
              <td key={column} data-figure>
                {figure}
              </td>
            ))}
          </tr>
        )
      })}
      {onComment && (
        <tr className={textStyles.unprinted}>
          <td colSpan={width + 1} style={{ paddingLeft: 72 }}>
            <Button variant="subtle" size="compact-sm" ml={-8} data-stop tabIndex={-1} onClick={onComment}>
              Comments
            </Button>
          </td>
        </tr>
      )}
    </>
  )
}
