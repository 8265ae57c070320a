import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

const packsPath = '/console/packs'

/** The latest finished governors’ pack: its figures, its summary sentence, and a button to read it. */
export function PackCard() {
  const latest = trpc.packs.latest.useQuery()
  if (latest.isError) return <LoadFailed query={latest} />
  if (!latest.data) return null
  const { code, place, finished, headlines, sentence } = latest.data
  const name = `${formatMonth(latest.data)}, ${place}`
  return (
    <Card aria-label="The latest pack">
      <CardHead>
        <Link to={packsPath}>Latest pack</Link>
        <CardNote>{name}</CardNote>
      </CardHead>
      <dl className={classes.figures}>
        {headlines.map(({ label, value, note, isBad }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={isBad ? textStyles.up : undefined}>{value}</dd>
            <dd className={classes.beside}>{note}</dd>
          </div>
        ))}
      </dl>
      <ul className={classes.waiting}>
        <li className={classes.task}>
          <span>
            <span>{sentence}</span>
            <span className={textStyles.dim}>
              Finished by {finished.by}, {displayDateTime(finished.at)}
            </span>
          </span>
          <Button component={Link} variant="default" size="xs" to={`${packsPath}/${code}`} aria-label={`Read the pack for ${name}`}>
            Read
          </Button>
        </li>
      </ul>
    </Card>
  )
}
