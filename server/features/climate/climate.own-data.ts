import type { EraseStep } from '../../kernel/own-data.ts'

/** The readings of others' rooms stay; a file's name was somebody's own. */
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
