import { formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { type Chapter, formatPackCode } from '../../../../domain/packs/pack.ts'
import { buildPages, type PackBlock } from '../../../../domain/packs/pages.ts'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import { describeOutdatedCosts } from '../../../../domain/reports/outdatedCosts.ts'
import { displayCount, displayDateTime, exportFileName } from '../../../../domain/values/format.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import type { PaperBlock } from '../../../core/paper/document.ts'
import type { PaperReader, PaperSource, RequestedPaper } from '../../../core/paper/request.ts'
import { toReportTable } from '../../../shared/reports/rows.ts'
import { formatPackTitle, storePaper } from '../commands.ts'
import { loadPack } from '../queries.ts'

export interface PackPdfRequest {
  code: string
}

/** Chapters that start on the previous chapter's last page if they fit. */
const continuingChapters = new Set<Chapter>(['cover', 'explanations', 'cash', 'measures', 'decisions', 'signature'])

/**
 * Builds a pack for printing. A finished pack shows its stored figures; a draft shows the current ones and says so.
 * @throws DomainError as `findPack`; 403 for a reader who may no longer read reports
 */
export async function buildPackPaper({ tx, now }: PaperSource, reader: PaperReader, { code }: PackPdfRequest): Promise<RequestedPaper> {
  if (!hasAnyPermission(reader.holder, ['BudgetingReportsRead'])) throw forbidden()
  const { found, content, current } = await loadPack({ ...reader, tx }, code)
  const { item, locationId } = found
  const { figures, words, month } = content
  const { organisation, place, budgets } = figures
  const title = words.title || formatPackTitle(item)
  const of = place?.name ?? organisation
  const only = budgets.length === 1 ? budgets[0] : undefined
  const asAt = item.finished ? `As at ${displayDateTime(item.finished.at)}` : `Draft, ${displayDateTime(now)}`
  const pages = buildPages(content)
  const note = describeOutdatedCosts(current?.older ?? [])
  const { pins } = item.finished ?? {}
  return {
    fileName: exportFileName(`${title} ${of} ${formatMonth(month)}`, now).replace(/\.csv$/, ''),
    locationIds: locationId ? [locationId] : (pins?.logs ?? current?.budgets ?? []).map((one) => one.locationId).filter(Boolean),
    namesStaff: false,
    ...(item.finished ? { keep: (own, file) => storePaper({ tx: own, organisationId: reader.organisationId, now }, code, file) } : {}),
    paper: {
      title,
      subtitle: `${of} · ${formatMonth(month)}${current ? ' · Draft' : ''}`,
      author: reader.name,
      head: [organisation, ...(place ? [place.name, ...(place.dfeNumber ? [`DfE number ${place.dfeNumber}`] : [])] : [])].join(' · '),
      foot: [
        only ? `${only.name}${pins?.budgets[0] ? `, version ${pins.budgets[0].version}` : ''}` : displayCount(budgets.length, 'budget'),
        asAt,
        `Code ${formatPackCode(code)}`,
      ].join(' · '),
      blocks: [
        ...(note ? [{ kind: 'text' as const, text: note }] : []),
        ...pages.flatMap(({ chapter, title: heading, blocks }, index): PaperBlock[] => [
          ...(index && !continuingChapters.has(chapter) ? [{ kind: 'newPage' as const }] : []),
          ...(chapter === 'cover' ? [] : [{ kind: 'heading' as const, text: heading }]),
          ...blocks.map(onPaper),
        ]),
      ],
    },
  }
}

function onPaper(block: PackBlock): PaperBlock {
  if (block.kind !== 'table') return block
  const table = toReportTable(block.report)
  return {
    kind: 'table',
    table: {
      ...table,
      columns: table.columns.map((one) => (one.kind === 'money' ? { ...one, title: `${one.title} £` } : one)),
      hasPence: false,
    },
  }
}
