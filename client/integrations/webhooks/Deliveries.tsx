import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { messageRetentionDays, type DeliveryState as State } from '../../../domain/integrations/webhooks.ts'
import { displayCount, displayDateTime, parseMomentInLondon } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { CursorPager, rowsPerPage } from '../CursorPager.tsx'
import classes from '../Integrations.module.css'
import { DeliveryStateLabel, type Webhook, type WebhookDelivery } from './webhookState.tsx'

/** Polling interval while a delivery is imminent. */
const imminentPollMs = 3000
/** Polling interval while no delivery is imminent. */
const idlePollMs = 30_000
/**
 * A delivery due within this time is imminent. A delivery that is being sent counts too, because its next attempt is set two minutes ahead.
 */
const soonMs = 180_000

const isImminent = ({ state, nextTry }: WebhookDelivery): boolean =>
  state === 'waiting' && nextTry !== null && Date.parse(nextTry) - Date.now() < soonMs

const stateOptions = [
  { value: '', label: 'All messages' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'failed', label: 'Failed' },
]

/** Asks for the date from which to send all messages again. */
function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [since, setSince] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { mutate, isPending } = trpc.webhooks.replaySince.useMutation({
    onSuccess: ({ count }) => {
      notifySuccess(`${displayCount(count, 'message')} to be sent again, followed by any not sent yet`)
      onClose()
    },
    onError: (error) => setProblem(error.message),
  })
  const send = (): void => {
    const from = parseMomentInLondon(since)
    if (Number.isNaN(from.getTime())) setProblem('Choose a day and a time.')
    else mutate({ id: webhook.id, since: from.toISOString() })
  }
  return (
    <Dialog onClose={onClose} title="Send everything again">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        className={classes.fields}
      >
        <TextInput
          type="datetime-local"
          label="From"
          description={`Every message since then is sent again with its original id, whether or not it was accepted. At most ${messageRetentionDays} days back.`}
          value={since}
          onChange={(event) => {
            setSince(event.currentTarget.value)
            setProblem(null)
          }}
          error={problem}
          required
          data-autofocus
        />
        <div>
          <Button type="submit" loading={isPending}>
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function ResendButton({ delivery, webhook }: { delivery: WebhookDelivery; webhook: Webhook }) {
  const { mutate, isPending } = trpc.webhooks.replay.useMutation({
    onSuccess: () => notifySuccess('The message is being sent again'),
    onError: notifyFailure,
  })
  if (delivery.state === 'waiting' || webhook.state !== 'active') return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      onClick={() => mutate({ id: webhook.id, deliveryId: delivery.id })}
      aria-label={`Send ${delivery.type} of ${displayDateTime(delivery.occurredAt)} again`}
    >
      Send again
    </Button>
  )
}

/** Describes the response to the last attempt of a delivery, and when the next attempt is due. */
function describeAnswer({ tries, triedAt, nextTry, answer, answerStatus, state }: WebhookDelivery): string {
  const last = triedAt ? (answer ?? `Responded with ${answerStatus}.`) : 'Not attempted yet.'
  const several = tries > 1 ? ` ${displayCount(tries, 'attempt')}, the last on ${triedAt ? displayDateTime(triedAt) : ''}.` : ''
  const next = state === 'waiting' && nextTry && tries > 0 ? ` Next attempt ${displayDateTime(nextTry)}.` : ''
  return last + several + next
}

/** The messages sent to a webhook and the result of each, with buttons to send them again. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const [state, setState] = useState('')
  /** Cursors of the pages visited after the first. Each is the id of the last message of the page before. */
  const [cursors, setCursors] = useState<number[]>([])
  const [isReplaying, setReplaying] = useState(false)
  const deliveries = trpc.webhooks.deliveries.useQuery(
    // One row more than is shown, to find out whether there are older rows. The select offers only valid states.
    { id: webhook.id, state: (state || null) as State | null, before: cursors.at(-1) ?? null, most: rowsPerPage + 1 },
    {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => (data?.some(isImminent) ? imminentPollMs : idlePollMs),
      placeholderData: (before) => before,
    },
  )
  const rows = deliveries.data?.slice(0, rowsPerPage)
  return (
    <Card style={{ marginTop: 16 }} aria-label="Messages">
      <CardHead>
        Messages
        <div style={{ marginLeft: 'auto', display: 'flex', gap: 8 }}>
          <Choice
            size="xs"
            aria-label="Which messages"
            data={stateOptions}
            value={state}
            onChange={(chosen) => {
              setState(chosen ?? '')
              setCursors([])
            }}
          />
          {webhook.state === 'active' && (
            <Button size="xs" variant="default" onClick={() => setReplaying(true)}>
              Send again from…
            </Button>
          )}
        </div>
      </CardHead>
      {isReplaying && <ReplayDialog webhook={webhook} onClose={() => setReplaying(false)} />}
      {deliveries.isError && !rows ? (
        <LoadFailed query={deliveries} />
      ) : !rows ? (
        <Skeleton height={120} />
      ) : !rows.length ? (
        <CardBody className={textStyles.dim}>
          {state ? 'No messages have this status.' : 'No messages yet. The next event will be sent. You can also send a test message.'}
        </CardBody>
      ) : (
        <DataTable
          label="Messages"
          className={classes.table}
          isWrapped
          columns={[
            {
              id: 'type',
              label: 'What happened',
              cell: ({ type, messageId, occurredAt }) => (
                <>
                  {type}
                  <div className={textStyles.dim} title={messageId}>
                    {displayDateTime(occurredAt)}
                  </div>
                </>
              ),
            },
            { id: 'state', label: 'State', cell: (delivery) => <DeliveryStateLabel delivery={delivery} /> },
            {
              id: 'answer',
              label: 'Response',
              cell: (delivery) => <span className={textStyles.dim}>{describeAnswer(delivery)}</span>,
            },
            {
              id: 'again',
              label: 'Send again',
              isLabelHidden: true,
              cell: (delivery) => <ResendButton delivery={delivery} webhook={webhook} />,
            },
          ]}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      <CursorPager rows={deliveries.data} turned={cursors} onTurn={setCursors} isTurning={deliveries.isPlaceholderData} />
    </Card>
  )
}
