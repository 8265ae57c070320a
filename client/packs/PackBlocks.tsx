import type { PackBlock } from '../../domain/packs/pages.ts'
import classes from './Packs.module.css'
import { PackTable } from './PackTable.tsx'

/** The content of a pack's chapter, as on its printed page. */
export function PackBlocks({ blocks }: { blocks: readonly PackBlock[] }) {
  return blocks.map((block, index) => <Block key={index} block={block} />)
}

function Block({ block }: { block: PackBlock }) {
  switch (block.kind) {
    case 'text':
      return <p className={classes.text}>{block.text}</p>
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
