export { importLicenses, loadShippedDirectory } from './import-licenses.ts'
export { HeaderError } from './read-records.ts'
export { linkLicense, unlinkLicense } from './register-key.ts'
export type { ImportSummary } from './summary.ts'
