/** Options of list filters, sorting and bulk edits (lookups.json). */
export const filterKinds = [
  { id: 'text', name: 'Text' },
  { id: 'number', name: 'Number' },
  { id: 'date', name: 'Date' },
  { id: 'boolean', name: 'Yes or no' },
  { id: 'set', name: 'One of a list' },
] as const
export const textFilterOptions = [
  { id: 'equals', name: 'Equals' },
  { id: 'notEqual', name: 'Not equal' },
  { id: 'contains', name: 'Contains' },
  { id: 'startsWith', name: 'Starts with' },
  { id: 'endsWith', name: 'Ends with' },
] as const
export const numberFilterOptions = [
  { id: 'equals', name: 'Equals' },
  { id: 'notEqual', name: 'Not equal' },
  { id: 'greaterThan', name: 'Greater than' },
  { id: 'lessThan', name: 'Less than' },
] as const
export const dateFilterOptions = [{ id: 'inRange', name: 'In range' }] as const
export const booleanFilterOptions = [
  { id: 'any', name: 'any' },
  { id: 'Yes', name: 'Yes' },
  { id: 'No', name: 'No' },
] as const
export const sortDirections = [
  { id: 'asc', name: 'Ascending' },
  { id: 'desc', name: 'Descending' },
] as const
export const patchOperations = [{ id: 'replace', name: 'Replace' }] as const
