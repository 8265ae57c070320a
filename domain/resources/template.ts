/** A value allowed in a cell, with its meaning if the value is a code. */
export interface TemplateChoice {
  value: string
  meaning: string | null
}

/** A column of a template. */
export interface TemplateColumn {
  heading: string
  /** The name of the column on screens. */
  name: string
  isRequired: boolean
  kind: 'text' | 'number' | 'date'
  /** The allowed values; empty if any value is allowed. */
  choices: readonly TemplateChoice[]
  /** Whether a cell may contain several values, separated by semicolons. */
  isSeveral: boolean
}

/** The description of an import file, from which the client makes a template. */
export interface ImportTemplate {
  /** The plural name of the records. */
  name: string
  columns: readonly TemplateColumn[]
}
