import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { displayCount, displayDateTime, displayNumber } from '../../../domain/values/format.ts'
import type { BudgetId, ContractId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody } from '../../ui/layout/Card.tsx'
import { ChangedFields } from '../../ui/table/ChangedFields.tsx'

/** If there are no more changes than this, there is no search box. */
const maximumWithoutSearch = 12

interface Line {
  actor: string
  sentence: string
  at: string
  changes: readonly { field: string; before: string; after: string }[]
}

/** Joins all text of a change, for searching. */
const toSearchText = ({ actor, sentence, at, changes }: Line): string =>
  [actor, sentence, displayDateTime(at), ...changes.flatMap(({ field, before, after }) => [field, before, after])].join(' ').toLowerCase()

const newest: number | undefined = undefined

/**
 * The history of a budget, or of one of its contracts, field by field. Users can undo their own changes.
 * @param budgetId a budget other than the selected one; its history is read-only
 */
export function BudgetHistory({ contractId, budgetId: other }: { contractId?: ContractId; budgetId?: BudgetId }) {
  const { client } = trpc.useUtils()
  const mayOpen = usePermissionCheck()(listViewPermissions('BudgetingOverview'))
  const history = useInfiniteQuery({
    queryKey: [...getQueryKey(other ? trpc.budgets.historyById : trpc.budgets.history), 'pages', other, contractId],
    queryFn: ({ pageParam: before }) =>
      other ? client.budgets.historyById.query({ id: other, before }) : client.budgets.history.query({ contractId, before }),
    initialPageParam: newest,
    // Version 1 is the creation of the budget, so there are no earlier changes.
    getNextPageParam: (page) => {
      const last = page.at(-1)?.version ?? 1
      return last > 1 && (!contractId || page.length === 100) ? last : undefined
    },
    staleTime: 0,
    // Always load the history when it is opened, and never show an old one from the cache.
    gcTime: 0,
  })
  const [searchText, setSearchText] = useState('')
  const words = searchText.toLowerCase().split(/\s+/).filter(Boolean)
  const { hasNextPage, isFetching, isError, fetchNextPage } = history
  const isSearching = words.length > 0
  // A match may be on any page, so a search loads all earlier pages in turn and stops at the first error.
  useEffect(() => {
    if (isSearching && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isSearching, hasNextPage, isFetching, isError, fetchNextPage])
  const undo = trpc.budgets.undo.useMutation({ onSuccess: () => notifySuccess(notices.saved), onError: notifyFailure })
  if (history.isLoadingError) return <LoadFailed query={history} />
  if (!history.data) return <Skeleton height={160} />
  const lines = history.data.pages.flat()
  if (!lines.length) return <EmptyState>No changes yet.</EmptyState>
  const found = lines.filter((line) => {
    const lineText = toSearchText(line)
    return words.every((word) => lineText.includes(word))
  })
  return (
    <Card>
      {(lines.length > maximumWithoutSearch || hasNextPage) && (
        <CardBody>
          <TextInput
            aria-label="Search the history"
            placeholder="Search for a person, date, figure or word"
            value={searchText}
            onChange={(event) => setSearchText(event.currentTarget.value)}
            leftSection={<IconSearch size={15} />}
            maw={420}
          />
          {isSearching && (
            <p className={textStyles.dim} role="status" style={{ margin: '8px 0 0' }}>
              {displayCount(found.length, 'change')} found{hasNextPage ? ` in the latest ${displayNumber(lines.length)}` : ''}
            </p>
          )}
        </CardBody>
      )}
      <ul className={historyStyles.history}>
        {found.map((line) => (
          <li key={line.version}>
            <b>{line.actor}</b> {line.sentence}
            <span className={textStyles.dim}>
              {' '}
              · {displayDateTime(line.at)} ·{' '}
              {mayOpen && !other ? (
                <Link to={`/overview/versions/${line.version}`} title="The budget at that point">
                  version {line.version}
                </Link>
              ) : (
                `version ${line.version}`
              )}
            </span>
            {line.undoable && !other && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                loading={undo.isPending && undo.variables.versions.includes(line.version)}
                onClick={() => undo.mutate({ versions: [line.version] })}
              >
                Undo
              </Button>
            )}
            {line.changes.length > 0 && <ChangedFields changes={line.changes} />}
          </li>
        ))}
      </ul>
      {isError && (
        <p role="alert" style={{ margin: '8px 14px 0' }}>
          {toPublicError(history.error).message}
        </p>
      )}
      {hasNextPage && (!isSearching || isError) && (
        <Button variant="subtle" m="sm" loading={history.isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier changes
        </Button>
      )}
    </Card>
  )
}
