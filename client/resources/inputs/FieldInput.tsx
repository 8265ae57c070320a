import { formatLondonTime, parseMomentInLondon } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import '@mantine/dates/styles.css'
import { Checkbox, ColorInput, Group, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import type { ReactNode } from 'react'
import { lookups } from '../../../domain/lookups/lookups.ts'
import type { Field, FieldKind, FieldOf, NumberUnit, ValueByKind } from '../../../domain/resources/fields.ts'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { calendarLabels } from '../../ui/fields/calendarLabels.ts'
import { DateField } from '../../ui/fields/DateField.tsx'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { FundSharesInput } from './FundShares.tsx'
import { IconSelect } from './IconSelect.tsx'
import { ImageInput } from './ImageInput.tsx'
import { MaskedInput } from './MaskedInput.tsx'
import { PermissionTable } from './PermissionTable.tsx'
import { RatesInput } from './RatesInput.tsx'
import { MultiRecordPicker, RecordPicker } from './RecordPicker.tsx'
import { RowsInput } from './RowsInput.tsx'

/** Loaded lazily, because the editor is large and few screens need it. */
const RichText = lazyComponent(() => import('./RichText.tsx'), 'RichTextInput')

export interface FieldInputProps<F extends Field = Field> {
  field: F
  value: unknown
  onChange: (value: unknown) => void
  error?: ReactNode
  disabled?: boolean
  /** Whether the label is only for screen readers, as in a table. */
  bare?: boolean
  /** Unit of the number, if another field determines it. */
  unit?: NumberUnit
  /** Location at which the chosen record must be usable; leave out for any location. */
  locationId?: LocationId | null
}

/** The value of a field while it is being edited. */
type Typed<K extends FieldKind> = ValueByKind[K] | null
type Render<K extends FieldKind> = (props: FieldInputProps<FieldOf<K>> & { value: Typed<K> }) => ReactNode

function getCommonProps({ field, error, disabled, bare }: FieldInputProps) {
  return {
    label: bare ? undefined : field.label,
    'aria-label': bare ? field.label : undefined,
    description: bare ? undefined : field.help,
    error,
    disabled,
    required: Boolean(field.required && !field.mayBeUnknown),
    withAsterisk: Boolean(field.required && !field.mayBeUnknown),
  }
}

const amount = (
  props: FieldInputProps & { value: number | null },
  { decimals, prefix, suffix }: { decimals: number; prefix?: string; suffix?: string },
): ReactNode => (
  <NumberField
    {...getCommonProps(props)}
    value={props.value}
    onChange={props.onChange}
    decimalScale={decimals}
    fixedDecimalScale={props.field.kind === 'money'}
    thousandSeparator=","
    prefix={prefix}
    suffix={suffix}
    hideControls
    styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }}
  />
)

/** One input per field kind; a missing one does not compile. */
const inputs: { [K in FieldKind]: Render<K> } = {
  point: (props) => (
    <RecordPicker
      to={props.field.to}
      label={props.field.label}
      value={props.value}
      onChange={props.onChange}
      error={props.error}
      disabled={props.disabled}
      required={props.field.required}
      bare={props.bare}
    />
  ),
  shares: (props) => (
    <FundSharesInput
      value={props.value ?? []}
      onChange={props.onChange}
      locationId={props.locationId ?? null}
      error={props.error}
      disabled={props.disabled}
    />
  ),
  text: (props) =>
    props.field.format === 'icon' ? (
      <IconSelect {...getCommonProps(props)} value={props.value} onChange={props.onChange} />
    ) : props.field.format === 'niNumber' ? (
      <MaskedInput
        {...getCommonProps(props)}
        name={props.field.label}
        value={props.value ?? ''}
        onChange={props.onChange}
        maxLength={props.field.max}
      />
    ) : (
      <TextInput
        {...getCommonProps(props)}
        value={props.value ?? ''}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        maxLength={props.field.max}
        type={props.field.format === 'email' ? 'email' : 'text'}
      />
    ),
  longText: (props) => (
    <Textarea
      {...getCommonProps(props)}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxLength={props.field.max}
    />
  ),
  integer: (props) => (
    <NumberField
      {...getCommonProps(props)}
      value={props.value}
      onChange={props.onChange}
      allowDecimal={false}
      hideControls
      styles={{ input: { textAlign: 'right' } }}
    />
  ),
  money: (props) => amount(props, { decimals: 2, prefix: '£' }),
  percent: (props) => amount(props, { decimals: 4, suffix: '%' }),
  decimal: (props) =>
    amount(props, { decimals: 6, prefix: props.unit === 'pounds' ? '£' : undefined, suffix: props.unit === 'percent' ? '%' : undefined }),
  date: (props) => (
    <DateField
      label={props.field.label}
      value={props.value}
      onChange={props.onChange}
      error={props.error}
      disabled={props.disabled}
      required={props.field.required}
      bare={props.bare}
      description={props.bare ? undefined : props.field.help}
    />
  ),
  richText: (props) => (
    <PageSection height={210}>
      <RichText
        label={props.field.label}
        value={props.value}
        onChange={props.onChange}
        error={props.error}
        disabled={props.disabled}
        required={props.field.required}
      />
    </PageSection>
  ),
  dateTime: (props) => (
    <DateTimePicker
      {...getCommonProps(props)}
      value={props.value ? formatLondonTime(props.value).replace('T', ' ') : null}
      onChange={(value) => props.onChange(value ? parseMomentInLondon(value).toISOString() : null)}
      valueFormat="DD MMM YYYY, HH:mm"
      clearable={!props.field.required}
      placeholder="Choose a date and time"
      ariaLabels={calendarLabels}
      hideOutsideDates
      weekendDays={[]}
      clearButtonProps={{ 'aria-label': `Clear ${props.field.label}` }}
      submitButtonProps={{ 'aria-label': 'Use this date and time' }}
      timePickerProps={{ hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' }}
    />
  ),
  flag: (props) =>
    props.field.either ? (
      <Choice
        {...getCommonProps(props)}
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        value={props.value === null ? null : props.value ? 'yes' : 'no'}
        onChange={(value) => props.onChange(value === null ? null : value === 'yes')}
        clearable
        placeholder="Either"
      />
    ) : (
      <Checkbox
        label={props.bare ? undefined : props.field.label}
        aria-label={props.bare ? props.field.label : undefined}
        description={props.bare ? undefined : props.field.help}
        checked={Boolean(props.value)}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        error={props.error}
        disabled={props.disabled}
        mt={props.bare ? 8 : 26}
      />
    ),
  choice: (props) => (
    <Choice
      {...getCommonProps(props)}
      data={lookups[props.field.lookup].map((item) => ({ value: String(item.id), label: item.name }))}
      value={props.value === null || props.value === undefined ? null : String(props.value)}
      onChange={(value) => props.onChange(value === null ? null : Number(value))}
      clearable={!props.field.required}
    />
  ),
  flags: (props) => (
    <Checkbox.Group
      {...getCommonProps(props)}
      value={lookups[props.field.lookup].filter((item) => Number(props.value) & item.id).map((item) => String(item.id))}
      onChange={(values) => props.onChange(values.reduce((sum, value) => sum + Number(value), 0))}
    >
      <Group gap="md" mt={6}>
        {lookups[props.field.lookup].map((item) => (
          <Checkbox key={item.id} value={String(item.id)} label={item.name} disabled={props.disabled} />
        ))}
      </Group>
    </Checkbox.Group>
  ),
  choices: (props) =>
    props.field.lookup === 'permissions' ? (
      <PermissionTable value={props.value ?? []} onChange={props.onChange} error={props.error} disabled={props.disabled} />
    ) : (
      <MultiChoice
        {...getCommonProps(props)}
        data={lookups[props.field.lookup].map((item) => ({ value: String(item.id), label: item.name }))}
        value={(props.value ?? []).map((item) => String(item.id))}
        onChange={(ids) => props.onChange(lookups[props.field.lookup].filter((item) => ids.includes(String(item.id))))}
      />
    ),
  rates: (props) => (
    <RatesInput
      label={props.field.label}
      count={props.field.columns.length}
      bare={props.bare}
      value={props.value ?? []}
      onChange={props.onChange}
      error={props.error}
      disabled={props.disabled}
    />
  ),
  image: (props) => (
    <ImageInput
      label={props.field.label}
      isShared={props.field.shared}
      value={props.value ?? null}
      onChange={props.onChange}
      error={props.error}
      disabled={props.disabled}
    />
  ),
  reference: (props) => (
    <RecordPicker
      to={props.field.to}
      where={props.field.where}
      value={props.value ?? null}
      onChange={props.onChange}
      label={props.field.label}
      bare={props.bare}
      error={props.error}
      disabled={props.disabled}
      required={props.field.required}
      description={props.bare ? undefined : props.field.help}
    />
  ),
  references: (props) => (
    <MultiRecordPicker
      to={props.field.to}
      value={props.value ?? []}
      onChange={props.onChange}
      label={props.field.label}
      bare={props.bare}
      error={props.error}
      disabled={props.disabled}
      description={props.bare ? undefined : props.field.help}
      emptyText={props.field.to === 'location' ? 'All locations' : 'None'}
    />
  ),
  rows: (props) => (
    <RowsInput
      {...props}
      cell={(part, value, onChange) => <FieldInput field={part} value={value} onChange={onChange} disabled={props.disabled} bare />}
    />
  ),
  colour: (props) => (
    <ColorInput
      {...getCommonProps(props)}
      value={`#${props.value ?? '000000'}`}
      onChange={(value) => props.onChange(value.replace('#', '').toLowerCase())}
      format="hex"
      withEyeDropper={false}
    />
  ),
}

/** The input for a field, chosen by its kind. */
export function FieldInput(props: FieldInputProps) {
  // The kind selects both the input and the type of its value, which TypeScript cannot follow.
  return (inputs[props.field.kind] as (props: FieldInputProps) => ReactNode)(props)
}
