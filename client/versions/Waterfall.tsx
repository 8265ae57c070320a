import { useMediaQuery } from '@mantine/hooks'
import { Bar, BarChart, CartesianGrid, Cell, LabelList, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayAxisPounds, displayCount, displayMoney, displayWholePounds } from '../../domain/values/format.ts'
import { Card } from '../ui/layout/Card.tsx'

export interface WaterfallStep {
  name: string
  pennies: number
  isGood: boolean
}

/** A total, labelled with its year. */
interface TotalEnd {
  name: string
  pennies: number
}

interface Ends {
  from: TotalEnd
  to: TotalEnd
}

interface Column {
  name: string
  /** Lower and upper end in pounds. */
  range: [number, number]
  pennies: number
  fill: string
}

/**
 * The columns of a waterfall: the first and last start at the axis, and each step starts where the previous one ended.
 */
function layOutColumns({ from, steps, to }: Ends & { steps: readonly WaterfallStep[] }): Column[] {
  let level = from.pennies
  const middle = steps.map(({ name, pennies, isGood }): Column => {
    const start = level
    level += pennies
    return { name, pennies, range: [start / 100, level / 100], fill: isGood ? 'var(--good)' : 'var(--bad)' }
  })
  const end = ({ name, pennies }: TotalEnd): Column => ({ name, pennies, range: [0, pennies / 100], fill: 'var(--mantine-color-gray-6)' })
  return [end(from), ...middle, end(to)]
}

/**
 * Axis ticks at equal intervals that cover all columns. The axis includes zero unless the steps would be too small to
 * see; then it shows only their range.
 */
function chooseTicks(columns: readonly Column[]): number[] {
  const ends = columns.flatMap(({ range }) => range[1])
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const room = Math.max((high - low) * 0.15, 1)
  const isFarFromZero = Math.min(Math.abs(low), Math.abs(high)) > (high - low) * 2 && low > 0 === high > 0
  const [from, to] = isFarFromZero ? [low - room, high + room] : [Math.min(0, low - room), Math.max(0, high + room)]
  const roughStep = (to - from) / 5
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = power * (roughStep <= 2 * power ? 2 : roughStep <= 5 * power ? 5 : 10)
  const [first, last] = [Math.floor(from / step), Math.ceil(to / step)]
  return Array.from({ length: last - first + 1 }, (_unused, index) => (first + index) * step)
}

function Shown({ active, payload }: { active?: boolean; payload?: readonly { payload?: Column }[] }) {
  const column = payload?.[0]?.payload
  if (!active || !column) return null
  return (
    <Card style={{ padding: '6px 10px' }}>
      <b>{column.name}</b> {displayMoney(column.pennies)}
    </Card>
  )
}

/** A waterfall chart from one total to another. The table below it has the same content as text. */
export function Waterfall({ from, steps, to }: Ends & { steps: readonly WaterfallStep[] }) {
  const columns = layOutColumns({ from, steps, to })
  const ticks = chooseTicks(columns)
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false })
  const hasTiltedLabels = steps.length > 4 || isNarrow
  const describeColumn = (index: number, { pennies }: Column): string =>
    index === 0 || index === columns.length - 1
      ? displayAxisPounds(pennies / 100)
      : `${pennies > 0 ? '+' : ''}${displayAxisPounds(pennies / 100)}`
  return (
    <div
      role="img"
      aria-label={`From ${displayWholePounds(from.pennies)} to ${displayWholePounds(to.pennies)} in ${displayCount(steps.length, 'step')}, listed below`}
    >
      <ResponsiveContainer width="100%" height={300}>
        <BarChart data={columns} margin={{ top: 18, right: 8, bottom: 4, left: 8 }} barCategoryGap="18%">
          <CartesianGrid vertical={false} stroke="var(--line)" strokeDasharray="4 4" />
          <XAxis
            dataKey="name"
            interval={0}
            angle={isNarrow ? -60 : hasTiltedLabels ? -24 : 0}
            textAnchor={hasTiltedLabels ? 'end' : 'middle'}
            height={isNarrow ? 132 : hasTiltedLabels ? 92 : 30}
            tick={{ fill: 'var(--dim)', fontSize: isNarrow ? 11 : 12 }}
            stroke="var(--line)"
          />
          <YAxis
            domain={[assertDefined(ticks[0]), assertDefined(ticks.at(-1))]}
            ticks={ticks}
            interval={0}
            allowDataOverflow
            width={isNarrow ? 52 : 96}
            tickFormatter={displayAxisPounds}
            tick={{ fill: 'var(--dim)', fontSize: 12 }}
            stroke="var(--line)"
          />
          <ReferenceLine y={0} stroke="var(--dim)" />
          <Tooltip content={<Shown />} cursor={{ fill: 'var(--chosen)', opacity: 0.4 }} />
          <Bar dataKey="range" isAnimationActive={false}>
            {columns.map((column, index) => (
              <Cell key={`${index} ${column.name}`} fill={column.fill} />
            ))}
            {/* A phone has no room for labels above the bars; the table below has the figures. */}
            {!isNarrow && (
              <LabelList
                content={({ index = 0, x, y, width, height }) => (
                  <text
                    x={Number(x) + Number(width) / 2}
                    y={Math.min(Number(y), Number(y) + Number(height)) - 5}
                    textAnchor="middle"
                    fontSize={11.5}
                    fill="var(--ink)"
                  >
                    {describeColumn(index, assertDefined(columns[index]))}
                  </text>
                )}
              />
            )}
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
