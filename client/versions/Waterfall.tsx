import { Bar, BarChart, CartesianGrid, Cell, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { axisPounds, money, wholePounds } from '../../domain/format.ts'
import { Card } from '../ui/Card.tsx'

export interface WaterfallStep {
  name: string
  pennies: number
  isGood: boolean
}

interface Column {
  name: string
  /** Where it begins and ends, in pounds. */
  range: [number, number]
  pennies: number
  fill: string
}

/** The columns of a waterfall: the first and last stand on the axis, each step on the end of the one before. */
function columnsOf(from: number, steps: readonly WaterfallStep[], to: number): Column[] {
  let level = from
  const middle = steps.map(({ name, pennies, isGood }): Column => {
    const start = level
    level += pennies
    return { name, pennies, range: [start / 100, level / 100], fill: isGood ? 'var(--good)' : 'var(--bad)' }
  })
  const end = (name: string, pennies: number): Column => ({ name, pennies, range: [0, pennies / 100], fill: 'var(--mantine-color-gray-6)' })
  return [end('From', from), ...middle, end('To', to)]
}

/** The axis shows zero where the steps are seen beside it; where they are small, only the part in which they happen. */
function domainOf(columns: readonly Column[]): [number, number] {
  const ends = columns.flatMap(({ range }) => range[1])
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const room = Math.max((high - low) * 0.15, 1)
  const isFar = Math.min(Math.abs(low), Math.abs(high)) > (high - low) * 2 && low > 0 === high > 0
  const [from, to] = isFar ? [low - room, high + room] : [Math.min(0, low - room), Math.max(0, high + room)]
  // Whole steps of a round number, so that the axis has round figures.
  const unit = 10 ** Math.floor(Math.log10(to - from)) / 2
  return [Math.floor(from / unit) * unit, Math.ceil(to / unit) * unit]
}

function Shown({ active, payload }: { active?: boolean; payload?: readonly { payload?: Column }[] }) {
  const column = payload?.[0]?.payload
  if (!active || !column) return null
  return (
    <Card style={{ padding: '6px 10px' }}>
      <b>{column.name}</b> {money(column.pennies)}
    </Card>
  )
}

/** From one total to another, step by step; the table below it says the same in words and figures. */
export function Waterfall({ from, steps, to }: { from: number; steps: readonly WaterfallStep[]; to: number }) {
  const columns = columnsOf(from, steps, to)
  const domain = domainOf(columns)
  const isTilted = steps.length > 4
  return (
    <div role="img" aria-label={`From ${wholePounds(from)} to ${wholePounds(to)} in ${steps.length} steps, listed below`}>
      <ResponsiveContainer width="100%" height={300}>
        <BarChart data={columns} margin={{ top: 8, right: 8, bottom: 4, left: 8 }} barCategoryGap="18%">
          <CartesianGrid vertical={false} stroke="var(--line)" strokeDasharray="4 4" />
          <XAxis
            dataKey="name"
            interval={0}
            angle={isTilted ? -24 : 0}
            textAnchor={isTilted ? 'end' : 'middle'}
            height={isTilted ? 92 : 30}
            tick={{ fill: 'var(--dim)', fontSize: 12 }}
            stroke="var(--line)"
          />
          <YAxis
            domain={domain}
            allowDataOverflow
            width={96}
            tickFormatter={axisPounds}
            tick={{ fill: 'var(--dim)', fontSize: 12 }}
            stroke="var(--line)"
          />
          <ReferenceLine y={0} stroke="var(--dim)" />
          <Tooltip content={<Shown />} cursor={{ fill: 'var(--chosen)', opacity: 0.4 }} />
          <Bar dataKey="range" isAnimationActive={false}>
            {columns.map((column, index) => (
              <Cell key={`${index} ${column.name}`} fill={column.fill} />
            ))}
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
