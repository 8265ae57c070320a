import chipStyles from '../ui/labels/Chip.module.css'
import { Chip } from '../ui/labels/Chip.tsx'
import { iconComponents } from './inputs/icons.ts'

export function RecordTag({ record, name }: { record: Record<string, unknown>; name: string }) {
  const Picture = iconComponents[String(record.icon ?? '')]
  return (
    <Chip className={chipStyles.tag} style={{ color: `#${record.textColor}`, background: `#${record.backgroundColor}` }}>
      {Picture && <Picture size={13} stroke={2} />}
      {name}
    </Chip>
  )
}
