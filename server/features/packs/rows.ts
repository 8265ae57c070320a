import type { PackBlock, PackPage } from '../../../domain/packs/pages.ts'
import { toPounds } from '../../../domain/values/format.ts'
import { toPoundsRow } from '../../shared/reports/rows.ts'

const inPounds = (values: readonly (number | null)[]): (number | null)[] => values.map((value) => (value === null ? null : toPounds(value)))

function presentBlock(block: PackBlock): PackBlock {
  if (block.kind === 'table') {
    const { report } = block
    return { ...block, report: { ...report, rows: report.rows.map((row) => ({ ...row, values: toPoundsRow(report, row) })) } }
  }
  if (block.kind !== 'chart') return block
  const { chart } = block
  return { ...block, chart: { ...chart, values: inPounds(chart.values), policy: chart.policy && inPounds(chart.policy) } }
}

/** Pages as the API shows them: money in pounds. */
export function presentPages(pages: readonly PackPage[]): PackPage[] {
  return pages.map((page) => ({ ...page, blocks: page.blocks.map(presentBlock) }))
}
