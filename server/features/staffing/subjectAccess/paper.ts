import { dayInLondon, displayDate, displayDateTime } from '../../../../domain/values/format.ts'
import type { DocumentBlock, PrintableDocument } from '../../../core/paper/document.ts'
import type { ColumnKind } from '../../../core/workbook.ts'
import type { AccessPack } from './queries.ts'

type Column = readonly [title: string, kind: ColumnKind]
type Row = readonly (string | number | null)[]

/** A section of the pack: a table, or the sentence `none` if there is no data. */
function buildSection(
  heading: string,
  { columns, rows, none }: { columns: readonly Column[]; rows: readonly Row[]; none: string },
): DocumentBlock[] {
  return [
    { kind: 'heading', text: heading },
    rows.length
      ? {
          kind: 'table',
          table: { columns: columns.map(([title, kind]) => ({ title, kind })), rows: rows.map((cells) => ({ cells })), hasPence: true },
        }
      : { kind: 'text', text: none },
  ]
}

/** Lays out a pack for the person it is about. @param author the name of the user who made it */
export function layOutAccessPack(pack: AccessPack, author: string): PrintableDocument {
  const valueIn = (field: string): string => pack.person.find((one) => one.field === field)?.value ?? ''
  const name = `${valueIn('Forename')} ${valueIn('Surname')}`
  const createdSentence = `Created on ${displayDate(dayInLondon(pack.madeAt))}`
  return {
    title: 'Data held about you',
    subtitle: `${name} · employee ${valueIn('Employee number')}`,
    author,
    head: pack.organisation,
    foot: `Subject-access pack · ${createdSentence}`,
    blocks: [
      {
        kind: 'text',
        text: `This is everything that ${pack.organisation} holds about ${name} in Bursar, its budgeting software, to plan and check the cost of staff. Figures are in pounds.`,
      },
      { kind: 'heading', text: 'Record' },
      { kind: 'facts', facts: pack.person.map(({ field, value }) => [field, value || 'not held'] as const) },
      ...buildSection('Contracts in budgets', {
        columns: [
          ['Budget', 'text'],
          ['Location', 'text'],
          ['Contract', 'text'],
          ['Position', 'text'],
          ['From', 'date'],
          ['To', 'date'],
          ['Notes', 'text'],
        ],
        rows: pack.contracts.map(({ budget, location, name: contract, position, from, to, notes }) => [
          budget,
          location,
          contract,
          position,
          from,
          to,
          notes,
        ]),
        none: 'No contracts are held.',
      }),
      ...buildSection('Pay in the contracts', {
        columns: [
          ['Budget and contract', 'text'],
          ['From', 'date'],
          ['Scale point', 'text'],
          ['Full-time equivalent', 'ratio'],
          ['Hours a week', 'ratio'],
          ['Weeks a year', 'ratio'],
        ],
        rows: pack.contracts.flatMap(({ budget, name: contract, rows }) =>
          rows.map((row) => [`${budget} · ${contract}`, row.from, row.scalePoint, row.fte, row.hoursPerWeek, row.weeksPerYear]),
        ),
        none: 'No pay is held.',
      }),
      ...buildSection('Planned cost of the contracts', {
        columns: [
          ['Budget and contract', 'text'],
          ['Year', 'text'],
          ['Cost', 'money'],
        ],
        rows: pack.contracts.flatMap(({ budget, name: contract, costs }) =>
          costs.map(({ year, pounds }) => [`${budget} · ${contract}`, year, pounds ?? 'not calculated']),
        ),
        none: 'No costs are held.',
      }),
      ...buildSection('Extended leave', {
        columns: [
          ['Rule set', 'text'],
          ['From', 'date'],
          ['To', 'date'],
          ['Notes', 'text'],
        ],
        rows: pack.leave.map(({ ruleSet, from, to, notes }) => [ruleSet, from, to, notes]),
        none: 'No leave is held.',
      }),
      ...buildSection('Payroll', {
        columns: [
          ['Month', 'text'],
          ['Location', 'text'],
          ['Code', 'text'],
          ['Description', 'text'],
          ['Amount', 'money'],
          ['Source', 'text'],
        ],
        rows: pack.payroll.map(({ month, location, code, description, pounds, source }) => [
          month,
          location,
          code,
          description,
          pounds,
          source,
        ]),
        none: 'No payroll is held.',
      }),
      ...buildSection('Payroll notes', {
        columns: [
          ['Month', 'text'],
          ['Note', 'text'],
        ],
        rows: pack.payrollNotes.map(({ month, text }) => [month, text]),
        none: 'No notes are held.',
      }),
      ...buildSection('Latest data from the HR system', {
        columns: [
          ['Column', 'text'],
          ['Value', 'text'],
        ],
        rows: pack.hrFile.flatMap(({ values }) => values.map(({ column, value }) => [column, value])),
        none: 'Nothing from an HR system is held.',
      }),
      ...buildSection('Comments on the contracts', {
        columns: [
          ['Comment', 'text'],
          ['When', 'date'],
          ['Contract', 'text'],
          ['By', 'text'],
        ],
        rows: pack.comments.map(({ text, at, contract, budget, by }) => [text, dayInLondon(at), `${contract}, ${budget}`, by]),
        none: 'No comments on the contracts are held.',
      }),
      ...buildSection('Reminders', {
        columns: [
          ['Reminder', 'text'],
          ['When', 'date'],
          ['Notes', 'text'],
          ['Of', 'text'],
        ],
        rows: pack.reminders.map(({ description, when, notes, by }) => [description, when, notes, by]),
        none: 'No reminders are held.',
      }),
      ...buildSection('Changes to the record', {
        columns: [
          ['When and who', 'text'],
          ['What', 'text'],
          ['Before', 'text'],
          ['After', 'text'],
        ],
        rows: pack.changes.flatMap(({ at, by, what, fields }): Row[] =>
          fields.length
            ? fields.map(({ field, before, after }) => [`${displayDateTime(at)} · ${by}`, field, before, after])
            : [[`${displayDateTime(at)} · ${by}`, what, null, null]],
        ),
        none: 'No changes are held.',
      }),
      { kind: 'heading', text: 'Other places that may hold data' },
      ...pack.elsewhere.map((text): DocumentBlock => ({ kind: 'text', text })),
    ],
  }
}
