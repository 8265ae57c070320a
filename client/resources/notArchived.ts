import type { FilterItem } from '../../domain/lists/lists.ts'

/** People who have left are out of sight until somebody asks for them (behaviour B-129). */
export const notArchived: FilterItem[] = [{ filter: 'archive', filterType: 'boolean', value: 'No' }]
