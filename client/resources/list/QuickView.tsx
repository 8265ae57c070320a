import { Button, Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { getResource } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPublicError } from '../../shell/api.ts'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { hasSubPage } from '../../shell/screens/screen.ts'
import { useScreens } from '../../shell/screens/useScreens.ts'
import { useSelection } from '../../shell/selection.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { RecordValue } from '../record/RecordValue.tsx'
import { getResourceHooks } from '../resourceApi.ts'
import classes from './QuickView.module.css'

/** A dialog with the main fields of a picked record and a link to the record's screen, so that the user need not leave the form. */
export function RecordQuickView({ to, id, onClose }: { to: string; id: number; onClose: () => void }) {
  const resource = getResource(to)
  const { organisationId } = useSelection()
  const { organisations } = useCoreData()
  const term = useTerm()(resource.key)
  const screen = useScreens().find((one) => one.resource === to && hasSubPage(one, ':id'))
  const record = getResourceHooks(resource, screen?.own).get.useQuery({ id })
  const flags = organisations.find((one) => one.id === organisationId)?.flags ?? {}
  const isShown = (name: string): boolean => {
    const { hiddenUnless } = assertDefined(resource.fields[name])
    const value = record.data?.[name]
    return (!hiddenUnless || Boolean(flags[hiddenUnless])) && value !== null && value !== ''
  }
  const names = [...new Set([...resource.naming, ...resource.grid])].filter(isShown)
  return (
    <Dialog onClose={onClose} title={term.singular} size="md">
      {record.isError && <p role="alert">{toPublicError(record.error).message}</p>}
      {record.isPending && <Skeleton height={140} />}
      {record.data && (
        <>
          <dl className={classes.quick}>
            {names.map((name) => (
              <div key={name}>
                <dt>{assertDefined(resource.fields[name]).label}</dt>
                <dd>
                  <RecordValue field={assertDefined(resource.fields[name])} value={record.data[name]} />
                </dd>
              </div>
            ))}
          </dl>
          {screen && (
            <Button component={Link} to={`${screen.path}/${id}`} variant="default" mt="md" onClick={onClose}>
              Open
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}
