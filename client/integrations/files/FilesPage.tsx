import { Alert, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type FileSelection,
  type OutgoingFileKind,
  outgoingFileKinds,
  outgoingFiles,
} from '../../../domain/integrations/files/connections.ts'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayMoney } from '../../../domain/values/format.ts'

import { api, type RouterOutputs, toPublicError } from '../../shell/api.ts'
import { useOrganisationWideCheck, usePermissionCheck } from '../../shell/core.ts'
import { downloadFile, notifyFailure } from '../../shell/notify.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../linkStatus.tsx'
import { initialFileSelection, LedgerFileFields, useFileYear } from './FileChoice.tsx'

type FilePreview = RouterOutputs['filesOut']['tryFile']

/** A preview of the file. */
function PreviewCard({ tried }: { tried: FilePreview }) {
  const { rows, debits, credits, headings, first, problems, leftOut } = tried
  return (
    <Card style={{ marginTop: 16 }} aria-label="Preview">
      <CardHead>Preview</CardHead>
      <CardBody className={classes.fields}>
        {problems.length > 0 && (
          <Alert color="orange" title="The file is not available yet">
            {problems.map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </Alert>
        )}
        <div>
          {displayCount(rows, 'row')}. Debits {displayMoney(Math.round(debits * 100))}, credits {displayMoney(Math.round(credits * 100))}.
        </div>
        {leftOut.length > 0 && (
          <div className={textStyles.dim}>
            Left out: {leftOut.map(({ location, reason }) => `${location} (${reason.replace(/\.$/, '').toLowerCase()})`).join(', ')}.
          </div>
        )}
      </CardBody>
      {first.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        <section className={scrollStyles.scroll} tabIndex={0} aria-label="First rows">
          <DataTable
            label="First rows"
            isTight
            isHeadless={!headings.length}
            columns={(headings.length ? headings : assertDefined(first[0])).map((heading, index) => ({
              id: String(index),
              label: headings.length ? heading : '',
            }))}
            rows={first}
          />
        </section>
      )}
    </Card>
  )
}

function NewFile() {
  const may = usePermissionCheck()
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const mayForecast = may(listViewPermissions('ConsoleMonitoringBudgetForecast', 'BudgetingMonitoringBudgetForecast'))
  const offered = outgoingFileKinds.filter((name) => name !== 'forecast' || mayForecast)
  const navigate = useNavigate()
  const [connection, setConnection] = useState<OutgoingFileKind>('budgetJournal')
  const [file, setFile] = useState<FileSelection>(initialFileSelection)
  const [tried, setTried] = useState<FilePreview | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { year } = useFileYear(file)
  const request = { ...file, connection, yearName: year }
  const change = (work: () => void): void => {
    work()
    setTried(null)
    setProblem(null)
  }
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(toPublicError(error).message)
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Card style={{ overflow: 'visible', maxWidth: 720 }}>
        <CardBody className={classes.fields}>
          <Choice
            label="File"
            description={outgoingFiles[connection].about}
            data={offered.map((name) => ({ value: name, label: outgoingFiles[name].title }))}
            value={connection}
            onChange={(name) => name && change(() => setConnection(name))}
          />
          <LedgerFileFields file={file} set={(part) => change(() => setFile({ ...file, ...part }))} />
          {problem && (
            <Text size="sm" c="var(--bad)" role="alert">
              {problem}
            </Text>
          )}
          <div style={{ display: 'flex', gap: 8 }}>
            <Button
              variant="default"
              disabled={!year}
              loading={busy}
              onClick={() => void run(async () => setTried(await api.filesOut.tryFile.query(request)))}
            >
              Preview
            </Button>
            <Button
              disabled={!year}
              loading={busy}
              onClick={() => void run(async () => downloadFile(await api.filesOut.file.query(request)))}
            >
              Download
            </Button>
            {mayEdit && (
              <Button variant="subtle" onClick={() => void navigate(`${integrationsPath}/files/layouts/add`)}>
                Add layout
              </Button>
            )}
          </div>
        </CardBody>
      </Card>
      {tried && <PreviewCard tried={tried} />}
    </>
  )
}

/** Exports budgets as files for finance ledgers. The user chooses, previews and downloads a file. */
export function FilesPage() {
  const may = usePermissionCheck()(['BudgetingReportsRead'])
  return (
    <>
      <PageHead
        title="Files for the ledger"
        documentTitle="Files for the ledger - Integrations - Console"
        facts="A budget in your ledger’s import format: expenditure is a debit, income is a credit."
      />
      {may ? (
        <NewFile />
      ) : (
        <EmptyState>
          <h2>No access</h2>
          <p>You need permission to read reports before you can create budget files. Ask the person who manages users.</p>
        </EmptyState>
      )}
    </>
  )
}
