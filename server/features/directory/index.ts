export { HeaderError } from './columns.ts'
export { type ImportTask, importLicenses } from './import-licenses.ts'
export { loadShippedDirectory } from './load-shipped-directory.ts'
export type { ImportSummary } from './summary.ts'
