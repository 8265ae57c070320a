import type { FilterItem } from '../../domain/lists/lists.ts'

/** Hides people who have left until the user asks for them (behaviour B-129). */
export const notArchivedFilter: FilterItem[] = [{ filter: 'archive', filterType: 'boolean', value: 'No' }]
