import { Alert, Button, Checkbox, Group, SegmentedControl, Text } from '@mantine/core'
import { useMemo } from 'react'
import { toCalendarMonth } from '../../../domain/files/cells.ts'
import { addOtherSheets, joinRowTexts } from '../../../domain/files/proof.ts'
import { splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { normaliseMappingText } from '../../../domain/files/texts.ts'
import { importType } from '../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { type ColumnMeaning, findLedgerTable, selectMonthColumn } from '../../../domain/monitoring/ledger/columns.ts'
import { type AmountSign, isLedgerProved, type LedgerProof, mappedKinds } from '../../../domain/monitoring/ledger/mapping.ts'
import { type CalendarMonth, formatIsoMonth, formatMonth, toMonthIndex } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayMoney, displayNumber } from '../../../domain/values/format.ts'
import { toLocationId } from '../../../domain/values/ids.ts'
import { recordFromKeys } from '../../../domain/values/keysOf.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { listMonthsAround, parseMonth } from '../../budget/months.ts'
import { OtherMonthWarning } from '../../budget/OtherMonthWarning.tsx'
import { ColumnMeaningTable } from '../../resources/import/FileColumns.tsx'
import { LeftOutRows } from '../../resources/import/LeftOutRows.tsx'
import { MappingTable } from '../../resources/import/MappingTable.tsx'
import { isAccountedFor, MoneyReconciliation } from '../../resources/import/MoneyReconciliation.tsx'
import { ProblemTable } from '../../resources/import/ProblemTable.tsx'
import { WorkbookSheetSelect } from '../../resources/sheets/SheetSelect.tsx'
import { UsedColumns } from '../../resources/sheets/UsedColumns.tsx'
import { trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import classes from './CheckStep.module.css'
import { CodePairsButton } from './CodePairsButton.tsx'
import {
  buildLedgerImport,
  createLocationTest,
  findOtherLedgerSheets,
  type LedgerFile,
  type LedgerFileChoices,
  type LedgerSetup,
  mapLedgerTexts,
  parseLedgerRows,
  prepareMappingToSend,
  prepareRowsToSend,
} from './ledgerFile.ts'
import { columnMeaningNames, layoutNames, leaveOutLabels, mappedKindTerms } from './words.ts'

const mappingReasons = { chosen: null, learned: 'as learned', code: 'same code', name: 'same name' } as const

/** A file that is ready to send, because its lines add up to its total. */
export interface CheckedLedgerFile {
  rows: string[]
  sign: AmountSign
  mapping: ReturnType<typeof prepareMappingToSend>
  total: { amount: number; commitment: number }
}

/** Says how many rows still need a mapping. */
function describeUnmapped({ file, unmapped: { rows } }: LedgerProof): string {
  return rows
    ? `${displayCount(rows, 'row')} of ${displayNumber(file.rows)} ${rows === 1 ? 'is not mapped yet. Map it, or leave it' : 'are not mapped yet. Map them, or leave them'} out on purpose.`
    : ''
}

/** Checks a file: how it was read, what its codes map to, and that all its money is either imported or left out on purpose. */
export function CheckLedgerFile({
  open,
  file,
  type,
  onType,
  onSheet,
  onChoices,
  onBack,
  onNext,
}: {
  open: LedgerSetup
  file: LedgerFile
  type: 1 | 2
  onType: (type: 1 | 2) => void
  onSheet: (sheet: number) => void
  onChoices: (choices: LedgerFileChoices) => void
  onBack: () => void
  onNext: (checked: CheckedLedgerFile) => void
}) {
  const term = useTerm()
  const { choices } = file
  const { rows } = assertDefined(file.sheets[file.sheet])
  const cells = useMemo(() => splitRowsIntoCells(rows), [rows])
  const { headingRow, columns, isCumulative, ledger, mapping, month, leftOut } = choices
  const reading = useMemo(
    () =>
      parseLedgerRows(
        cells,
        { headingRow, columns, isCumulative, month, leftOut },
        { isPlace: createLocationTest({ ledger, mapping }, open), startMonth: open.startMonth },
      ),
    [cells, headingRow, columns, isCumulative, month, leftOut, ledger, mapping, open],
  )
  const groups = useMemo(() => mapLedgerTexts(reading.rows, { ledger, mapping }, open), [reading, ledger, mapping, open])
  const { table } = reading
  const isClosing = table?.headings.some((heading, index) => /closing/i.test(heading) && ['amount', 'debit'].includes(columns[index] ?? ''))
  const proved = useMemo(
    () => table && buildLedgerImport(cells, { ...reading, table }, { choices, groups, open }),
    [cells, reading, table, choices, groups, open],
  )
  const { sheets, sheet } = file
  const others = useMemo(
    () => findOtherLedgerSheets(sheets, sheet, { ...month, isCumulative, startMonth: open.startMonth }),
    [sheets, sheet, month, isCumulative, open.startMonth],
  )
  const balance = useMemo(() => proved && addOtherSheets(proved.balance, others), [proved, others])
  const targets = useMemo(
    () =>
      recordFromKeys(mappedKinds, (kind) =>
        open.targets[kind]
          .filter((one) => !one.isArchived)
          .map((one) => ({ id: one.id, label: kind === 'location' ? one.name : `${one.codes[0] ?? ''} ${one.name}`.trim() })),
      ),
    [open.targets],
  )
  const change = (some: Partial<LedgerFileChoices>): void => onChoices({ ...choices, ...some })
  const chooseMonth = (chosen: CalendarMonth): void =>
    change({
      month: chosen,
      isMonthConfirmed: false,
      columns: selectMonthColumn(cells, { headingRow, columns }, { ...chosen, startMonth: open.startMonth }),
    })
  const headings = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  const has = (meaning: ColumnMeaning): boolean => columns.includes(meaning)
  const missesPlace = !has('location') && reading.rows.some((row) => !row.location)
  const missesCentre = reading.rows.some(
    (row) => (!row.costCentre || mapping.costCentre.get(normaliseMappingText(row.costCentre)) === null) && (row.amount || row.commitment),
  )
  const namedMonth = table?.month && toCalendarMonth(table.month.said, open.startMonth)
  const isOtherMonth = Boolean(namedMonth && toMonthIndex(namedMonth) !== toMonthIndex(choices.month))
  const skipped = reading.read?.skipped
  const known = open.ledgers.find((one) => one.name.toLowerCase() === ledger.trim().toLowerCase())
  const forgetting = trpc.ledgers.forget.useMutation()
  const left = [
    skipped?.total ? displayCount(skipped.total, 'total') : null,
    skipped?.section ? displayCount(skipped.section, 'section') : null,
    skipped?.heading ? displayCount(skipped.heading, 'repeated heading') : null,
    skipped?.otherMonth ? displayCount(skipped.otherMonth, 'row of another month', 'rows of other months') : null,
    skipped?.other ? displayCount(skipped.other, 'row of another table', 'rows of another table') : null,
    skipped?.leftOut ? displayCount(skipped.leftOut, 'row left out', 'rows left out') : null,
  ].filter(Boolean)
  const needsPlace = missesPlace && choices.locationId === null
  const needsCentre = missesCentre && choices.costCentreId === null
  const asksMonth = Boolean(table?.doubt.length) && !choices.isMonthConfirmed
  const isProven = proved && balance && isLedgerProved(proved.made.proof) && isAccountedFor(balance, choices.confirmed)
  const isReady = Boolean(isProven && table && reading.rows.length && !proved.problems.length && ledger.trim() && !asksMonth)
  const next = (): void => {
    if (!proved || !isReady) return
    const { amount, commitment } = proved.made.proof.file
    onNext({
      rows: prepareRowsToSend(rows, choices),
      sign: proved.sign,
      mapping: prepareMappingToSend(groups, choices.codes),
      total: { amount, commitment },
    })
  }
  return (
    <>
      {reading.read !== null && reading.read.outOfBalance !== 0 && (
        <Alert color="orange" mb="sm" role="alert">
          Debits and credits differ by {displayMoney(Math.abs(reading.read.outOfBalance))}. Import the file only if it is meant to be part
          of the trial balance.
        </Alert>
      )}
      <Text size="sm" mb="sm">
        <b>{file.name}</b>
        {table
          ? `: ${toMidSentence(layoutNames[table.layout])}, ${displayCount(reading.rows.length, 'row')} below the headings in row ${headingRow}${left.length ? `; skipped ${left.join(', ')}` : ''}.`
          : ': no headings were found. Choose the header row, and the columns that hold account codes and amounts.'}
      </Text>
      <div className={classes.settings}>
        <WorkbookSheetSelect sheets={file.sheets} sheet={file.sheet} onSheet={onSheet} />
        <SuggestionField
          label="Ledger"
          description="Codes are learned under this name."
          suggestions={open.ledgers.map((one) => one.name)}
          value={ledger}
          maxLength={60}
          error={ledger.trim() ? null : 'Enter the name of the ledger, such as Sage.'}
          onChange={(value) => change({ ledger: value })}
        />
        <Choice
          label="Month"
          description={namedMonth && !isOtherMonth ? 'From the file.' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={listMonthsAround(choices.month)}
          value={formatIsoMonth(choices.month)}
          onChange={(value) => chooseMonth(parseMonth(value) ?? choices.month)}
        />
        <Choice
          label="Amounts are"
          description={isCumulative && isClosing ? 'Closing balances are the year to date.' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            { value: 'month', label: 'The month only' },
            { value: 'year', label: 'The year to date' },
          ]}
          value={isCumulative ? 'year' : 'month'}
          onChange={(value) => change({ isCumulative: value === 'year' })}
        />
        {table && !proved?.isFixed && (
          <Choice
            label="Income is"
            data={[
              { value: 'usual', label: 'Positive, like spending' },
              { value: 'debit', label: 'Negative: credits have a minus sign' },
            ]}
            value={proved?.sign ?? 'usual'}
            onChange={(value) => change({ sign: value === 'debit' ? 'debit' : 'usual' })}
          />
        )}
        {!has('location') && (missesPlace || !table) && (
          <Choice
            label={term('Location').singular}
            data={open.targets.location.map((one) => ({ value: String(one.id), label: one.name }))}
            value={choices.locationId === null ? null : String(choices.locationId)}
            error={needsPlace ? 'Choose the location the file is for.' : null}
            onChange={(value) => change({ locationId: value ? toLocationId(Number(value)) : null })}
          />
        )}
        {(missesCentre || choices.costCentreId !== null) && (
          <Choice
            label={`${term('CostCentre').singular} for rows without one`}
            clearable
            // Selecting the current value again confirms it; it does not clear it.
            data={open.targets.costCentre.map((one) => ({ value: String(one.id), label: `${one.codes[0]} ${one.name}` }))}
            value={choices.costCentreId === null ? null : String(choices.costCentreId)}
            error={needsCentre ? 'Choose one: every line needs a cost centre.' : null}
            onChange={(value) => change({ costCentreId: value ? Number(value) : null })}
          />
        )}
      </div>
      <SegmentedControl
        mb="sm"
        aria-label={`How to import into ${formatMonth(choices.month)}`}
        value={String(type)}
        onChange={(value) => onType(value === String(importType.add) ? importType.add : importType.replace)}
        data={lookups.importTypes.map((one) => ({ value: String(one.id), label: one.name }))}
      />
      <OtherMonthWarning
        fileMonth={namedMonth}
        month={choices.month}
        isConfirmed={choices.isMonthConfirmed}
        onConfirm={(isConfirmed) => change({ isMonthConfirmed: isConfirmed })}
      />
      {table && table.doubt.length > 0 && (
        <Checkbox
          mb="sm"
          label={`The lines above the table mention ${[...new Set(table.doubt.map((one) => formatMonth(toCalendarMonth(one.said, open.startMonth))))].join(' and ')}, but the file is for ${formatMonth(month)}`}
          checked={choices.isMonthConfirmed}
          onChange={(event) => change({ isMonthConfirmed: event.currentTarget.checked })}
        />
      )}
      {isCumulative !== open.keptIsCumulative && (
        <Alert color="blue" mb="sm">
          {isCumulative
            ? `Figures are kept month by month: amounts already imported for the months of this year before ${formatMonth(choices.month)} are deducted.`
            : `Figures are kept as year to date: amounts already imported for the months of this year before ${formatMonth(choices.month)} are added.`}
        </Alert>
      )}
      <UsedColumns
        used={columns.filter(Boolean).length}
        of={headings.length}
        startsOpen={!table}
        learned={known && { name: known.name, isPending: forgetting.isPending, forget: () => forgetting.mutateAsync({ id: known.id }) }}
      >
        <ColumnMeaningTable
          cells={cells}
          headingRow={headingRow}
          columns={columns}
          names={columnMeaningNames}
          onHeadingRow={(row) => {
            const found = findLedgerTable(cells.slice(row - 1))
            change({
              headingRow: row,
              leftOut: new Set(),
              columns:
                found?.headingRow === 1
                  ? selectMonthColumn(cells, { headingRow: row, columns: found.columns }, { ...month, startMonth: open.startMonth })
                  : (cells[row - 1] ?? []).map(() => null),
            })
          }}
          onColumns={(chosen) => change({ columns: chosen })}
        />
      </UsedColumns>
      {reading.read && (
        <LeftOutRows
          rows={reading.read.leftOut.map(({ row }) => ({ number: row, name: joinRowTexts(cells[row - 1] ?? []) }))}
          sum={reading.read.leftOut.reduce((sum, { value }) => sum + value, 0)}
          onTakeBack={(numbers) => change({ leftOut: new Set([...leftOut].filter((row) => !numbers.includes(row))) })}
        />
      )}
      {proved && proved.problems.length > 0 && (
        <ProblemTable
          problems={proved.problems}
          name={file.name}
          headingRow={headingRow}
          // In a file for the year to date, leaving out a row would also reverse the earlier months of its code.
          onLeaveOut={isCumulative ? undefined : (numbers) => change({ leftOut: new Set([...leftOut, ...numbers]) })}
        />
      )}
      {table && (
        <CodePairsButton
          targets={open.targets.account}
          onPairs={(pairs) =>
            change({
              codes: pairs,
              mapping: {
                ...mapping,
                account: new Map([...mapping.account, ...pairs.map(({ text, id }) => [normaliseMappingText(text), id] as const)]),
              },
            })
          }
        />
      )}
      {mappedKinds.map((kind) => (
        <MappingTable
          key={kind}
          term={term(mappedKindTerms[kind])}
          texts={groups[kind].map((group) => ({
            ...group,
            sum: group.amount,
            because: group.by && mappingReasons[group.by],
            more: group.commitment !== 0 && (
              <Text span size="xs" c="dimmed" display="block">
                {displayFigure(group.commitment)} committed
              </Text>
            ),
          }))}
          targets={targets[kind]}
          leftOutName={leaveOutLabels[kind]}
          isLeftTogether={kind === 'account'}
          onMap={(texts, id) => {
            const kindMapping = new Map(mapping[kind])
            for (const text of texts) kindMapping.set(normaliseMappingText(text), id)
            change({ mapping: { ...mapping, [kind]: kindMapping } })
          }}
        />
      ))}
      {proved && balance && (
        <MoneyReconciliation
          balance={balance}
          confirmed={choices.confirmed}
          onConfirm={(confirmed) => change({ confirmed })}
          all={proved.made.proof.file.rows === 1 ? 'The row is' : `All ${displayCount(proved.made.proof.file.rows, 'row')} are`}
          unmapped={describeUnmapped(proved.made.proof)}
          agrees={reading.read?.outOfBalance ? null : (reading.read?.agrees ?? null)}
        >
          {proved.made.proof.file.commitment !== 0 && (
            <Text size="sm">This includes commitments of {displayMoney(proved.made.proof.file.commitment)}.</Text>
          )}
        </MoneyReconciliation>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button onClick={next} disabled={!isReady}>
          See what changes
        </Button>
      </Group>
    </>
  )
}
