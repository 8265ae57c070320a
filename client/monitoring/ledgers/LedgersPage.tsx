import { Group, Skeleton } from '@mantine/core'
import { type MappedKind, mappedKinds } from '../../../domain/monitoring/ledger/mapping.ts'
import { ChangeList } from '../../budget/history/ChangeList.tsx'
import { LearnedMappingsPage } from '../../resources/sheets/LearnedMappingsPage.tsx'
import { trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import type { KnownLedger, LedgerSetup } from './ledgerFile.ts'
import { columnMeaningNames, layoutNames, leaveOutLabels, mappedKindTerms } from './words.ts'

/** Edits what Bursar has learned from the organisation's ledger files, without importing a file. */
export function LedgersPage() {
  const open = trpc.ledgers.open.useQuery()
  if (open.isLoadingError) return <LoadFailed query={open} />
  return open.data ? <Ledgers open={open.data} /> : <Skeleton height={420} />
}

function Ledgers({ open }: { open: LedgerSetup }) {
  const term = useTerm()
  const { mutateAsync: change } = trpc.ledgers.change.useMutation()
  const { mutateAsync: forget } = trpc.ledgers.forget.useMutation()
  const centre = term('CostCentre').singular
  return (
    <LearnedMappingsPage
      title="Ledgers"
      documentTitle="Ledgers - Console"
      noun="ledger"
      begins={{ title: term('ActualCommitment').plural, path: '/console/monitoring/actuals-commitments' }}
      sources={open.ledgers}
      meanings={columnMeaningNames}
      kinds={mappedKinds.map((kind: MappedKind) => ({
        kind,
        label: kind === 'account' ? 'Account codes' : term(mappedKindTerms[kind]).plural,
        leftOutName: leaveOutLabels[kind],
        targets: open.targets[kind]
          .filter((one) => !one.isArchived)
          .map((one) => ({ id: one.id, label: kind === 'location' ? one.name : `${one.codes[0] ?? ''} ${one.name}`.trim() })),
      }))}
      settings={(ledger: KnownLedger, change) => (
        <Group gap="sm" mb="md" align="flex-end">
          <Choice
            label="Amounts are"
            data={[
              { value: 'month', label: 'The month only' },
              { value: 'year', label: 'The year to date' },
            ]}
            value={ledger.isCumulative ? 'year' : 'month'}
            onChange={(value) => change({ isCumulative: value === 'year' })}
          />
          {(ledger.layout === 'budgetReport' || ledger.layout === 'transactions') && (
            <Choice
              label="Income is"
              w={270}
              data={[
                { value: 'usual', label: 'Positive, like spending' },
                { value: 'debit', label: 'Negative: credits have a minus sign' },
              ]}
              value={ledger.sign}
              onChange={(value) => change({ sign: value === 'debit' ? 'debit' : 'usual' })}
            />
          )}
          <Choice
            label={`${centre} for rows without one`}
            clearable
            placeholder="Asked when a file is imported"
            w={270}
            data={open.targets.costCentre.map((one) => ({ value: String(one.id), label: `${one.codes[0]} ${one.name}` }))}
            value={ledger.costCentreId === null ? null : String(ledger.costCentreId)}
            onChange={(value) => change({ costCentreId: value ? Number(value) : null })}
          />
          <span>{layoutNames[ledger.layout]}</span>
        </Group>
      )}
      save={({ id, version, columns, sign, isCumulative, costCentreId }, texts) =>
        change({ id, version, columns, sign, isCumulative, costCentreId, ...texts })
      }
      forget={(id) => forget({ id })}
      history={(id) => <LedgerHistory id={id} />}
    />
  )
}

function LedgerHistory({ id }: { id: number }) {
  return <ChangeList history={trpc.ledgers.history.useQuery({ id }, { staleTime: 0 })} />
}
