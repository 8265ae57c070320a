import { displayCount, money } from '../../../domain/format.ts'
import { isProved, type Proof } from '../../../domain/monitoring/ledger/mapping.ts'
import classes from './ProofLine.module.css'

/** The total of a file and where it goes, to the penny: nothing is saved until all of it is imported or left out on purpose. */
export function ProofLine({ proof, agrees }: { proof: Proof; agrees: { row: number; value: string } | null }) {
  const holds = isProved(proof)
  const line = (label: string, of: 'amount' | 'commitment') => (
    <div className={classes.line}>
      <span>
        {label} <b>{money(proof.file[of])}</b>
      </span>
      <span>
        = imported <b>{money(proof.imported[of])}</b>
      </span>
      <span>
        + left out on purpose <b>{money(proof.leftOut[of])}</b>
      </span>
      {proof.unmapped.rows > 0 && (
        <span className={classes.open}>
          + not mapped <b>{money(proof.unmapped[of])}</b>
        </span>
      )}
    </div>
  )
  return (
    <div className={classes.proof} data-holds={holds} role="status" aria-label="Proof of the total">
      {line('Total of the file', 'amount')}
      {(proof.file.commitment !== 0 || proof.imported.commitment !== 0) && line('Commitments', 'commitment')}
      <p className={classes.words}>
        {holds
          ? `All ${displayCount(proof.file.rows, 'row')} are accounted for, to the penny.`
          : `${displayCount(proof.unmapped.rows, 'row')} of ${proof.file.rows} ${proof.unmapped.rows === 1 ? 'is' : 'are'} not mapped yet. Map them, or leave them out on purpose.`}
        {agrees && ` The file’s own total in row ${agrees.row} agrees: ${agrees.value}.`}
      </p>
    </div>
  )
}
