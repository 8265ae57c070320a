import { Group } from '@mantine/core'
import { analysisTagIcons } from '../../../domain/lookups/icons.ts'
import { textOrNull } from '../../../domain/values/unknownValues.ts'
import { Choice, type ChoiceProps } from '../../ui/fields/Choice.tsx'
import { iconComponents } from './icons.ts'

/** Chooses an icon by picture and name. */
export function IconSelect({
  value,
  onChange,
  ...input
}: Omit<ChoiceProps, 'value' | 'onChange' | 'data'> & { value: unknown; onChange: (name: string | null) => void }) {
  const Chosen = iconComponents[String(value ?? '')]
  return (
    <Choice
      {...input}
      data={analysisTagIcons.map((name) => ({ value: name, label: name.replaceAll('-', ' ') }))}
      value={textOrNull(value) || null}
      onChange={(name) => onChange(name)}
      leftSection={Chosen && <Chosen size={16} stroke={1.7} />}
      renderOption={(option) => {
        const Picture = iconComponents[option.value]
        return (
          <Group gap={8}>
            {Picture && <Picture size={16} stroke={1.7} />}
            {option.label}
          </Group>
        )
      }}
      clearable
    />
  )
}
