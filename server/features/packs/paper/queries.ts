import { formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { formatPackCode } from '../../../../domain/packs/pack.ts'
import { buildPages, type PackBlock, type PackPage } from '../../../../domain/packs/pages.ts'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import { describeOutdatedCosts } from '../../../../domain/reports/outdatedCosts.ts'
import { buildExportFileName, displayCount, displayDateTime } from '../../../../domain/values/format.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import type { DocumentBlock } from '../../../core/paper/document.ts'
import type { DocumentReader, DocumentSource, RequestedDocument } from '../../../core/paper/request.ts'
import { readLogo } from '../../../shared/images/queries.ts'
import { toReportTable } from '../../../shared/reports/rows.ts'
import { formatPackTitle, storePackPdf } from '../commands.ts'
import { loadPack } from '../queries.ts'

export interface PackPdfRequest {
  code: string
}

/** A table with more columns needs a landscape page. */
const mostPortraitColumns = 6

/**
 * Builds a pack for printing. A finished pack shows its stored figures; a draft shows the current ones and says so.
 * @throws DomainError as `findPack`; 403 for a reader who may no longer read reports
 */
export async function buildPackDocument(
  { tx, now }: DocumentSource,
  reader: DocumentReader,
  { code }: PackPdfRequest,
): Promise<RequestedDocument> {
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
    fileName: buildExportFileName(`${title} ${of} ${formatMonth(month)}`, now).replace(/\.csv$/, ''),
    locationIds: locationId ? [locationId] : (pins?.logs ?? current?.budgets ?? []).map((one) => one.locationId).filter(Boolean),
    namesStaff: false,
    ...(item.finished ? { keep: (own, file) => storePackPdf({ tx: own, organisationId: reader.organisationId, now }, code, file) } : {}),
    paper: {
      title,
      layout: 'portrait',
      owner: { name: of, logo: await readLogo(tx, reader.organisationId, locationId) },
      subtitle: `${formatMonth(month)}${current ? ' · Draft' : ''}`,
      author: reader.name,
      head: [organisation, ...(place ? [place.name, ...(place.dfeNumber ? [`DfE number ${place.dfeNumber}`] : [])] : [])].join(' · '),
      foot: [
        only ? `${only.name}${pins?.budgets[0] ? `, version ${pins.budgets[0].version}` : ''}` : displayCount(budgets.length, 'budget'),
        asAt,
        `Code ${formatPackCode(code)}`,
      ].join(' · '),
      blocks: [
        ...(note ? [{ kind: 'text' as const, text: note }] : []),
        ...pages.flatMap((page, index) => layOutPage(page, { before: pages[index - 1], after: pages[index + 1] })),
      ],
    },
  }
}

const isWide = ({ blocks }: PackPage): boolean =>
  blocks.some((block) => block.kind === 'table' && block.report.columns.length >= mostPortraitColumns)

/** A printed chapter. Wide tables are on landscape pages; all other chapters follow one another. */
function layOutPage(page: PackPage, { before, after }: { before: PackPage | undefined; after: PackPage | undefined }): DocumentBlock[] {
  const { chapter, title, blocks } = page
  const layout = isWide(page) ? 'landscape' : 'portrait'
  const isTurned = before && (isWide(before) !== isWide(page) || before.chapter === 'cover')
  // Decisions and signatures are on one page if it can hold them.
  const keeps = chapter === 'signature' ? blocks.length : chapter === 'decisions' && after?.chapter === 'signature' ? blocks.length + 2 : 0
  return [
    ...(isTurned ? [{ kind: 'newPage' as const, layout } as const] : []),
    ...(chapter === 'cover' ? [] : [{ kind: 'heading' as const, text: title, keeps }]),
    ...blocks.flatMap(onPaper),
  ]
}

function onPaper(block: PackBlock): DocumentBlock[] {
  if (block.kind === 'headlines')
    return [
      { kind: 'tiles', tiles: block.headlines },
      { kind: 'lead', text: block.sentence },
    ]
  if (block.kind !== 'table') return [block]
  const table = toReportTable(block.report)
  return [
    {
      kind: 'table',
      table: {
        ...table,
        columns: table.columns.map((one) => (one.kind === 'money' ? { ...one, title: `${one.title} £` } : one)),
        hasPence: false,
      },
    },
  ]
}
