import clsx from 'clsx'
import type { Headline } from '../../domain/packs/headlines.ts'
import type { PackBlock } from '../../domain/packs/pages.ts'
import type { YearChart } from '../../domain/reports/yearChart.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import textStyles from '../ui/labels/text.module.css'
import tilesStyles from '../ui/layout/tiles.module.css'
import classes from './Packs.module.css'
import { PackTable } from './PackTable.tsx'

const BalanceChart = lazyComponent(() => import('../ui/figures/BalanceChart.tsx'), 'BalanceChart')
const ReservesChart = lazyComponent(() => import('../ui/figures/ReservesChart.tsx'), 'ReservesChart')

/** The content of a pack's chapter, as on the printed page; charts are side by side. */
export function PackChapterContent({ blocks }: { blocks: readonly PackBlock[] }) {
  const charts = blocks.flatMap((block) => (block.kind === 'chart' ? [block.chart] : []))
  const first = blocks.findIndex(({ kind }) => kind === 'chart')
  return blocks.map((block, index) =>
    block.kind !== 'chart' ? (
      <Block key={index} block={block} />
    ) : (
      index === first && (
        <div key={index} className={classes.pair}>
          {charts.map((chart) => (
            <Chart key={chart.type} chart={chart} />
          ))}
        </div>
      )
    ),
  )
}

function Block({ block }: { block: Exclude<PackBlock, { kind: 'chart' }> }) {
  switch (block.kind) {
    case 'text':
      return <p className={classes.text}>{block.text}</p>
    case 'headlines':
      return (
        <>
          <Headlines headlines={block.headlines} />
          <p className={classes.sentence}>{block.sentence}</p>
        </>
      )
    case 'facts':
      return (
        <dl className={classes.facts}>
          {block.facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )
    case 'table':
      return <PackTable report={block.report} />
    case 'signatures':
      return block.roles.map(({ role, name }) => (
        <div key={`${role} ${name}`} className={classes.signature}>
          <b>{name ? `${role}: ${name}` : role}</b>
          <span>Signed</span>
          <span>Date</span>
        </div>
      ))
  }
}

function Headlines({ headlines }: { headlines: readonly Headline[] }) {
  return (
    <div className={clsx(tilesStyles.tiles, classes.headlines)}>
      {headlines.map(({ label, value, note, isBad }) => (
        <div key={label} className={tilesStyles.tile}>
          <span className={textStyles.dim}>{label}</span>
          <strong className={isBad ? textStyles.up : undefined}>{value}</strong>
          <span className={textStyles.dim}>{note}</span>
        </div>
      ))}
    </div>
  )
}

const chartHeight = 210

function Chart({ chart: { type, title, years, values, policy, description } }: { chart: YearChart }) {
  return (
    <section aria-label={title}>
      <h3 className={classes.chartTitle}>{title}</h3>
      <figure aria-label={description} className={classes.chart} style={{ minHeight: chartHeight }}>
        <PageSection height={chartHeight}>
          {type === 'balance' ? (
            <BalanceChart years={years} values={values} />
          ) : (
            <ReservesChart years={years} values={values} policy={policy ?? undefined} />
          )}
        </PageSection>
      </figure>
    </section>
  )
}
