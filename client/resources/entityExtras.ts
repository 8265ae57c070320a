import { type ComponentType, createContext, useContext } from 'react'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import type { Screen } from '../shell/screens/screen.ts'

/** Props of a custom part of a form. */
export interface FormPartProps {
  values: RecordValues
  onChange: (values: RecordValues) => void
  problems: FieldProblem[]
  screen: Screen
}

/** Props of a custom tab or action. */
export interface RecordPartProps {
  record: AnyRecord
  screen: Screen
  mayEdit: boolean
}

/** Custom parts of one entity's screens, in addition to what its declaration generates. */
export interface EntityScreenExtras {
  /** Shown next to the form and updated while typing, such as a preview or chart. */
  beside?: ComponentType<FormPartProps>
  /** Shown below the form, for fields that each need more than one input. The form itself omits `fields`. */
  below?: { part: ComponentType<FormPartProps>; fields: readonly string[] }
  tabs?: readonly { value: string; label: string; part: ComponentType<RecordPartProps>; onlyIn?: Screen['needs'] }[]
  actions?: ComponentType<RecordPartProps>
  /** A dialog that adds a record to the organisation's list, which has no page for that. */
  addDialog?: ComponentType<{ screen: Screen; onClose: () => void }>
  /** A further button on an empty list. */
  emptyAction?: ComponentType
  /** Returns the heading of the record's screen and the line below it; by default the record's code and description. */
  title?: (record: AnyRecord) => [title: string, facts: string]
  /** Whether the record can no longer be changed. */
  isFixed?: (record: AnyRecord) => boolean
  /** Whether each section of the form is a tab. */
  tabbed?: boolean
}

/** Looks up the extras of an entity. It is a context, because only the root of the client may import the areas that declare extras. */
export const EntityExtrasContext = createContext<(resource: string) => EntityScreenExtras>(() => ({}))

export function useEntityExtras(resource: string): EntityScreenExtras {
  return useContext(EntityExtrasContext)(resource)
}
