import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import { type BusinessOfDashboard, readBusinessOfDashboard } from './dashboard-search.ts'

/** `import` is the import's id; without it, the file step is shown. */
export const readImportSearch = (search: SearchParams): BusinessOfDashboard & { import?: string | undefined } => ({
  ...readBusinessOfDashboard(search),
  import: textParam(search.import, 60),
})
