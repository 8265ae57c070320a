import { Button } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { labelContract } from '../../../domain/budget/budget.ts'
import { type CostLine, listCostLines } from '../../../domain/calculation/staffing/lines.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { isMongoId } from '../../budget/isMongoId.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { toPublicError, trpc } from '../../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { useSelection } from '../../shell/selection.ts'
import emptyStyles from '../../ui/Empty.module.css'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { Spinner } from '../../ui/Spinner.tsx'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { ContractNotFound } from '../ContractNotFound.tsx'
import { FigureButton } from './FigureButton.tsx'
import { RecordedDerivation } from './RecordedDerivation.tsx'
import type { SelectedFigure } from './selectedFigure.ts'
import classes from './why.module.css'

const ItemCommentsCard = lazyComponent(() => import('../../budget/comments/ItemCommentsCard.tsx'), 'ItemCommentsCard')

/** A contract's recorded cost by year and month. Each figure opens its derivation (behaviour B-183). */
export function ContractCostPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const { budgets } = useCoreData()
  const term = useTerm()
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate']) && !isLocked
  const [selected, setSelected] = useState<SelectedFigure | null>(null)
  const contract = trpc.contracts.get.useQuery(isMongoId(id) ? { id } : skipToken)
  const forecast = trpc.contracts.forecast.useQuery(isMongoId(id) ? { id, withSteps: false } : skipToken)
  const failed = [contract, forecast].find((query) => query.isError)
  if (!isMongoId(id) || (failed && toPublicError(failed.error).kind === 'notFound')) return <ContractNotFound />
  if (failed) return <LoadFailed query={failed} />
  if (!contract.data || !forecast.data) return <Spinner />
  const { name, contractName, employeeNumber, position } = contract.data
  const { contractId, costing, labels, problems } = forecast.data
  const startMonth = budgets.find((one) => one.mongoId === budgetId)?.startMonth ?? 9
  const firstYear = budgets.find((one) => one.mongoId === budgetId)?.firstYear ?? 0
  const lines = costing ? listCostLines(costing, labels) : []
  const shared = { selected, lines, budget: { firstYear, startMonth }, onSelect: setSelected }
  const ask = (line: CostLine | null, year: number, month: number | null) => (
    <FigureButton {...shared} figure={{ line: line?.figure ?? null, year, month }} />
  )
  return (
    <>
      <PageHead
        title={name ?? labelContract(null, contractName)}
        documentTitle={`Cost - ${term('StaffContract').singular} - Staffing`}
        pills={<Pill>{position ?? contractName}</Pill>}
        facts={`${employeeNumber ? `Employee ${employeeNumber} · ` : ''}${contractName} · choose a figure to see how it is calculated`}
      >
        {mayEdit && (
          <Button variant="default" component={Link} to={`/staffing/staff-contracts/${id}`}>
            Edit contract
          </Button>
        )}
      </PageHead>
      {problems.length > 0 && (
        <div className={classes.why} role="status" style={{ margin: '0 0 14px' }}>
          <b className={textStyles.up}>Not calculated</b>
          {problems.map((problem) => (
            <div key={problem.code}>
              {problem.text} <span className={textStyles.dim}>From {displayDate(problem.from)}.</span>
            </div>
          ))}
        </div>
      )}
      {!costing && <Card className={emptyStyles.empty}>This contract has not been calculated yet. Recalculate its budget group.</Card>}
      <SectionStack>
        {costing?.years.map((year, index) => (
          <Card key={year.year} aria-label={year.year}>
            <CardHead>
              {year.year} <CardNote>in pounds</CardNote>
            </CardHead>
            <div className={scrollStyles.scroll}>
              <DataTable
                isTight
                columns={[
                  { id: 'component', label: 'Component', isLabelHidden: true, cell: (line) => line?.label ?? 'Total' },
                  ...createFigureColumns<CostLine | null>(
                    year.basic.map((_figure, month) => formatPeriodMonth(startMonth, month + 1).slice(0, 3)),
                    (line, month) => ask(line, index, index * 12 + month),
                  ),
                  { id: 'year', label: 'Year', isFigure: true, cell: (line) => <b>{ask(line, index, null)}</b> },
                ]}
                rows={[...lines, null]}
                look={(line) => (line ? undefined : 'total')}
              />
            </div>
            {selected?.year === index && <RecordedDerivation {...shared} selected={selected} contractId={contractId} />}
          </Card>
        ))}
        {id && (
          <PageSection>
            <ItemCommentsCard kind="contract" reference={id} />
          </PageSection>
        )}
      </SectionStack>
    </>
  )
}
