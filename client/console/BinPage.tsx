import { Button, Checkbox, Select, Table, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { keptInBinDays } from '../../domain/bin.ts'
import { dayInLondon, displayCount, displayDate, displayDateTime, displayNumber } from '../../domain/format.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import { Pager } from '../resources/list/Pager.tsx'
import { storedPageSize } from '../resources/listState.ts'
import { type api, problemOf, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { failed, said } from '../shell/notify.tsx'
import cardStyles from '../ui/Card.module.css'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Pill } from '../ui/Pill.tsx'
import { Tools } from '../ui/Tools.tsx'
import textStyles from '../ui/text.module.css'

type Bin = Awaited<ReturnType<typeof api.bin.list.query>>
type Row = Bin['rows'][number]

const keyOf = ({ kind, id }: Pick<Row, 'kind' | 'id'>): string => `${kind} ${id}`

/** What was deleted of late, to be looked through and restored. */
export function BinPage() {
  const term = useTerm()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const [kind, setKind] = useState<string | null>(null)
  const [pageNumber, setPageNumber] = useState(1)
  const [pageSize, setPageSize] = useState(storedPageSize())
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const { mutateAsync: send, isPending } = trpc.bin.restore.useMutation()
  const bin = trpc.bin.list.useQuery(
    { search, kinds: kind ? [kind] : null, pageNumber, pageSize },
    { staleTime: 0, placeholderData: (before) => before },
  )
  const look = (change: () => void): void => {
    change()
    setPageNumber(1)
    setChosen(new Map())
  }
  const restore = async (rows: readonly Row[], withNeeded = false): Promise<void> => {
    try {
      await send({ records: rows.map(({ kind: of, id }) => ({ kind: of, id })), withNeeded })
      const [first] = rows
      said(rows.length === 1 && first ? `Restored ${first.name}` : `Restored ${displayCount(rows.length, 'record')}`)
      setChosen(new Map())
      setPageNumber(1)
    } catch (error) {
      const { code, message } = problemOf(error)
      if (code !== 'needsOthers') return failed(error)
      modals.openConfirmModal({
        title: 'Restore what it belongs to as well?',
        children: <Text size="sm">{message}</Text>,
        labels: { cancel: 'Cancel', confirm: 'Restore both' },
        onConfirm: () => void restore(rows, true),
      })
    }
  }
  if (bin.isError && !bin.data) return <LoadFailed query={bin} />
  if (!bin.data) return <PageSkeleton />
  const { rows, total, kinds } = bin.data
  const wordOf = (name: string): string => term(resourceNamed(name).key).singular
  const isAll = rows.length > 0 && rows.every((row) => chosen.has(keyOf(row)))
  const isSome = rows.some((row) => chosen.has(keyOf(row)))
  const choose = (some: readonly Row[], isOn: boolean): void => {
    const next = new Map(chosen)
    for (const row of some)
      if (isOn) next.set(keyOf(row), row)
      else next.delete(keyOf(row))
    setChosen(next)
  }
  const isLookedFor = search !== '' || kind !== null
  return (
    <>
      <PageHead
        title="Bin"
        documentTitle="Bin - Console"
        pills={<Pill>{displayNumber(total)}</Pill>}
        facts={`What was deleted in the last ${keptInBinDays} days. People and users are not kept here: deleting them is for good.`}
      />
      <Tools>
        <TextInput
          value={typed}
          onChange={(event) => {
            const { value } = event.currentTarget
            look(() => setTyped(value))
          }}
          placeholder="Search code, name"
          aria-label="Search the bin"
          leftSection={<IconSearch size={15} />}
          maxLength={200}
          w={300}
          maw="100%"
        />
        <Select
          aria-label="Kind"
          placeholder="All kinds"
          data={kinds.map((name) => ({ value: name, label: wordOf(name) })).sort((a, b) => a.label.localeCompare(b.label))}
          value={kind}
          onChange={(value) => look(() => setKind(value))}
          clearable
          searchable
          w={240}
          maw="100%"
        />
      </Tools>
      <Card aria-label="Deleted records">
        {rows.length ? (
          <Table.ScrollContainer minWidth={720}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={44}>
                    <Checkbox
                      aria-label="Choose all of this page"
                      checked={isAll}
                      indeterminate={isSome && !isAll}
                      onChange={() => choose(rows, !isAll)}
                    />
                  </Table.Th>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Kind</Table.Th>
                  <Table.Th>Deleted</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Stays until</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>Restore</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={keyOf(row)}>
                    <Table.Td>
                      <Checkbox
                        aria-label={`Choose ${row.name}`}
                        checked={chosen.has(keyOf(row))}
                        onChange={(event) => choose([row], event.currentTarget.checked)}
                      />
                    </Table.Td>
                    <Table.Td>
                      {row.name}
                      {row.parts > 0 && <span className={textStyles.dim}> with {displayCount(row.parts, 'row')}</span>}
                    </Table.Td>
                    <Table.Td>{wordOf(row.kind)}</Table.Td>
                    <Table.Td>{displayDateTime(row.deletedAt)}</Table.Td>
                    <Table.Td>{row.deletedBy}</Table.Td>
                    <Table.Td>{displayDate(dayInLondon(row.until))}</Table.Td>
                    <Table.Td ta="right">
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        aria-label={`Restore ${row.name}`}
                        disabled={isPending}
                        onClick={() => void restore([row])}
                      >
                        Restore
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : (
          <Empty>
            <h2>{isLookedFor ? 'Nothing in the bin matches' : 'The bin is empty'}</h2>
            <p>
              {isLookedFor
                ? 'Look for something else, or among all kinds.'
                : `What is deleted from a list stays here for ${keptInBinDays} days and can be restored.`}
            </p>
          </Empty>
        )}
        {total > 0 && (
          <div className={cardStyles.foot}>
            {chosen.size > 0 && (
              <>
                <b aria-live="polite">{displayNumber(chosen.size)} selected</b>
                <Button size="compact-sm" onClick={() => void restore([...chosen.values()])} loading={isPending}>
                  Restore
                </Button>
                <Button variant="subtle" size="compact-sm" color="gray" onClick={() => setChosen(new Map())}>
                  Select none
                </Button>
              </>
            )}
            <Pager
              total={total}
              pageNumber={pageNumber}
              pageSize={pageSize}
              onPage={setPageNumber}
              onPageSize={(size) => look(() => setPageSize(size))}
            />
          </div>
        )}
      </Card>
    </>
  )
}
