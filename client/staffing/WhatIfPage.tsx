import { Button, Skeleton, Slider, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import clsx from 'clsx'
import { useState } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { isDate } from '../../domain/values/calendar.ts'
import { displayCount, displayDate, displayFigure, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { type AwardDraft, AwardFields, createInitialAward, type ExistingAward } from '../budget/AwardChoice.tsx'
import { AwardEffectTable } from '../budget/AwardEffect.tsx'
import { useSelectedBudget } from '../budget/useBudget.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import tilesStyles from '../ui/layout/tiles.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './WhatIfPage.module.css'

type Effect = Awaited<ReturnType<typeof api.whatIf.try.query>>['budgets'][number]

/** The difference in cost that the award makes. */
function Change({ pennies }: { pennies: number }) {
  if (pennies === 0) return <span className={textStyles.dim}>no change</span>
  return (
    <span className={pennies > 0 ? textStyles.up : textStyles.down}>
      {pennies > 0 ? '▲' : '▼'} {displayFigure(Math.abs(pennies))}
    </span>
  )
}

function sumEffects(effects: readonly Effect[], year: string, side: 'before' | 'after'): number {
  return effects.reduce((sum, effect) => sum + toPennies(effect.years.find((one) => one.year === year)?.[side] ?? 0), 0)
}

/** Tries out a pay award for chosen contract types on every school of the trust. The result can be saved as budgets. */
export function WhatIfPage() {
  const budget = useSelectedBudget()
  const may = usePermissionCheck()
  const types = trpc.budgetSummaries.contractTypes.useQuery()
  const existingAwards = trpc.whatIf.standing.useQuery()
  const [typed, setTyped] = useState<AwardDraft | null>(null)
  const [typedRate, setRate] = useState<number | null>(null)
  const [isKeeping, setKeeping] = useState(false)
  const start = createInitialAward(existingAwards.data ?? [], types.data ?? [], `${budget.firstYear + 1}-01-01`)
  const draft = typed ?? start
  const existingAward: ExistingAward | undefined = draft.standing === null ? undefined : existingAwards.data?.[draft.standing]
  const rate = typedRate ?? (existingAward ? Number(existingAward.rate) : 3)
  const award = { contractTypeIds: draft.contractTypeIds, effectiveDate: draft.effectiveDate ?? '', rate }
  const [tried] = useDebouncedValue(award, 120)
  const query = trpc.whatIf.try.useQuery(tried, {
    enabled: existingAwards.isSuccess && tried.contractTypeIds.length > 0 && isDate(tried.effectiveDate),
    placeholderData: keepPreviousData,
  })
  const effects = query.data?.budgets
  const years = [...new Set(effects?.flatMap((effect) => effect.years.map((year) => year.year)) ?? [])].sort()
  const notCalculated = effects?.reduce((sum, effect) => sum + effect.notCalculated, 0) ?? 0
  const mayKeep = may(['ConsoleBudgetManagementReadUpdate']) && may(['ConsoleStaffAssumptionsReadUpdate'])
  return (
    <>
      <PageHead
        title="Pay award what-if"
        documentTitle="Pay award what-if - Staffing"
        pills={<Pill>nothing is saved</Pill>}
        facts="Choose an existing award, even one in a pay table, and change its rate; nothing is counted twice"
      >
        {mayKeep && (
          <Button onClick={() => setKeeping(true)} disabled={!effects}>
            Save as a scenario
          </Button>
        )}
      </PageHead>
      <Card style={{ overflow: 'visible', marginBottom: 16 }}>
        <CardHead>Award</CardHead>
        <CardBody className={clsx(fieldsStyles.fields, classes.award)}>
          {existingAwards.data && types.data && (
            <AwardFields
              existing={existingAwards.data}
              types={types.data}
              value={draft}
              onChange={(next, chosen) => {
                setTyped(next)
                if (next.standing !== draft.standing) setRate(chosen ? Number(chosen.rate) : 3)
              }}
            />
          )}
          <div className={fieldsStyles.double}>
            <div className="mantine-InputWrapper-label" id="rate-label">
              {existingAward ? `${rate.toFixed(2)}% in place of ${Number(existingAward.rate).toFixed(2)}%` : `Award: ${rate.toFixed(2)}%`}
            </div>
            <Slider
              value={rate}
              onChange={setRate}
              min={-2}
              max={10}
              step={0.05}
              label={(value) => `${value.toFixed(2)}%`}
              marks={[-2, 0, 2, 4, 6, 8, 10].map((value) => ({ value, label: `${String(value).replace('-', '−')}%` }))}
              thumbProps={{ 'aria-labelledby': 'rate-label' }}
              mb="lg"
              // The labels of the first and last marks extend beyond the line by half of their width.
              mx={16}
            />
          </div>
        </CardBody>
      </Card>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : !effects ? (
        <Skeleton height={300} />
      ) : (
        <>
          <div className={tilesStyles.tiles} aria-live="polite">
            {years.map((year) => {
              const [before, after] = [sumEffects(effects, year, 'before'), sumEffects(effects, year, 'after')]
              return (
                <div
                  className={tilesStyles.tile}
                  key={year}
                  title={`${displayFigure(before)} without, ${displayFigure(after)} with the award`}
                >
                  <span className={textStyles.dim}>All staff {year}</span>
                  <strong>{displayWholePounds(after)}</strong>
                  <Change pennies={after - before} />
                </div>
              )
            })}
          </div>
          <Card className={scrollStyles.scroll} style={{ marginBottom: 16 }}>
            <CardHead>
              By contract type <CardNote>and what does not change</CardNote>
            </CardHead>
            <AwardEffectTable types={assertDefined(query.data).types} years={years} />
          </Card>
          <Card className={scrollStyles.scroll}>
            <CardHead>
              School by school <CardNote>change from today’s assumptions</CardNote>
              {notCalculated > 0 && (
                <span className={textStyles.missing}>excludes {displayCount(notCalculated, 'contract')} that could not be calculated</span>
              )}
            </CardHead>
            <DataTable
              columns={[
                { id: 'budget', label: displayCount(effects.length, 'budget'), cell: (effect) => effect?.location ?? 'All' },
                ...createFigureColumns<(typeof effects)[number] | null>(years, (effect, at) => {
                  const year = assertDefined(years[at])
                  if (!effect) return <Change pennies={sumEffects(effects, year, 'after') - sumEffects(effects, year, 'before')} />
                  const yearEffect = effect.years.find((one) => one.year === year)
                  return yearEffect && <Change pennies={toPennies(yearEffect.after) - toPennies(yearEffect.before)} />
                }),
              ]}
              rows={[...effects, null]}
              look={(effect) => (effect ? undefined : 'total')}
            />
          </Card>
        </>
      )}
      {isKeeping && <SaveWhatIfDialog award={award} count={effects?.length ?? 0} onClose={() => setKeeping(false)} />}
    </>
  )
}

/** Saves a what-if: creates staff assumptions, and a calculated duplicate of each budget that uses these assumptions. */
function SaveWhatIfDialog({
  award,
  count,
  onClose,
}: {
  award: Parameters<typeof api.whatIf.try.query>[0]
  count: number
  onClose: () => void
}) {
  const budgets = useTerm()('Budget')
  const [name, setName] = useState(`Pay award ${award.rate.toFixed(2)}%`)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { mutateAsync: makeCopies } = trpc.whatIf.keep.useMutation()
  const keep = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await makeCopies({ ...award, name })
      notifySuccess(notices.duplicated)
      onClose()
    } catch (error) {
      const { fields, message } = toPublicError(error)
      setProblem(fields[0]?.message ?? message)
      if (!fields.length) notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title="Save as a scenario">
      <p style={{ marginTop: 0 }}>
        {displayCount(count, 'budget')} will be duplicated under this name, with staff assumptions that have {award.rate.toFixed(2)}% from{' '}
        {displayDate(award.effectiveDate)}. The {toMidSentence(budgets.plural)} you have now do not change.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void keep()
        }}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          data-autofocus
        />
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end', marginTop: 16 }}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
