import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

const packsPath = '/console/packs'

/** The latest finished governors’ pack, to open from the home page. */
export function PackCard() {
  const packs = trpc.packs.list.useQuery()
  if (packs.isError) return <LoadFailed query={packs} />
  const latest = packs.data?.find((one) => one.finished)
  if (!latest?.finished) return null
  const name = `${formatMonth(latest)}, ${latest.place}`
  return (
    <Card aria-label="The latest pack">
      <CardHead>
        <Link to={packsPath}>Latest pack</Link>
      </CardHead>
      <ul className={classes.waiting}>
        <li className={classes.task}>
          <span>
            <b>{name}</b>
            <span className={textStyles.dim}>
              Finished by {latest.finished.by}, {displayDateTime(latest.finished.at)}
            </span>
          </span>
          <Button component={Link} variant="default" size="xs" to={`${packsPath}/${latest.code}`} aria-label={`Read the pack of ${name}`}>
            Read
          </Button>
        </li>
      </ul>
    </Card>
  )
}
