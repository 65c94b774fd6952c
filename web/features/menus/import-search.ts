import { type SearchParams, textParam } from '../../lib/search-params.ts'
import { type BusinessOfDashboard, readBusinessOfDashboard } from '../dashboard/dashboard-search.ts'

/** `import` is the id of the import that is shown; without it a file is to be chosen. */
export const readImportSearch = (search: SearchParams): BusinessOfDashboard & { import?: string | undefined } => ({
  ...readBusinessOfDashboard(search),
  import: textParam(search.import, 60),
})
