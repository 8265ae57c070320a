import type { PackPage } from '../../../domain/packs/pages.ts'
import { toPoundsRow } from '../../shared/reports/rows.ts'

/** Pages as the API shows them: money in pounds. */
export function presentPages(pages: readonly PackPage[]): PackPage[] {
  return pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) =>
      block.kind === 'table'
        ? {
            ...block,
            report: { ...block.report, rows: block.report.rows.map((row) => ({ ...row, values: toPoundsRow(block.report, row) })) },
          }
        : block,
    ),
  }))
}
