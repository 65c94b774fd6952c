import type { EraseStep } from '#server/kernel/own-data.ts'

/** Readings in others' hunts stay; only the file name is personal data. */
export const eraseClimateImports: EraseStep = {
  name: 'climate-imports',
  async eraseSome({ db }, { id }) {
    const { numUpdatedRows } = await db
      .updateTable('climate_imports')
      .set({ file_name: 'readings.csv', imported_by: null })
      .where('imported_by', '=', id)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
}
