import { Button, Combobox, Text, useCombobox } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import clsx from 'clsx'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { budgetState } from '../../../domain/lookups/lookupIds.ts'
import { toBudgetId, toLocationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { selectBudget, selectLocation, selectOrganisation, useCore, useTerm } from '../core.ts'
import { notifyFailure } from '../notify.tsx'
import { useSelection } from '../selection.ts'
import { confirmDiscard } from '../unsavedChanges.ts'
import classes from './SelectionBar.module.css'

interface Item {
  id: string
  name: string
  note?: string
}

/** One level of the selection: the chosen item, and a searchable list. */
function Step({
  term,
  items,
  value,
  onChoose,
  strong,
}: {
  term: { singular: string; plural: string }
  items: Item[]
  value: string | null
  onChoose: (id: string) => Promise<void> | void
  strong?: boolean
}) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => setSearch(''), onDropdownOpen: () => combobox.focusSearchInput() })
  const chosen = items.find((item) => item.id === value)
  const shown = items.filter((item) => item.name.toLowerCase().includes(search.trim().toLowerCase())).slice(0, 200)
  const choose = async (id: string): Promise<void> => {
    combobox.closeDropdown()
    if (id === value || !(await confirmDiscard())) return
    try {
      await onChoose(id)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Combobox store={combobox} width={300} position="bottom-start" onOptionSubmit={(id) => void choose(id)}>
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant={strong ? 'light' : 'subtle'}
          color={strong ? 'teal' : 'gray'}
          c={strong ? undefined : 'var(--ink)'}
          size="compact-md"
          classNames={{ label: classes.name }}
          fw={strong ? 600 : 400}
          aria-label={`${term.singular}: ${chosen?.name ?? 'none'}`}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => combobox.toggleDropdown()}
          disabled={!items.length}
        >
          {chosen?.name ?? (items.length ? `Choose ${toMidSentence(term.singular)}` : `No ${toMidSentence(term.singular)}`)}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={`Search ${toMidSentence(term.plural)}`}
          aria-label={`Search ${toMidSentence(term.plural)}`}
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
        />
        <Combobox.Options aria-label={term.singular}>
          {shown.length ? (
            shown.map((item) => (
              <Combobox.Option key={item.id} value={item.id} active={item.id === value} aria-selected={item.id === value}>
                <Text size="sm" fw={item.id === value ? 600 : 400}>
                  {item.name}
                </Text>
                {item.note && (
                  <Text size="xs" c="dimmed">
                    {item.note}
                  </Text>
                )}
              </Combobox.Option>
            ))
          ) : (
            <Combobox.Empty>Nothing matches.</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/**
 * The selected organisation, location and budget, always visible (behaviour B-008).
 * @param wraps whether long names may wrap to a second line
 */
export function SelectionBar({ wraps = false }: { wraps?: boolean }) {
  const { organisations, locations, budgets } = useCore()
  const { organisationId, locationId, budgetId } = useSelection()
  const term = useTerm()
  const { pathname } = useLocation()
  const area = pathname.startsWith('/administrator') ? 'administrator' : pathname.startsWith('/console') ? 'console' : 'budget'
  const quiet = area === 'budget' ? undefined : { opacity: 0.85 }
  return (
    <section
      className={clsx(classes.path, wraps && classes.wraps)}
      aria-label="Selection"
      title={
        area === 'administrator'
          ? 'The administrator area applies to all organisations'
          : area === 'console'
            ? 'The console applies to the organisation'
            : undefined
      }
    >
      <Step
        term={term('Organisation')}
        items={organisations.map(({ id, name }) => ({ id: String(id), name }))}
        value={organisationId === null ? null : String(organisationId)}
        onChoose={(id) => selectOrganisation(toOrganisationId(Number(id)))}
        strong={area === 'console'}
      />
      <span className={classes.sep} aria-hidden>
        ›
      </span>
      <span style={quiet}>
        <Step
          term={term('Location')}
          items={locations.map(({ id, name }) => ({ id: String(id), name }))}
          value={locationId === null ? null : String(locationId)}
          onChoose={(id) => selectLocation(toLocationId(Number(id)))}
        />
      </span>
      <span className={classes.sep} aria-hidden>
        ›
      </span>
      <span style={quiet}>
        <Step
          term={term('Budget')}
          items={budgets.map((budget) => ({
            id: budget.mongoId,
            name: budget.name,
            note: budget.state === budgetState.locked ? 'Locked' : undefined,
          }))}
          value={budgetId}
          onChoose={(id) => selectBudget(toBudgetId(id))}
          strong={area === 'budget'}
        />
      </span>
    </section>
  )
}
