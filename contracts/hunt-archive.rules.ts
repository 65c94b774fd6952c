export const maxArchiveBytes = 32 * 1024 * 1024

/** Lists that can also be exported as CSV. */
export const archiveTables = ['plants', 'grow-logs', 'scores', 'harvests', 'lab-results', 'decisions'] as const
