import { emptyLessonYear, type LessonYear } from '../../../domain/budget/items/pupilNumbers.ts'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'

const fields = [
  { name: 'week', label: 'Lessons per class each week', max: 200 },
  { name: 'taught', label: 'Lessons taught by all teachers each week', max: 99_999 },
  { name: 'weeks', label: 'Teaching weeks in the year', max: 53 },
] as const

/** The timetable of each year, from which contact ratio, class size and cost per lesson are calculated (rules.md §20). */
export function LessonsTable({
  years,
  lessons,
  isReadOnly,
  onChange,
}: {
  years: readonly string[]
  lessons: readonly LessonYear[]
  isReadOnly: boolean
  onChange: (lessons: LessonYear[]) => void
}) {
  const at = (year: number): LessonYear => lessons[year] ?? emptyLessonYear
  const set = (year: number, name: keyof LessonYear, count: number | null): void =>
    onChange(Array.from({ length: 5 }, (_unused, index) => (index === year ? { ...at(index), [name]: count } : at(index))))
  return (
    <Card className={scrollStyles.scroll} aria-label="Lessons">
      <CardHead>
        Lessons
        <CardNote>
          used for the contact ratio, class size and cost of a lesson under Reports → Measures; they do not change the budget
        </CardNote>
      </CardHead>
      <DataTable
        isTight
        columns={[
          { id: 'label', label: 'Timetable', cell: ({ label }) => label },
          ...createFigureColumns<(typeof fields)[number]>(years, ({ name, label, max }, index) =>
            isReadOnly ? (
              (at(index)[name] ?? '')
            ) : (
              <NumberField
                size="xs"
                aria-label={`${label}, ${years[index]}`}
                value={at(index)[name]}
                onChange={(value) => set(index, name, value)}
                min={0}
                max={max}
                clampBehavior="strict"
                decimalScale={2}
                hideControls
                styles={{ input: { textAlign: 'right', width: 86, marginLeft: 'auto' } }}
              />
            ),
          ),
        ]}
        rows={fields}
        keyOf={({ name }) => name}
      />
    </Card>
  )
}
