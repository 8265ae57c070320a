import { Alert, Button, FileButton, Text } from '@mantine/core'
import { useState } from 'react'
import { splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { type CodePairs, readCodePairs } from '../../../domain/monitoring/ledger/codePairs.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { describeReadError, readBestSheet } from '../../resources/sheets/readBestSheet.ts'

/** Up to this many problems are listed; the others are only counted. */
const maximumListed = 10

/**
 * Maps the codes of a ledger with an uploaded list of old codes and their budget codes, such as after a chart of accounts was renumbered.
 */
export function CodePairsButton({
  targets,
  onPairs,
}: {
  targets: readonly { id: number; codes: readonly string[] }[]
  onPairs: (pairs: CodePairs['pairs']) => void
}) {
  const [result, setResult] = useState<CodePairs | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return
    setResult(null)
    setProblem(null)
    try {
      const { sheets, sheet } = await readBestSheet(file, (cells) => readCodePairs(cells, targets)?.pairs.length ?? 0)
      const read = readCodePairs(splitRowsIntoCells(assertDefined(sheets[sheet]).rows), targets)
      if (!read) return setProblem('The file needs two columns with the headings “Old code” and “Budget code”.')
      setResult(read)
      onPairs(read.pairs)
    } catch (error) {
      setProblem(describeReadError(error))
    }
  }
  return (
    <>
      <FileButton onChange={(file) => void choose(file)} accept=".xlsx,.csv,.txt">
        {(props) => (
          <Button {...props} variant="default" size="compact-sm" mb="xs">
            Map codes from a list
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed" mb="xs">
        A file with each old code beside its budget code. It is learned with this import, for all later files of the same ledger.
      </Text>
      {(problem || result) && (
        <Alert color={problem || result?.problems.length ? 'orange' : 'blue'} mb="sm" role="status">
          {problem ?? `The list maps ${displayCount(result?.pairs.length ?? 0, 'code')}.`}
          {result?.problems.slice(0, maximumListed).map(({ row, value, message }) => (
            <div key={row}>
              Row {row}, {value}: {message}
            </div>
          ))}
          {result && result.problems.length > maximumListed && <div>and {result.problems.length - maximumListed} more</div>}
        </Alert>
      )}
    </>
  )
}
