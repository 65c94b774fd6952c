export const maxBulkChanges = 500
