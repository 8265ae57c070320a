import { displayMoney, toPennies } from '../../domain/values/format.ts'
import type { RouterOutputs } from '../shell/api.ts'
import { Pill } from '../ui/labels/Pill.tsx'

/** Shows, with the two totals side by side, that the month contains all amounts of its files, to the penny (rules.md §18). */
export function FileTotalsProof({ proof }: { proof: NonNullable<RouterOutputs['payroll']['reconcile']['proof']> }) {
  return (
    <p role="status" aria-label="Reconciliation to the file total" style={{ margin: 0 }}>
      File total <b>{displayMoney(toPennies(proof.file))}</b> = rows <b>{displayMoney(toPennies(proof.rows))}</b>{' '}
      <Pill tone={proof.holds ? 'good' : 'bad'}>{proof.holds ? 'agrees to the penny' : 'does not agree'}</Pill>
    </p>
  )
}
