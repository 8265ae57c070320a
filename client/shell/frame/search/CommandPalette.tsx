import { toBudgetId } from '../../../../domain/values/ids.ts'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { containsAllWords, rankMatch, splitSearch } from '../../../../domain/lists/search.ts'
import { budgetRecalculationPermissions, groupRecalculationPermissions } from '../../../../domain/people/permissions.ts'
import { type TermKey, termKeys, toMidSentence } from '../../../../domain/words/terms.ts'
import { trpc } from '../../api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../../core.ts'
import { hasSubPage } from '../../screens/screen.ts'
import { useScreens, useScreenTitle } from '../../screens/useScreens.ts'
import { readVisitedPaths } from '../../screens/visitedPaths.ts'
import { useSelection } from '../../selection.ts'
import { useChooseSelection } from '../../useChooseSelection.ts'
import { useRecalculationState } from '../../useRecalculationState.ts'
import classes from './Palette.module.css'
import { type SearchHit, useOpenSearchHit } from './useOpenSearchHit.ts'
import { useRecalculate } from './useRecalculate.ts'

/** Milliseconds without a key after which the search starts. */
const pauseMs = 120
const fewestLetters = 2
/** Maximum number of screens, and of budgets, in the results. */
const maximumShown = 6

/** Further words by which a screen is found, by path. */
const searchSynonyms: Readonly<Record<string, string>> = {
  '/overview/summary': 'deficit surplus balance in-year print',
  '/overview/opening-balances': 'reserves carry forward',
  '/overview/scenarios': 'what if pay award',
  '/overview/how-sure': 'risk chance deficit',
  '/console/at-a-glance': 'schools trust deficit surplus',
  '/console/budget-management': 'roll forward new year copy lock unlock',
  '/console/budget-management/groups': 'recalculate',
  '/staffing/staff-contracts': 'import HR payroll posts teachers',
  '/staffing/extended-leave-rates': 'maternity paternity adoption sick leave',
  '/console/staffing/extended-leave-rules': 'maternity paternity adoption sick leave',
  '/staffing/allowances': 'TLR SEN',
  '/console/staffing/allowances': 'TLR SEN',
  '/staffing/pay-scales': 'spine points salaries MPS UPS NJC SCP',
  '/console/staffing/pay-awards': 'pay rise cost of living',
  '/non-staffing/budget-entries': 'income expenditure energy paste sheet',
  '/non-staffing/funding-predictor': 'GAG grant income',
  '/console/general/users': 'permissions sign-in colleagues password',
}

function termOf(entity: SearchHit['entity']): TermKey {
  return termKeys.find((key) => key.toLowerCase() === entity.toLowerCase()) ?? 'Budget'
}

const [paletteStore, palette] = createSpotlight()

interface Found extends SpotlightActionData {
  label: string
}

/**
 * Search and quick actions. It finds screens, budgets, people, contracts, entries, codes and settings by name.
 * @param requests a number that increases at each request to open the palette; if the palette is open, the request closes it
 */
export function CommandPalette({ requests }: { requests: number }) {
  const [query, setQuery] = useState('')
  const [settled] = useDebouncedValue(query.trim(), pauseMs)
  useEffect(() => {
    if (requests > 0) palette.toggle()
  }, [requests])
  const isRecalculating = /^recalc\w*\s*/i.test(query.trim())
  const rest = (text: string): string => text.replace(/^(recalc\w*|add|new|open|find)\s+/i, '')
  const words = splitSearch(rest(query))
  const searchText = rest(settled)
  const found = useHits(searchText, words, isRecalculating)
  const screens = useScreenActions(query)
  const actions = useAddActions(query)
  const recalculate = useRecalculateActions(isRecalculating, words)
  const groups = [...recalculate, ...screens, ...actions, ...found.groups]
  const best = (group: SpotlightActionGroupData): number => Math.min(...group.actions.map((one) => rankMatch(one.label ?? '', rest(query))))
  const ranked = query.trim() ? groups.map((group) => ({ group, rank: best(group) })).sort((a, b) => a.rank - b.rank) : null
  const shown = ranked ? ranked.map(({ group }) => group) : groups
  // Comments and notes come after all matches of names, however well they match.
  const offeredGroups = isRecalculating ? [...recalculate, ...found.groups, ...screens] : [...shown, ...found.written]
  useFirstChosen(query, offeredGroups[0]?.actions[0]?.id)
  const isSearching = found.isLooking || (settled !== query.trim() && rest(query).length >= fewestLetters)
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      store={paletteStore}
      actions={offeredGroups}
      // The actions are already filtered and ordered.
      filter={(_query, all) => all}
      nothingFound={isSearching ? 'Looking…' : found.error || 'Nothing matches.'}
      highlightQuery
      scrollable
      maxHeight="70vh"
      classNames={{ action: classes.action }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      centered={false}
      shortcut={null}
      searchProps={{
        placeholder: 'Search people, contracts, codes, entries, notes, budgets, screens and help',
        'aria-label': 'Search or jump to',
        leftSection: <IconSearch size={18} />,
      }}
    />
  )
}

/**
 * Selects the first result, so that Enter opens it even if results arrive later. If the user has moved down the list, the selection does
 * not change.
 */
function useFirstChosen(query: string, first: string | undefined): void {
  useEffect(() => {
    const { listId, selected } = paletteStore.getState()
    if (!query.trim() || first === undefined || selected > 0) return
    const list = document.getElementById(listId)
    for (const one of list?.querySelectorAll('[data-selected]') ?? []) one.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    paletteStore.updateState((state) => ({ ...state, selected: 0 }))
  }, [query, first])
}

function createGroup(name: string, actions: Found[]): SpotlightActionGroupData[] {
  return actions.length ? [{ group: name, actions }] : []
}

/** Returns the screens whose names contain the search; without a search, the screens opened most recently. */
function useScreenActions(query: string): SpotlightActionGroupData[] {
  const screens = useScreens()
  const title = useScreenTitle()
  const navigate = useNavigate()
  const choose = useChooseSelection()
  const { organisationId } = useSelection()
  const { budgets } = useCoreData()
  const words = splitSearch(query)
  const all = screens.map((screen): Found => {
    const area = screen.section ? `${screen.area}, ${screen.section.toLowerCase()}` : screen.area
    return {
      id: screen.path,
      label: title(screen),
      description: area,
      keywords: searchSynonyms[screen.path],
      leftSection: <screen.icon size={18} stroke={1.6} />,
      onClick: () => void navigate(screen.path),
    }
  })
  if (!words.length) {
    const last = readVisitedPaths().flatMap((path) => all.find(({ id }) => id === path) ?? [])
    const budgetActions = budgets.map(
      (budget): Found => ({
        id: budget.mongoId,
        label: budget.name,
        description: 'Open this budget',
        onClick: () => void choose({ organisationId, locationId: budget.locationId, budgetId: budget.mongoId }),
      }),
    )
    const others = all.filter((one) => !last.includes(one))
    return [...createGroup('Recently opened', last), ...createGroup('Budgets', budgetActions), ...createGroup('Screens', others)]
  }
  const named = all
    .filter(({ label, description, keywords }) => containsAllWords(`${label} ${description} ${keywords ?? ''}`, words))
    .sort((a, b) => rankAction(a) - rankAction(b))
  return createGroup('Screens', named.slice(0, maximumShown))

  /** A match of a screen's name ranks before a match of its area's name. */
  function rankAction({ label }: Found): number {
    return rankMatch(label, query) + (containsAllWords(label, words) ? 0 : 4)
  }
}

/** Returns the screens where the user can create a record, for a search such as "Add contract". */
function useAddActions(query: string): SpotlightActionGroupData[] {
  const screens = useScreens()
  const may = usePermissionCheck()
  const term = useTerm()
  const title = useScreenTitle()
  const navigate = useNavigate()
  const words = splitSearch(query)
  if (!words.length) return []
  const actions = screens.flatMap((screen): Found[] => {
    if (!hasSubPage(screen, 'add') || screen.edit === 'nobody' || !may(screen.edit)) return []
    const one = typeof screen.title === 'string' ? term(screen.title).singular : (screen.title.singular ?? title(screen))
    return [
      {
        id: `${screen.path}/add`,
        label: `Add ${toMidSentence(one)}`,
        description: screen.section ? `${screen.area}, ${screen.section.toLowerCase()}` : screen.area,
        leftSection: <IconPlus size={18} stroke={1.6} />,
        onClick: () => void navigate(`${screen.path}/add`),
      },
    ]
  })
  const isAsked = /^(add|new)\b/i.test(query.trim())
  const named = actions.filter(({ label }) => containsAllWords(label.replace(/^Add/, 'Add new'), words))
  return createGroup('Do', named.slice(0, isAsked ? maximumShown : 2))
}

/** Returns the budgets whose names match, or the open budget, for a search such as "Recalculate Northgate". */
function useRecalculateActions(isAsked: boolean, words: readonly string[]): SpotlightActionGroupData[] {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const recalculate = useRecalculate()
  const { mayRecalculate } = useRecalculationState()
  const named = words.filter((word) => !/^recalc/.test(word))
  if (!isAsked || named.length || !mayRecalculate) return []
  const open = budgets.find(({ mongoId }) => mongoId === budgetId)
  if (!open) return []
  return createGroup('Do', [
    {
      id: 'recalculate',
      label: `Recalculate ${open.name}`,
      description: 'The budget that is open',
      leftSection: <IconRefresh size={18} stroke={1.6} />,
      onClick: () => recalculate(open.mongoId, open.name),
    },
  ])
}

/**
 * Returns search results from the server: a group for each kind of record, ordered by the best match, and separately the matches in
 * comments and notes.
 */
function useHits(
  searchText: string,
  words: readonly string[],
  isRecalculating: boolean,
): { groups: SpotlightActionGroupData[]; written: SpotlightActionGroupData[]; isLooking: boolean; error: string | null } {
  const { organisationId } = useSelection()
  const term = useTerm()
  const may = usePermissionCheck()
  const openHit = useOpenSearchHit()
  const recalculate = useRecalculate()
  const isEnabled = organisationId !== null && searchText.length >= fewestLetters
  const hits = trpc.search.find.useQuery(
    { search: searchText.slice(0, 100) },
    { enabled: isEnabled, placeholderData: (before) => before, staleTime: 0 },
  )
  if (!isEnabled || words.join('').length < fewestLetters) return { groups: [], written: [], isLooking: false, error: null }
  const matchesWords = ({ name, detail }: SearchHit): boolean => !hits.isPlaceholderData || containsAllWords(`${name} ${detail}`, words)
  const groups = new Map<string, Found[]>()
  const written = new Map<string, Found[]>()
  const addToGroup = (name: string, action: Found, among = groups): void => void among.set(name, [...(among.get(name) ?? []), action])
  for (const hit of (hits.data ?? []).filter(matchesWords)) {
    const { entity, id, name, detail } = hit
    if (isRecalculating) {
      if (entity === 'budget' && may([...budgetRecalculationPermissions, ...groupRecalculationPermissions]))
        addToGroup('Do', {
          id: `recalculate ${id}`,
          label: `Recalculate ${detail}`,
          description: name,
          leftSection: <IconRefresh size={18} stroke={1.6} />,
          onClick: () => recalculate(toBudgetId(id), `${detail}, ${name}`),
        })
      continue
    }
    const open = openHit(hit)
    if (!open) continue
    const action = { id: `${entity} ${id}`, label: name, description: detail || undefined, onClick: () => void open() }
    if (entity === 'comment') addToGroup('Comments', action, written)
    else if (entity === 'entryNote') addToGroup(`Notes in ${toMidSentence(term('BudgetEntry').plural)}`, action, written)
    else if (entity === 'monitoringNote') addToGroup('Notes in monitoring', action, written)
    else addToGroup(term(termOf(entity)).plural, action)
  }
  const groupsOf = (all: Map<string, Found[]>): SpotlightActionGroupData[] =>
    [...all].flatMap(([name, actions]) => createGroup(name, actions))
  return {
    groups: groupsOf(groups),
    written: groupsOf(written),
    isLooking: hits.isFetching && !hits.data,
    error: hits.isError ? 'The search failed. Try again in a moment.' : null,
  }
}
