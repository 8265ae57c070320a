import { dayInLondon, displayDate, displayDateTime } from '../../../../domain/format.ts'
import type { Paper, PaperBlock } from '../../../core/paper/document.ts'
import type { ColumnKind } from '../../../core/workbook.ts'
import type { AccessPack } from './queries.ts'

type Column = readonly [title: string, kind: ColumnKind]
type Row = readonly (string | number | null)[]

/** A part of the pack: its table, or that there is nothing. */
function part(heading: string, columns: readonly Column[], rows: readonly Row[], none: string): PaperBlock[] {
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

/** A pack as it is printed for the person it is about. @param author who made it */
export function packOnPaper(pack: AccessPack, author: string): Paper {
  const valueIn = (field: string): string => pack.person.find((one) => one.field === field)?.value ?? ''
  const name = `${valueIn('Forename')} ${valueIn('Surname')}`
  const made = `Made on ${displayDate(dayInLondon(pack.madeAt))}`
  return {
    title: 'What is held on you',
    subtitle: `${name} · employee ${valueIn('Employee number')}`,
    author,
    head: pack.organisation,
    foot: `Subject-access pack · ${made}`,
    blocks: [
      {
        kind: 'text',
        text: `This is everything that ${pack.organisation} holds on ${name} in Bursar, its budgeting software: to plan and check what staff cost. Figures are in pounds.`,
      },
      { kind: 'heading', text: 'Record' },
      { kind: 'facts', facts: pack.person.map(({ field, value }) => [field, value || 'not held'] as const) },
      ...part(
        'Contracts in budgets',
        [
          ['Budget', 'text'],
          ['Location', 'text'],
          ['Contract', 'text'],
          ['Position', 'text'],
          ['From', 'date'],
          ['To', 'date'],
          ['Notes', 'text'],
        ],
        pack.contracts.map(({ budget, location, name: contract, position, from, to, notes }) => [
          budget,
          location,
          contract,
          position,
          from,
          to,
          notes,
        ]),
        'No contracts are held.',
      ),
      ...part(
        'Pay of the contracts',
        [
          ['Budget and contract', 'text'],
          ['From', 'date'],
          ['Scale point', 'text'],
          ['Full-time equivalent', 'ratio'],
          ['Hours a week', 'ratio'],
          ['Weeks a year', 'ratio'],
        ],
        pack.contracts.flatMap(({ budget, name: contract, rows }) =>
          rows.map((row) => [`${budget} · ${contract}`, row.from, row.scalePoint, row.fte, row.hoursPerWeek, row.weeksPerYear]),
        ),
        'No pay is held.',
      ),
      ...part(
        'What the contracts were planned to cost',
        [
          ['Budget and contract', 'text'],
          ['Year', 'text'],
          ['Cost', 'money'],
        ],
        pack.contracts.flatMap(({ budget, name: contract, costs }) =>
          costs.map(({ year, pounds }) => [`${budget} · ${contract}`, year, pounds ?? 'not calculated']),
        ),
        'No costs are held.',
      ),
      ...part(
        'Extended leave',
        [
          ['Rule set', 'text'],
          ['From', 'date'],
          ['To', 'date'],
          ['Notes', 'text'],
        ],
        pack.leave.map(({ ruleSet, from, to, notes }) => [ruleSet, from, to, notes]),
        'No leave is held.',
      ),
      ...part(
        'Payroll',
        [
          ['Month', 'text'],
          ['Location', 'text'],
          ['Code', 'text'],
          ['Description', 'text'],
          ['Amount', 'money'],
          ['Source', 'text'],
        ],
        pack.payroll.map(({ month, location, code, description, pounds, source }) => [month, location, code, description, pounds, source]),
        'No payroll is held.',
      ),
      ...part(
        'Notes in payroll',
        [
          ['Month', 'text'],
          ['Note', 'text'],
        ],
        pack.payrollNotes.map(({ month, text }) => [month, text]),
        'No notes are held.',
      ),
      ...part(
        'What the HR system said last',
        [
          ['Column', 'text'],
          ['Value', 'text'],
        ],
        pack.hrFile.flatMap(({ values }) => values.map(({ column, value }) => [column, value])),
        'Nothing of an HR system is held.',
      ),
      ...part(
        'Comments on the contracts',
        [
          ['Comment', 'text'],
          ['When', 'date'],
          ['Contract', 'text'],
          ['By', 'text'],
        ],
        pack.comments.map(({ text, at, contract, budget, by }) => [text, at.slice(0, 10), `${contract}, ${budget}`, by]),
        'No comments on the contracts are held.',
      ),
      ...part(
        'Reminders',
        [
          ['Reminder', 'text'],
          ['When', 'date'],
          ['Notes', 'text'],
          ['Of', 'text'],
        ],
        pack.reminders.map(({ description, when, notes, by }) => [description, when, notes, by]),
        'No reminders are held.',
      ),
      ...part(
        'Changes of the record',
        [
          ['When and who', 'text'],
          ['What', 'text'],
          ['Before', 'text'],
          ['After', 'text'],
        ],
        pack.changes.flatMap(({ at, by, what, fields }): Row[] =>
          fields.length
            ? fields.map(({ field, before, after }) => [`${displayDateTime(at)} · ${by}`, field, before, after])
            : [[`${displayDateTime(at)} · ${by}`, what, null, null]],
        ),
        'No changes are held.',
      ),
      { kind: 'heading', text: 'Where something else may stand' },
      ...pack.elsewhere.map((text): PaperBlock => ({ kind: 'text', text })),
    ],
  }
}
