import type { CellMeaning, FileLayout, LayoutColumn } from './layout.ts'

interface Preset {
  name: string
  about: string
  layout: FileLayout
}

const column = (heading: string, meaning: CellMeaning, text = ''): LayoutColumn => ({ heading, meaning, text })
const journal = { hasHeadings: true, rowsBy: 'month', dates: 'dd/mm/yyyy', balanceAccount: '', levyAccount: '', mostRows: null } as const

/**
 * The layouts that Bursar provides. A layout is named after a vendor only if a public page of the vendor or its reseller documents the
 * columns; other layouts are called generic. Users can copy a layout and change the copy.
 */
export const presets: readonly Preset[] = [
  {
    name: 'Generic journal',
    about: 'A row for each code and month, with debit and credit. For a ledger that lets you choose what each column is.',
    layout: {
      ...journal,
      columns: [
        column('Date', 'date'),
        column('Account', 'account'),
        column('Cost centre', 'costCentre'),
        column('Fund', 'fund'),
        column('Location', 'location'),
        column('Description', 'accountName'),
        column('Debit', 'debit'),
        column('Credit', 'credit'),
      ],
    },
  },
  {
    name: 'Generic budget by month',
    about: 'A row for each code, a column for each month. For a ledger that imports budgets by period.',
    layout: {
      ...journal,
      rowsBy: 'year',
      columns: [
        column('Account', 'account'),
        column('Description', 'accountName'),
        column('Cost centre', 'costCentre'),
        column('Fund', 'fund'),
        column('Location', 'location'),
        column('', 'months'),
        column('Year', 'usual'),
      ],
    },
  },
  {
    // Sage Knowledge base (UK), "CSV import templates", Transaction CSV, columns A to J: gb-kb.sage.com, article 250321114601443.
    name: 'Sage 50 Accounts transactions',
    about:
      'Journal lines JD and JC for File → Import → Audit trail transactions, with the columns listed in the Sage knowledge base. A journal must balance to zero: enter the balancing account. Departments are numbers: enter yours as fixed text, or leave 0.',
    layout: {
      ...journal,
      columns: [
        column('Type', 'journalType'),
        column('Account Reference', 'text'),
        column('Nominal A/C Ref', 'account'),
        column('Department Code', 'text', '0'),
        column('Date', 'date'),
        column('Reference', 'reference'),
        column('Details', 'narration'),
        column('Net Amount', 'absolute'),
        column('Tax Code', 'text', 'T9'),
        column('Tax Amount', 'text', '0.00'),
      ],
    },
  },
  {
    // Xero Central, "Enter multiple manual journals using an import template": help.xero.com/nz/ManualJournalsImport (300 lines a file).
    name: 'Xero manual journals',
    about:
      'The template for Manual journals → Import, at most 300 rows: export a month or a school at a time. A journal must balance to zero: enter the balancing account. TaxRate is the name of a tax rate in Xero.',
    layout: {
      ...journal,
      mostRows: 300,
      columns: [
        column('Narration', 'narration'),
        column('Date', 'date'),
        column('Description', 'accountName'),
        column('AccountCode', 'account'),
        column('TaxRate', 'text', 'No VAT'),
        column('Amount', 'amount'),
        column('TrackingName1', 'text', 'Location'),
        column('TrackingOption1', 'location'),
      ],
    },
  },
  {
    // Arbor Finance help, "Importing Budgets - Budget and Analysis codes": arborfinance.zendesk.com, article 20923719476509.
    name: 'Arbor Finance budgets',
    about:
      'The columns that Import Budgets in Arbor needs, with budget and analysis codes: a row for each code, with its total for the year. You choose the profile in Arbor when you import. The analysis code is the cost centre. In Budget Heading, enter a budget heading that you use in Arbor.',
    layout: {
      ...journal,
      rowsBy: 'year',
      columns: [
        column('Inc/Exp', 'incExp'),
        column('Budget Account code', 'account'),
        column('Budget Account description', 'accountName'),
        column('Amount', 'usual'),
        column('Reference', 'reference'),
        column('Voucher Description', 'narration'),
        column('Budget Heading', 'text'),
        column('Date', 'date'),
        column('Analysis Account code', 'costCentre'),
        column('Analysis Account description', 'text'),
      ],
    },
  },
]
