/** What may stand in a cell, and what it means where that is no word of its own: a code and its description. */
export interface TemplateChoice {
  value: string
  meaning: string | null
}

/** A column of a template. */
export interface TemplateColumn {
  heading: string
  /** What it is called on the screens. */
  name: string
  isRequired: boolean
  kind: 'text' | 'number' | 'date'
  /** What may stand in it; none: whatever is of its kind. */
  choices: readonly TemplateChoice[]
  /** Whether a cell may hold several of the choices, apart by semicolons. */
  isSeveral: boolean
}

/** What a file for an import may be made from. */
export interface Template {
  /** What its records are called, of many. */
  name: string
  columns: readonly TemplateColumn[]
}
