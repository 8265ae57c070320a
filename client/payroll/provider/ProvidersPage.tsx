import { Skeleton } from '@mantine/core'
import { repeatablePayMeanings } from '../../../domain/payroll/provider/columns.ts'
import { payTextKinds } from '../../../domain/payroll/provider/rows.ts'
import { ChangeList } from '../../budget/history/ChangeList.tsx'
import { LearnedMappingsPage } from '../../resources/sheets/LearnedMappingsPage.tsx'
import { trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import type { ProviderSetup } from './payrollFile.ts'
import { listMappingTargets, payMeaningNames } from './words.ts'

/** Edits what Bursar has learned from payroll providers' files, without importing a file. */
export function ProvidersPage() {
  const open = trpc.payroll.providers.open.useQuery()
  if (open.isLoadingError) return <LoadFailed query={open} />
  return open.data ? <Providers open={open.data} /> : <Skeleton height={420} />
}

function Providers({ open }: { open: ProviderSetup }) {
  const term = useTerm()
  const { mutateAsync: change } = trpc.payroll.providers.change.useMutation()
  const { mutateAsync: forget } = trpc.payroll.providers.forget.useMutation()
  const targets = listMappingTargets(open)
  return (
    <LearnedMappingsPage
      title="Payroll providers"
      documentTitle="Payroll providers - Console"
      noun="payroll provider"
      begins={{ title: 'Payroll reconciliation', path: '/console/payroll/reconciliation' }}
      sources={open.providers}
      meanings={payMeaningNames}
      many={repeatablePayMeanings}
      kinds={payTextKinds.map((kind) => ({
        kind,
        label: kind === 'code' ? 'The provider’s codes' : term('Location').plural,
        leftOutName: 'Leave out on purpose',
        targets: targets[kind],
      }))}
      save={({ id, version, columns }, texts) => change({ id, version, columns, ...texts })}
      forget={(id) => forget({ id })}
      history={(id) => <ProviderHistory id={id} />}
    />
  )
}

function ProviderHistory({ id }: { id: number }) {
  return <ChangeList history={trpc.payroll.providers.history.useQuery({ id }, { staleTime: 0 })} />
}
