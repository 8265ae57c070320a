import { Alert, Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { resources } from '../../domain/resources/all.ts'
import { displayWholePounds } from '../../domain/values/format.ts'
import { InlineList } from '../resources/inline/InlineList.tsx'
import { getResourceCalls, useResourceMutations } from '../resources/resourceApi.ts'
import { useResourceUndo, useUndoKey } from '../resources/useResourceUndo.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Spinner } from '../ui/Spinner.tsx'

const ImportDialog = lazyComponent(() => import('../resources/import/ImportDialog.tsx'), 'ImportDialog')

const levy = resources.apprenticeshipLevy

/**
 * Each location's share of the levy allowance, as amounts or percentages. The shares can be edited unless they are calculated (behaviour
 * B-192).
 */
export function LevyPage() {
  const { organisationId } = useSelection()
  const term = useTerm()(levy.key)
  const may = usePermissionCheck()
  const mayEdit = may(['ConsoleApprenticeshipLevyReadUpdate'])
  const [importing, setImporting] = useState(false)
  const { import: importRows } = useResourceMutations(levy)
  const undo = useResourceUndo(levy)
  useUndoKey([levy])
  const settings = trpc.lookups.levySettings.useQuery()
  if (settings.isLoadingError) return <p role="alert">{toPublicError(settings.error).message}</p>
  if (!settings.data) return <Spinner />
  const { calculateApprenticeshipLevyAutomatically: automatic, apprenticeshipLevyAllowanceAsPercentage: asPercentage } = settings.data
  const typed = mayEdit && !automatic
  const { annualAllowance, ratePercentage } = settings.data
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Console`}
        facts={`${ratePercentage}% of the pay bill, less ${displayWholePounds(annualAllowance * 100)} a year, shared between the locations ${asPercentage ? 'by percentage' : 'by amount'}`}
      >
        {typed && (
          <Button variant="default" onClick={() => setImporting(true)}>
            Import
          </Button>
        )}
      </PageHead>
      {automatic && (
        <Alert mb="md" title="The levy is calculated automatically">
          Each location pays the levy on its own pay bill, so nothing needs to be entered here.{' '}
          {may(['ConsoleOrganisationsReadUpdate']) ? (
            <Anchor component={Link} underline="always" to={`/console/general/organisations/${organisationId}`}>
              Change this in the organisation’s settings
            </Anchor>
          ) : (
            'Someone who can change the organisation can turn this off.'
          )}
        </Alert>
      )}
      <InlineList
        resource={levy}
        fixed={{}}
        columns={['locationId', 'effectiveDate', asPercentage ? 'percentage' : 'allowance']}
        mayEdit={typed}
        empty={
          <>
            <h2>No shares yet</h2>
            <p>{levy.purpose}</p>
          </>
        }
      />
      {importing && (
        <PageSection height={0}>
          <ImportDialog
            resource={levy}
            calls={{ import: importRows, template: getResourceCalls(levy).template }}
            isHidden={() => false}
            onClose={() => setImporting(false)}
            undo={undo.of}
          />
        </PageSection>
      )}
    </>
  )
}
