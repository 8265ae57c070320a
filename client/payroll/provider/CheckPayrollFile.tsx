import { Alert, Button, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Cells } from '../../../domain/files/headings.ts'
import { addOtherSheets, joinRowTexts } from '../../../domain/files/proof.ts'
import type { Sheet } from '../../../domain/files/sheets.ts'
import { normaliseMappingText } from '../../../domain/files/texts.ts'
import { payrollCodeType, payrollElement } from '../../../domain/lookups/lookupIds.ts'
import type { CalendarMonth } from '../../../domain/monitoring/monitoring.ts'
import { recogniseElement } from '../../../domain/payroll/provider/codes.ts'
import { findPossibleAmountColumns, repeatablePayMeanings } from '../../../domain/payroll/provider/columns.ts'
import { findPayMonth, findPayMonthProblems, isPayrollProved, payTextKinds } from '../../../domain/payroll/provider/rows.ts'
import { resources } from '../../../domain/resources/all.ts'
import { checkRecord } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayMoney } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { OtherMonthWarning } from '../../budget/OtherMonthWarning.tsx'
import { ColumnMeaningTable } from '../../resources/import/FileColumns.tsx'
import { LeftOutRows } from '../../resources/import/LeftOutRows.tsx'
import { MappingTable } from '../../resources/import/MappingTable.tsx'
import { isAccountedFor, MoneyReconciliation } from '../../resources/import/MoneyReconciliation.tsx'
import { ProblemTable } from '../../resources/import/ProblemTable.tsx'
import { RecordDialog } from '../../resources/record/RecordDialog.tsx'
import { useResourceMutations } from '../../resources/resourceApi.ts'
import { WorkbookSheetSelect } from '../../resources/sheets/SheetSelect.tsx'
import { UsedColumns } from '../../resources/sheets/UsedColumns.tsx'
import { trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import {
  buildPayrollImport,
  detectPayrollColumns,
  findOtherPayrollSheets,
  findProvider,
  mapPayrollTexts,
  type PayrollFileChoices,
  type ProviderSetup,
  parsePayrollRows,
  preparePayrollMappingToSend,
  preparePayrollRowsToSend,
} from './payrollFile.ts'
import { listMappingTargets, payMeaningNames } from './words.ts'

const layoutNames = { long: 'a row for each element', wide: 'a column for each element' } as const

const codeFields = (({ type, code, description, element }) => ({ type, code, description, element }))(resources.payrollCode.fields)

/** A file that is ready to send, because its rows add up to its total. */
export interface CheckedPayrollFile {
  rows: string[]
  mapping: ReturnType<typeof preparePayrollMappingToSend>
  /** The file's total, followed by the part of it that is imported, in whole pennies. */
  total: number
  imported: number
}

/**
 * Checks a payroll file: how it was read, what its codes and locations map to, and that all its money is either imported or left out on
 * purpose.
 */
export function CheckPayrollFile({
  open,
  name,
  sheets,
  sheet,
  cells,
  choices,
  month,
  locationId,
  onSheet,
  onChoices,
  onBack,
  onNext,
}: {
  open: ProviderSetup
  name: string
  sheets: readonly Sheet[]
  sheet: number
  cells: Cells
  choices: PayrollFileChoices
  month: CalendarMonth
  locationId: LocationId | null
  onSheet: (sheet: number) => void
  onChoices: (choices: PayrollFileChoices) => void
  onBack: () => void
  onNext: (checked: CheckedPayrollFile) => void
}) {
  const term = useTerm()
  const isAllowed = usePermissionCheck()
  const { headingRow, columns, provider, mapping, isMonthConfirmed, confirmed, leftOut } = choices
  const reading = useMemo(
    () => parsePayrollRows(cells, { provider, headingRow, columns, mapping, leftOut }, open),
    [cells, provider, headingRow, columns, mapping, leftOut, open],
  )
  const texts = useMemo(() => reading && mapPayrollTexts(reading, { provider, mapping }, open), [reading, provider, mapping, open])
  const proved = useMemo(
    () => reading && texts && buildPayrollImport(cells, { reading, texts, locationId }),
    [cells, reading, texts, locationId],
  )
  const others = useMemo(() => findOtherPayrollSheets(sheets, sheet), [sheets, sheet])
  const balance = useMemo(() => proved && addOtherSheets(proved.balance, others), [proved, others])
  const proof = proved?.proof
  const possibleAmountColumns = useMemo(() => findPossibleAmountColumns(cells, { headingRow, columns }), [cells, headingRow, columns])
  const problems = useMemo(
    () =>
      reading
        ? [...reading.read.problems, ...findPayMonthProblems(reading.read.rows, { table: reading.table, month, isMeant: isMonthConfirmed })]
        : [],
    [reading, month, isMonthConfirmed],
  )
  const [adding, setAdding] = useState<{ text: string; name: string } | null>(null)
  const { create } = useResourceMutations(resources.payrollCode)
  const forgetting = trpc.payroll.providers.forget.useMutation()
  const change = (some: Partial<PayrollFileChoices>): void => onChoices({ ...choices, ...some })
  const map = (kind: 'code' | 'location', texts: readonly string[], id: number | null): void =>
    change({
      mapping: { ...mapping, [kind]: new Map([...mapping[kind], ...texts.map((text) => [normaliseMappingText(text), id] as const)]) },
    })
  const namedMonth = reading && findPayMonth(reading.table)
  const skipped = reading?.read.skipped
  const left = [
    skipped?.total ? displayCount(skipped.total, 'total') : null,
    skipped?.section ? `${displayCount(skipped.section, 'row')} without amounts` : null,
    skipped?.heading ? displayCount(skipped.heading, 'repeated heading') : null,
    skipped?.other ? displayCount(skipped.other, 'row of another table', 'rows of another table') : null,
    skipped?.leftOut ? displayCount(skipped.leftOut, 'row left out', 'rows left out') : null,
  ].filter(Boolean)
  const known = findProvider(provider, open)
  const targets = useMemo(() => listMappingTargets(open), [open])
  const isReady = Boolean(
    reading?.read.rows.some((row) => row.text) &&
      proved &&
      balance &&
      isPayrollProved(proved.proof) &&
      isAccountedFor(balance, confirmed) &&
      !problems.length &&
      provider.trim(),
  )
  const mayAdd = isAllowed(['ConsolePayrollCodesReadUpdate'])
  const employees = reading ? new Set(reading.read.rows.map((row) => row.employeeNumber)).size : 0
  const next = (): void => {
    if (isReady && texts && proof)
      onNext({
        rows: preparePayrollRowsToSend(assertDefined(sheets[sheet]).rows, choices),
        mapping: preparePayrollMappingToSend(texts),
        total: proof.file.value,
        imported: proof.imported.value,
      })
  }
  return (
    <>
      <Text size="sm" mb="sm">
        <b>{name}</b>
        {reading
          ? `: ${layoutNames[reading.table.layout]}, ${displayCount(employees, 'employee')} below the headings in row ${headingRow}${left.length ? `; skipped ${left.join(', ')}` : ''}.`
          : possibleAmountColumns.length
            ? ': a row for each element.'
            : ': no headings were found. Choose the header row, and the columns that hold employee numbers and amounts.'}
      </Text>
      {possibleAmountColumns.length > 0 && (
        <Alert color="orange" mb="sm" role="alert">
          No column has a heading for the amount. Choose below which of these columns hold amounts:{' '}
          {possibleAmountColumns.map((column) => cells[headingRow - 1]?.[column]).join(', ')}.
        </Alert>
      )}
      <Group gap="sm" mb="sm" align="flex-start">
        <WorkbookSheetSelect sheets={sheets} sheet={sheet} onSheet={onSheet} />
        <SuggestionField
          label="Payroll provider"
          description="Columns and codes are learned under this name."
          suggestions={open.providers.map((one) => one.name)}
          value={provider}
          maxLength={60}
          error={provider.trim() ? null : 'Enter the name of the provider, such as EPM.'}
          onChange={(value) => change({ provider: value })}
        />
      </Group>
      <OtherMonthWarning
        fileMonth={namedMonth}
        month={month}
        isConfirmed={isMonthConfirmed}
        onConfirm={(isConfirmed) => change({ isMonthConfirmed: isConfirmed })}
      />
      <UsedColumns
        used={columns.filter(Boolean).length}
        of={columns.length}
        startsOpen={!reading}
        learned={
          known && isAllowed(['ConsolePayrollReconciliationReadUpdate'])
            ? { name: known.name, isPending: forgetting.isPending, forget: () => forgetting.mutateAsync({ id: known.id }) }
            : undefined
        }
      >
        <ColumnMeaningTable
          cells={cells}
          headingRow={headingRow}
          columns={columns}
          names={payMeaningNames}
          many={repeatablePayMeanings}
          onHeadingRow={(row) => change({ headingRow: row, columns: detectPayrollColumns(cells, row), leftOut: new Set() })}
          onColumns={(chosen) => change({ columns: chosen })}
        />
      </UsedColumns>
      {reading && (
        <LeftOutRows
          rows={reading.read.leftOut.map(({ row }) => ({ number: row, name: joinRowTexts(cells[row - 1] ?? []) }))}
          sum={reading.read.leftOut.reduce((sum, { value }) => sum + value, 0)}
          onTakeBack={(numbers) => change({ leftOut: new Set([...leftOut].filter((row) => !numbers.includes(row))) })}
        />
      )}
      {problems.length > 0 && (
        <ProblemTable
          problems={problems}
          name={name}
          headingRow={headingRow}
          onLeaveOut={(numbers) => change({ leftOut: new Set([...leftOut, ...numbers]) })}
        />
      )}
      {texts &&
        payTextKinds.map((kind) => (
          <MappingTable
            // Remount the table if the file or its columns change, so that unmapped texts come first again.
            key={`${kind} ${sheet} ${headingRow} ${columns.join()}`}
            term={term(kind === 'code' ? 'PayrollCode' : 'Location')}
            texts={texts[kind]}
            targets={targets[kind]}
            leftOutName="Leave out on purpose"
            isLeftTogether={kind === 'code'}
            action={
              kind === 'code' && mayAdd
                ? (text) => (
                    <Button variant="default" size="xs" onClick={() => setAdding(text)}>
                      Set up
                    </Button>
                  )
                : undefined
            }
            onMap={(texts, id) => map(kind, texts, id)}
          />
        ))}
      {proved && balance && (
        <MoneyReconciliation
          balance={balance}
          confirmed={confirmed}
          onConfirm={(confirmed) => change({ confirmed: confirmed })}
          all={proved.proof.file.rows === 1 ? 'The amount is' : `All ${displayCount(proved.proof.file.rows, 'amount')} are`}
          unmapped={
            proved.proof.unmapped.rows
              ? `${displayCount(proved.proof.unmapped.rows, 'amount is', 'amounts are')} not mapped yet. Map ${proved.proof.unmapped.rows === 1 ? 'it, or leave it' : 'them, or leave them'} out on purpose.`
              : ''
          }
          agrees={assertDefined(reading).read.agrees}
        />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button onClick={next} disabled={!isReady}>
          Import {proof ? displayMoney(proof.imported.value) : ''}
        </Button>
      </Group>
      {adding && (
        <RecordDialog
          term={term('PayrollCode')}
          isNew
          fields={codeFields}
          start={{
            type: payrollCodeType.payment,
            code: adding.text.slice(0, 20),
            description: adding.name || (adding.text.length > 20 ? adding.text : ''),
            // The amounts of an unrecognised code are compared with no cost component, because a guess could be wrong.
            element: recogniseElement(adding.text) ?? recogniseElement(adding.name) ?? payrollElement.other,
          }}
          check={(values) => checkRecord(resources.payrollCode, values).problems}
          save={async (values) => create({ locations: [], serviceTerms: [], ...values })}
          onClose={() => setAdding(null)}
          onDone={(saved) => {
            if (saved) map('code', [adding.text], Number(saved.id))
            setAdding(null)
          }}
        />
      )}
    </>
  )
}
