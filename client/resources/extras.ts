import { type ComponentType, createContext, useContext } from 'react'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import type { Screen } from '../shell/screens/screen.ts'

/** What a part of a form that is made by hand is given. */
export interface FormPart {
  values: Values
  onChange: (values: Values) => void
  problems: FieldProblem[]
  screen: Screen
}

/** What a tab or an action that is made by hand is given. */
export interface RecordPart {
  record: AnyRecord
  screen: Screen
  mayEdit: boolean
}

/** What is special about the screens of one entity, beside what its declaration says. */
export interface Extras {
  /** Beside the form, following what is typed: a preview, a chart. */
  beside?: ComponentType<FormPart>
  /** Under the form, for fields that need more than one input each; `fields` are left out of the form. */
  below?: { part: ComponentType<FormPart>; fields: readonly string[] }
  tabs?: readonly { value: string; label: string; part: ComponentType<RecordPart>; onlyIn?: Screen['needs'] }[]
  actions?: ComponentType<RecordPart>
  /** What a record is called on top of its screen, and the line under it; without it, its code and description. */
  title?: (record: AnyRecord) => [title: string, facts: string]
  /** Whether nobody can change the record any more. */
  isFixed?: (record: AnyRecord) => boolean
  /** Each section of the form is a tab of its own. */
  tabbed?: boolean
}

/** What is special about each entity, by its name, handed down from where the areas are put together. */
export const ExtrasOf = createContext<(resource: string) => Extras>(() => ({}))

export function useExtras(resource: string): Extras {
  return useContext(ExtrasOf)(resource)
}
